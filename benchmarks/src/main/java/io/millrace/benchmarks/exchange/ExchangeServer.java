package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.EngineContext;
import io.millrace.engine.service.DurableMatching;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MarketDataEvent;
import io.millrace.engine.service.MarketDataPublisher;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.journal.Journal;
import io.millrace.pool.PaddedLong;
import io.millrace.server.BackPressure;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Our exchange, as an application would open it: pooled commands from an in-VM source through a ring to one agent, on
 * which risk and matching are one stage, and whose executions are read on the same agent.
 * <pre>
 *  source thread          agent "exchange"
 *  InVmSource --ring--&gt; matching (risk, books) --direct--&gt; meter
 *                                              --direct--&gt; reader of levels, if asked for
 * </pre>
 * With a journal, serial: a stage before matching, on the same agent. Parallel: on an agent that shares the source's
 * CPU, beside matching; it also reads the executions, behind the journal's gate:
 * <pre>
 *  source thread                  agent "journal"          agent "exchange"
 *  InVmSource --ring--+---------&gt; journal
 *                     +----------------------------------&gt; matching (risk, books)
 *                                 gate, meter &lt;----ring-----+
 * </pre>
 * The source is for one thread. Opened and closed by one thread.
 */
final class ExchangeServer implements OpenLoop.Outlet, AutoCloseable
{
    private static final String COMMANDS = "commands";
    private static final String EXECUTIONS = "executions";
    private static final String AGENT = "exchange";
    private static final String JOURNAL = "journal";
    private static final String GATE = "committed";
    private static final String METER = "meter";
    private static final String LEVELS = "levels";
    private static final String READER = "reader";
    // The host's episodes and other programs are judged by the report, not printed on stderr; this is a hang.
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int BATCH = 256;
    // One force for all that has come during the force before.
    private static final int GROUP = 2_048;

    private final ExchangeFlow flow;
    final ExecutionMeter meter = new ExecutionMeter();
    private final InVmSource<OrderCommand> commands;
    private final MatchingService matching;
    // Null when no market data is published.
    private final MarketDataPublisher publisher;
    // Padded: the agent counts on it.
    private final PaddedLong levelsRead = new PaddedLong(0);
    // Null without one.
    private final Journal<OrderCommand> journal;
    private final ProbingIdle idle;
    private final Server server;

    /**
     * Open it, empty.
     *
     * @param how  its commands become durable.
     * @param disk with prepared segments; unused without a journal.
     * @throws IOException when the disk fails.
     */
    ExchangeServer(
        final ExchangeFlow flow, final ExchangePlan plan, final ExchangeJournal how, final JournalDisk disk)
        throws IOException
    {
        this.flow = flow;
        final int ring = flow.setup().ring;
        final boolean isParallel = how.kind() == ExchangeJournal.Kind.PARALLEL;
        commands = new InVmSource<>(OrderCommand::new, ring);
        // Read inside of the command that gives them: the fewest are the best, they stay in the nearest cache. In
        // parallel: the executions of all commands in the ring, which wait for one force.
        final InVmSource<ExecutionEvent> executions =
            new InVmSource<>(ExecutionEvent::new, isParallel ? 2 * ring : MatchingService.MIN_EXECUTION_CAPACITY);
        final InVmSource<MarketDataEvent> changes =
            new InVmSource<>(MarketDataEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        publisher = plan.levels() ? new MarketDataPublisher(LEVELS, changes, false, true) : null;
        final EngineContext engine = plan.levels() ? flow.context().marketData(publisher) : flow.context();
        matching = new MatchingService(MatchingService.DEFAULT_NAME, engine, executions);
        idle = new ProbingIdle(plan.spinning() ? new BusySpinIdleStrategy() : new BackoffIdleStrategy());
        journal = how.isJournal() ? Journal.open(DurableMatching.context(disk.directory, matching)
            .segmentBytes(disk.segmentBytes).preparedSegments(disk.segments()).durability(how.durability())) : null;
        final DurableMatching durable = journal == null ? null : new DurableMatching(journal, matching);
        final EventHandler<OrderCommand> bare = how.kind() != ExchangeJournal.Kind.BARE ? null :
            new BareLog(disk.first(), disk.segmentBytes, how.forcesBatches());
        final List<String> hosted = new ArrayList<>(List.of(matching.name()));
        final Server.Context context = new Server.Context().threadingMode(ThreadingMode.DEDICATED)
            .stallTimeoutNs(STALL_NS)
            .flow(COMMANDS, start ->
            {
                final Flow<OrderCommand> from = start.from(commands).through(Pipelines.ring());
                return how.kind() == ExchangeJournal.Kind.NONE ? from.to(matching.name(), matching) :
                    from.to(JOURNAL, bare != null ? bare : journal.stage()).to(matching.name(),
                    bare != null ? matching : durable, isParallel ? new String[0] : new String[]{JOURNAL});
            })
            .flow(EXECUTIONS, start -> isParallel ?
                start.from(executions).through(Pipelines.ring()).onFull(BackPressure.BLOCK)
                    .to(GATE, durable.gate()).to(METER, meter, GATE) :
                start.from(executions).through(Pipelines.direct()).to(METER, meter));
        if (isParallel)
        {
            context.agent(JOURNAL, agent -> ServerUnderTest.pin(agent.hosts(JOURNAL, GATE, METER).pollLimit(GROUP)
                .idle(YieldingIdleStrategy.INSTANCE), plan.sourceCpu()));
        }
        else if (how.kind() != ExchangeJournal.Kind.NONE)
        {
            hosted.add(0, JOURNAL);
        }
        context.agent(AGENT, agent -> ServerUnderTest.pin(agent.hosts(hosted.toArray(new String[0]))
            .pollLimit(how.kind() == ExchangeJournal.Kind.NONE ? BATCH : GROUP).idle(idle), plan.handlerCpu()));
        if (journal != null)
        {
            context.service(journal);
        }
        server = Server.launch(!plan.levels() ? context : context.service(publisher)
            .flow(LEVELS, start -> start.from(changes).through(Pipelines.direct()).to(READER, this::read)));
    }

    /** Waits as another strategy; its first wait makes a probe of the agent's thread. */
    private static final class ProbingIdle implements IdleStrategy
    {
        private final IdleStrategy strategy;
        // Volatile: written once by the agent, read by the thread that runs the rounds.
        private volatile ThreadProbe probe;

        private ProbingIdle(final IdleStrategy strategy)
        {
            this.strategy = strategy;
        }

        @Override
        public void idle(final int workCount)
        {
            if (probe == null)
            {
                probe = ThreadProbe.ofCurrentThread();
            }
            strategy.idle(workCount);
        }

        @Override
        public void idle()
        {
            strategy.idle();
        }

        @Override
        public void reset()
        {
            strategy.reset();
        }

        @Override
        public String alias()
        {
            return strategy.alias();
        }
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

    /** The thread of matching, after its first command; that of the meter without a parallel journal. */
    ThreadProbe matchingThread()
    {
        return idle.probe;
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
        if (journal != null)
        {
            checkJournal();
        }
        final LevelHash levels = new LevelHash();
        for (int i = 0; i < flow.symbols(); i++)
        {
            matching.engine().bookReport(flow.spec(i).symbol(), -1, levels);
        }
        return meter.tally().answer(levels);
    }

    private void checkJournal()
    {
        if (journal.committedSequence() != meter.events().handled())
        {
            throw new IllegalStateException(journal.committedSequence() + " records are committed, " +
                meter.events().handled() + " commands are answered");
        }
        if (server.counters().value("journal.waits") > 0)
        {
            throw new IllegalStateException("a roll found no prepared segment: the round would measure the keeper");
        }
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
