package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a server offers to its services and handlers. Any thread.
 */
public final class ServiceContext
{
    private final Server server;
    private final String serverName;
    private final ObjectPoolsRegistry pools;
    private final Counters counters;
    private final Map<String, String> settings;
    private final Supplier<Map<String, Service>> services;
    private final Failures failures;

    ServiceContext(
        final Server server,
        final String serverName,
        final ObjectPoolsRegistry pools,
        final Counters counters,
        final Map<String, String> settings,
        final Supplier<Map<String, Service>> services,
        final Failures failures)
    {
        this.server = server;
        this.serverName = serverName;
        this.pools = pools;
        this.counters = counters;
        this.settings = settings;
        this.services = services;
        this.failures = failures;
    }

    /** The same for one part: its counters leave with it. */
    ServiceContext of(final Object part)
    {
        return new ServiceContext(server, serverName, pools, counters.of(part), settings, services, failures);
    }

    /** @return the server, for services that show it: its state, health, counters and commands. */
    public Server server()
    {
        return server;
    }

    /**
     * Name of the server.
     *
     * @return the name.
     */
    public String serverName()
    {
        return serverName;
    }

    /**
     * The server's pools. A service may add its own.
     *
     * @return the registry.
     */
    public ObjectPoolsRegistry pools()
    {
        return pools;
    }

    /**
     * The server's counters. A service or a handler may add its own, in each start. They are gone when it leaves the
     * running server, and after a restart in which they were not added again. A handler that replaces another one may
     * add counters of the same names.
     *
     * @return the counters.
     */
    public Counters counters()
    {
        return counters;
    }

    /**
     * The only started service of a type.
     *
     * @param type class or interface of the service.
     * @param <S>  type of the service.
     * @return the service.
     * @throws IllegalArgumentException if none or several have started; the message lists those that have.
     */
    public <S> S service(final Class<S> type)
    {
        final List<S> found =
            services.get().values().stream().filter(type::isInstance).map(type::cast).collect(Collectors.toList());
        if (found.size() != 1)
        {
            throw new IllegalArgumentException((found.isEmpty() ? "no service" : found.size() + " services") +
                " of type " + type.getName() + ": started are " + describeServices());
        }
        return found.get(0);
    }

    /**
     * A started service.
     *
     * @param name of the service.
     * @param type class or interface of the service.
     * @param <S>  type of the service.
     * @return the service.
     * @throws IllegalArgumentException if there is none of this name and type; the message lists those that have
     *                                  started.
     */
    public <S> S service(final String name, final Class<S> type)
    {
        final Service found = services.get().get(name);
        if (!type.isInstance(found))
        {
            throw new IllegalArgumentException("no service '" + name + "' of type " + type.getName() +
                ": started are " + describeServices());
        }
        return type.cast(found);
    }

    /**
     * Reports a failure that ends nothing, such as one of a thread of the service: to the server's error handler, or to
     * its logger if it has none. It is in {@code server.errors} and {@link Server#errors()}. Any thread. Allocates.
     *
     * @param where what failed, without parts that change: failures with the same words are one kind.
     * @param cause why; null if there was no exception.
     */
    public void reportFailure(final String where, final Throwable cause)
    {
        failures.report(where, cause);
    }

    private String describeServices()
    {
        return services.get().values().stream().map(each -> each.name() + " of " + each.getClass().getName())
            .collect(Collectors.toList()).toString();
    }

    /**
     * A setting of the server's context.
     *
     * @param name of the setting, as in {@link Server.Context#setting}.
     * @return its value.
     * @throws IllegalArgumentException if there is none; the message lists those that there are.
     */
    public String setting(final String name)
    {
        final String value = settings.get(name);
        if (value == null)
        {
            throw new IllegalArgumentException("no setting '" + name + "': there are " + settings.keySet());
        }
        return value;
    }

    /**
     * A setting with a default.
     *
     * @param name         of the setting.
     * @param defaultValue its value if the context has none; may be null.
     * @return the value.
     */
    public String setting(final String name, final String defaultValue)
    {
        return settings.getOrDefault(name, defaultValue);
    }
}
