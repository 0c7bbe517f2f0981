package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BusySpinIdleStrategy;

import java.util.List;
import java.util.function.Supplier;

/**
 * A server with an in-VM source, as a path under test.
 *
 * @param <E> the server's event.
 */
final class ServerPath<E extends BasePoolAware & RateMessage> implements PathUnderTest<E>
{
    private final Server server;
    private final InVmSource<E> source;
    private final List<String> flows;
    private final Supplier<Executions> executions;

    /**
     * @param flows      names of the server's flows.
     * @param executions result of the book, read when all that was published has been handled.
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

    /**
     * Starts a server without a thread of its own, or with one busy-spinning agent.
     *
     * @param stages hosted by that agent, which has the name of the first one.
     */
    static Server launch(
        final Server.Context context, final RoundPlan plan, final boolean isOnThread, final String... stages)
    {
        return Server.launch(!isOnThread ? context.threadingMode(ThreadingMode.INVOKER) :
            context.threadingMode(ThreadingMode.DEDICATED).agent(stages[0], agent ->
                ServerUnderTest.pin(agent.hosts(stages).idle(new BusySpinIdleStrategy()), plan.handlerCpu())));
    }

    @Override
    public E claim()
    {
        return source.claim();
    }

    @Override
    public void publish(final E message)
    {
        ServerUnderTest.checkPublished(source.publish(message), server);
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
        ServerUnderTest.close(server);
    }
}
