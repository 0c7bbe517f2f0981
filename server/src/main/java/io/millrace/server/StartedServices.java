package io.millrace.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The services of a running server, in the order of their start. One thread at a time starts them; any thread closes
 * them: a change that ends late does so on the thread of its agent.
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
            service.onStart(offered.of(service));
            started.add(service);
        }
    }

    /** Checks whether this object is one of them. A record may equal another one. */
    boolean isStarted(final Object object)
    {
        return started.stream().anyMatch(each -> each == object);
    }

    /** Start an object that is a service and has not started; no effect on others. */
    void start(final Object object) throws Exception
    {
        if (object instanceof Service && !isStarted(object))
        {
            final Service service = (Service)object;
            try
            {
                if (byName().containsKey(Names.check("service", service.name())))
                {
                    throw new IllegalArgumentException("two services have the name '" + service.name() + "'");
                }
                startAll(List.of(service));
            }
            catch (final Throwable ex)
            {
                offered.counters().removeOf(service);
                throw ex;
            }
        }
    }

    /** As {@link #start}, for a handler: it may add counters of the names that the leaving one has. */
    void startInPlaceOf(final Object leaving, final Object next) throws Exception
    {
        offered.counters().succeed(next, leaving);
        start(next);
    }

    /** A handler, source or service has left: close it if it is a service that has started. Its counters are gone. */
    void close(final Object object)
    {
        if (object instanceof Service && take(object))
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
        offered.counters().removeOf(object);
    }

    private synchronized boolean take(final Object object)
    {
        return started.removeIf(each -> each == object);
    }

    Map<String, Service> byName()
    {
        final Map<String, Service> services = new LinkedHashMap<>();
        started.forEach(service -> services.put(service.name(), service));
        return services;
    }

    /** Removes the last one, so that it is closed once; null if there is none. */
    synchronized Service takeLast()
    {
        return started.isEmpty() ? null : started.remove(started.size() - 1);
    }

    /** Any thread. A service whose {@code problem()} throws has one. */
    void addProblems(final List<String> degraded)
    {
        for (final Service service : started)
        {
            String problem;
            try
            {
                problem = service.problem();
            }
            catch (final Throwable ex)
            {
                problem = "its health is not known: " + Failures.text(ex);
            }
            if (problem != null)
            {
                degraded.add("service '" + service.name() + "': " + problem);
            }
        }
    }

    /** In the order of their start; the list may change. */
    List<Service> started()
    {
        return started;
    }
}
