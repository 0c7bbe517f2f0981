package io.millrace.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The services of a running server, in the order of their start. Changed by one thread at a time.
 */
final class StartedServices
{
    private final Failures failures;
    private ServiceContext offered;
    private final List<Service> started = new CopyOnWriteArrayList<>();

    StartedServices(final Failures failures)
    {
        this.failures = failures;
    }

    /** Set before the start; it lists these services itself. */
    void offer(final ServiceContext newOffered)
    {
        offered = newOffered;
    }

    void startAll(final List<Service> services) throws Exception
    {
        for (final Service service : services)
        {
            service.onStart(offered);
            started.add(service);
        }
    }

    /** Start an object that is a service and has not started; no effect on others. */
    void start(final Object object) throws Exception
    {
        if (object instanceof Service && !started.contains(object))
        {
            final Service service = (Service)object;
            if (byName().containsKey(Names.check("service", service.name())))
            {
                throw new IllegalArgumentException("two services have the name '" + service.name() + "'");
            }
            startAll(List.of(service));
        }
    }

    /** Close an object that is a service and has started; no effect on others. */
    void close(final Object object)
    {
        if (object instanceof Service && started.remove(object))
        {
            final Service service = (Service)object;
            try
            {
                service.close();
            }
            catch (final Throwable ex)
            {
                failures.report("closing service '" + service.name() + "'", ex);
                Failures.keepInterrupt(ex);
            }
        }
    }

    Map<String, Service> byName()
    {
        final Map<String, Service> services = new LinkedHashMap<>();
        started.forEach(service -> services.put(service.name(), service));
        return services;
    }

    /** The list itself: the closing thread removes each service that it closes. */
    List<Service> started()
    {
        return started;
    }
}
