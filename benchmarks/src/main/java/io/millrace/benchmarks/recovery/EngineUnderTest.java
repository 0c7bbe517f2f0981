package io.millrace.benchmarks.recovery;

import io.millrace.benchmarks.journal.NoState;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.DurableMatching;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.nio.file.Path;

/**
 * An engine with a hundred users and one future behind its journal, in a server on the calling thread. Its commands
 * follow from their numbers: users and deposits, 10,000 bids that rest, then pairs of an ask that rests and its cancel,
 * with a trade now and then.
 */
final class EngineUnderTest implements AutoCloseable
{
    static final int ORDERS = 10_000;
    private static final int USERS = 100;
    private static final int SYMBOL = 1;
    private static final int CURRENCY = 2;
    private static final int LEVELS = 1_000;
    private static final int BATCH = 64;
    private static final int TRADE_EVERY = 10;
    /** Commands until all bids rest. */
    static final int START = 2 * USERS + ORDERS;
    /** Commands in one batch. */
    static final int BATCH_LENGTH = BATCH;

    final MatchingService matching;
    final Journal<OrderCommand> journal;
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 2 * BATCH);
    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final DurableMatching durable;
    private final int orders;
    private Server server;

    EngineUnderTest(final Path directory, final int segmentBytes)
    {
        this(directory, segmentBytes, ORDERS);
    }

    EngineUnderTest(final Path directory, final int segmentBytes, final int orders)
    {
        this.orders = orders;
        matching = new MatchingService("matching", context(orders), executions);
        journal = Journal.open(DurableMatching.context(directory, matching).durability(Durability.OS_CACHE)
            .segmentBytes(segmentBytes));
        durable = new DurableMatching(journal, matching);
    }

    static EngineContext context()
    {
        return context(ORDERS);
    }

    private static EngineContext context(final int orders)
    {
        return new EngineContext().symbolCapacity(1)
            .risk(new RiskLimits().withCapacities(USERS, USERS, USERS).withCurrencies(2)
                .withMaxOpenOrders(Math.max(RiskLimits.DEFAULT_OPEN_ORDERS, orders)))
            .symbol(SymbolSpec.future(SYMBOL).withOrderCapacity(2 * orders).withPrices(1, 4 * LEVELS),
                SymbolTerms.future(1, CURRENCY, 1, 1, 1L << 24));
    }

    /** Builds snapshots in the background, with a copy of the engine. */
    EngineUnderTest follow(final long everyRecords)
    {
        journal.follow(new DurableMatching(journal, new MatchingService("copy", context(orders),
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY))), everyRecords);
        return this;
    }

    /** Recovers, without a server. */
    void recover()
    {
        durable.onStart();
    }

    /** Recovers into a handler that does nothing: what files, checksums and the codec take. */
    void readOnly(final long snapshotHash)
    {
        journal.recover(new NoState<>(snapshotHash));
    }

    /** Recovers in a server that takes commands. */
    EngineUnderTest launch()
    {
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).service(journal)
            .flow("commands", f -> f.from(commands).to("journal", journal.stage()).to("match", durable, "journal"))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("none", (event, sequence, endOfBatch) ->
                {
                })));
        return this;
    }

    /** Gives the commands of these numbers, from 0. */
    void give(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            commands.publish(fill(commands.claim(), i));
            if (i % BATCH == BATCH - 1 || i == to - 1)
            {
                while (server.invoke() > 0)
                {
                    // Journal, match.
                }
            }
        }
    }

    private OrderCommand fill(final OrderCommand command, final int i)
    {
        if (i < USERS)
        {
            return command.addUser(i);
        }
        if (i < 2 * USERS)
        {
            return command.adjustBalance(i - USERS, CURRENCY, 1L << 36, 1);
        }
        if (i < 2 * USERS + orders)
        {
            return command.limit(SYMBOL, i, i % USERS, Side.BID, 1 + (i * 7) % LEVELS, 10);
        }
        final int user = i / 2 % USERS;
        return (i & 1) != 0 ? command.cancel(SYMBOL, i - 1, user) : i / 2 % TRADE_EVERY == 0 ?
            command.immediate(SYMBOL, i, user, Side.ASK, 1, 1) :
            command.limit(SYMBOL, i, user, Side.ASK, 2 * LEVELS + i % LEVELS, 10);
    }

    long snapshots()
    {
        return server.counters().value("journal.snapshots");
    }

    long prepared()
    {
        return server.counters().value("journal.prepared");
    }

    /** A snapshot of everything so far. */
    void snapshot()
    {
        journal.snapshot(durable, journal.committedSequence());
    }

    @Override
    public void close()
    {
        if (server != null)
        {
            server.close();
        }
        journal.close();
    }
}
