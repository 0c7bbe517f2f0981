package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.EngineContext;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MarketDataEvent;
import io.millrace.engine.service.MarketDataPublisher;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.PaddedLong;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;

import java.util.concurrent.TimeUnit;

/**
 * Our exchange, as an application would open it: pooled commands from an in-VM source through a ring to one agent, on
 * which risk and matching are one stage, and whose executions are read on the same agent.
 * <pre>
 *  source thread          agent "exchange"
 *  InVmSource --ring--&gt; matching (risk, books) --direct--&gt; meter
 *                                              --direct--&gt; reader of levels, if asked for
 * </pre>
 * The source is for one thread. Opened and closed by one thread.
 */
final class ExchangeServer implements OpenLoop.Outlet, AutoCloseable
{
    private static final String COMMANDS = "commands";
    private static final String EXECUTIONS = "executions";
    private static final String AGENT = "exchange";
    private static final String METER = "meter";
    private static final String LEVELS = "levels";
    private static final String READER = "reader";
    // The host's episodes and other programs are judged by the report, not printed on stderr; this is a hang.
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(10);

    private final ExchangeFlow flow;
    private final ExecutionMeter meter = new ExecutionMeter();
    private final InVmSource<OrderCommand> commands;
    private final MatchingService matching;
    // Null when no market data is published.
    private final MarketDataPublisher publisher;
    // Padded: the agent counts on it.
    private final PaddedLong levelsRead = new PaddedLong(0);
    private final Server server;

    /**
     * Open it, empty.
     *
     * @param spinning whether the agent spins when it has nothing to do.
     * @param levels   whether the changes of levels are published and read.
     */
    ExchangeServer(final ExchangeFlow flow, final int cpu, final boolean spinning, final boolean levels)
    {
        this.flow = flow;
        commands = new InVmSource<>(OrderCommand::new, flow.setup().ring());
        // Read inside of the command that gives them: the fewest are the best, they stay in the nearest cache.
        final InVmSource<ExecutionEvent> executions =
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        final InVmSource<MarketDataEvent> changes =
            new InVmSource<>(MarketDataEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        publisher = levels ? new MarketDataPublisher(LEVELS, changes, false, true) : null;
        final EngineContext engine = levels ? flow.context().marketData(publisher) : flow.context();
        matching = new MatchingService(MatchingService.DEFAULT_NAME, engine, executions);
        final Server.Context context = new Server.Context()
            .flow(COMMANDS, start -> start.from(commands).through(Pipelines.ring()).to(matching.name(), matching))
            .flow(EXECUTIONS, start -> start.from(executions).through(Pipelines.direct()).to(METER, meter))
            .threadingMode(ThreadingMode.DEDICATED)
            .stallTimeoutNs(STALL_NS)
            .agent(AGENT, agent -> ServerUnderTest.pin(agent.hosts(matching.name())
                .idle(spinning ? new BusySpinIdleStrategy() : new BackoffIdleStrategy()), cpu));
        server = Server.launch(!levels ? context : context.service(publisher)
            .flow(LEVELS, start -> start.from(changes).through(Pipelines.direct()).to(READER, this::read)));
    }

    /** Reads a level as an application would; one that is impossible is not counted. */
    private void read(final MarketDataEvent event, final long sequence, final boolean endOfBatch)
    {
        final boolean isLevel = event.price() >= 0 && event.size() > 0 == event.orderCount() > 0;
        levelsRead.setOpaque(levelsRead.getPlain() + (isLevel ? 1 : 0));
    }

    @Override
    public boolean offer(final long number, final long intendedNs, final long nowNs)
    {
        final int index = (int)number;
        final OrderCommand command = commands.claim();
        if (command == null)
        {
            return false;
        }
        command.set(flow.type(index), flow.orderType(index), flow.side(index), flow.symbol(index), flow.orderId(index),
            flow.uid(index), flow.price(index), flow.size(index), flow.reserve(index), intendedNs);
        publish(command);
        return true;
    }

    private void publish(final OrderCommand command)
    {
        ServerUnderTest.checkPublished(commands.publish(command), server);
    }

    /** Users and balances; the source's thread. Returns how many commands it took. */
    int sendUsers()
    {
        final int[] sent = new int[1];
        for (int uid = 1; uid <= flow.users(); uid++)
        {
            publish(claim().addUser(uid));
            sent[0]++;
        }
        // The adjustments' numbers ascend for each user, since those of all do.
        flow.forEachBalance((uid, currency, amount) ->
        {
            publish(claim().adjustBalance(uid, currency, amount, sent[0]));
            sent[0]++;
        });
        return sent[0];
    }

    private OrderCommand claim()
    {
        OrderCommand command = commands.claim();
        while (command == null)
        {
            check();
            Thread.yield();
            command = commands.claim();
        }
        return command;
    }

    ExecutionMeter meter()
    {
        return meter;
    }

    /**
     * The result; when all that was published has been handled.
     *
     * @throws IllegalStateException when a command was refused: no user lacks funds; or when no level was published.
     */
    ExchangeAnswer answer()
    {
        if (publisher != null && (levelsRead.getOpaque() == 0 || publisher.firstFailure() != null))
        {
            throw new IllegalStateException("levels were not published", publisher.firstFailure());
        }
        if (meter.tally().refused() != 0)
        {
            throw new IllegalStateException(meter.tally().refused() + " commands were refused");
        }
        final LevelHash levels = new LevelHash();
        for (int i = 0; i < flow.symbols(); i++)
        {
            matching.engine().bookReport(flow.spec(i).symbol(), -1, levels);
        }
        return meter.tally().answer(levels);
    }

    /**
     * @throws IllegalStateException when the server has failed.
     */
    void check()
    {
        ServerUnderTest.check(server);
    }

    @Override
    public void close()
    {
        ServerUnderTest.close(server);
    }
}
