package io.millrace.benchmarks.rate;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.util.List;
import java.util.function.Supplier;

/**
 * A server with an in-VM source, as a path under test.
 *
 * @param <E> the server's event.
 */
final class ServerPath<E extends BasePoolAware & RateMessage> implements PathUnderTest<E>, MessageOutlet<E>
{
    private final Server server;
    private final InVmSource<E> source;
    private final List<String> flows;
    private final Supplier<Executions> executions;

    /**
     * @param flows      names of the server's flows.
     * @param executions what was executed, asked for when all that was published has been handled.
     */
    ServerPath(
        final Server server,
        final InVmSource<E> source,
        final List<String> flows,
        final Supplier<Executions> executions)
    {
        this.server = server;
        this.source = source;
        this.flows = flows;
        this.executions = executions;
    }

    @Override
    public MessageOutlet<E> outlet()
    {
        return this;
    }

    @Override
    public E claim()
    {
        return source.claim();
    }

    @Override
    public void publish(final E message)
    {
        if (!source.publish(message))
        {
            throw new IllegalStateException("the server refused an event although it had capacity", server.failure());
        }
    }

    @Override
    public int handle()
    {
        return server.invoke();
    }

    @Override
    public long dropped()
    {
        return flows.stream().mapToLong(flow -> server.counters().value(flow + ".dropped")).sum();
    }

    @Override
    public Executions executions()
    {
        return executions.get();
    }

    @Override
    public void close()
    {
        server.close();
        if (server.failure() != null)
        {
            throw new IllegalStateException("the server failed", server.failure());
        }
    }
}
