package io.millrace.server;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The services of one context, by name, in the order of their start: added to the context, then found by the service
 * loader, then passed to stages directly.
 */
final class ServiceList
{
    private final Map<String, Service> services = new LinkedHashMap<>();

    void add(final Service service)
    {
        final Service other = services.putIfAbsent(Names.check("service", service.name()), service);
        if (other != null && other != service)
        {
            throw new IllegalArgumentException("two services have the name '" + service.name() + "'");
        }
    }

    void discover(final ClassLoader loader)
    {
        try
        {
            final Set<String> given = Set.copyOf(services.keySet());
            for (final Service service : ServiceLoader.load(Service.class, loader))
            {
                if (!given.contains(Names.check("service", service.name())))
                {
                    add(service);
                }
            }
        }
        catch (final ServiceConfigurationError ex)
        {
            throw new IllegalArgumentException("a service cannot be found: " + ex.getMessage(), ex);
        }
    }

    void addHandlersOf(final Flow<?> flow)
    {
        for (final Flow.Stage<?> stage : flow.stages())
        {
            if (stage.handler instanceof HandlerService)
            {
                add((Service)stage.handler);
            }
        }
    }

    Map<String, Service> byName()
    {
        return services;
    }

    List<Service> inOrder()
    {
        final Map<String, Service> ordered = new LinkedHashMap<>();
        services.values().forEach(service -> addAfterOthers(service, ordered, new LinkedHashSet<>()));
        return List.copyOf(ordered.values());
    }

    private void addAfterOthers(final Service service, final Map<String, Service> ordered, final Set<String> waiting)
    {
        if (!waiting.add(service.name()))
        {
            throw new IllegalArgumentException("services start after each other in a circle: " + waiting);
        }
        for (final String name : service.startsAfter())
        {
            final Service earlier = services.get(name);
            if (earlier == null)
            {
                throw new IllegalArgumentException("service '" + service.name() + "' starts after '" + name +
                    "', which is missing: the services are " + services.keySet());
            }
            if (!ordered.containsKey(name))
            {
                addAfterOthers(earlier, ordered, waiting);
            }
        }
        waiting.remove(service.name());
        ordered.putIfAbsent(service.name(), service);
    }
}
