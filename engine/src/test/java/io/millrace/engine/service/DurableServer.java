package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.FeedHash;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.journal.RecoveryReport;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An engine behind its journal, in a server on the calling thread. Small segments, no watermark.
 */
final class DurableServer implements AutoCloseable
{
    static final int BATCH = 16;
    private static final int SEGMENT = 1 << 18;

    final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 64);
    /** Also the threads of the journal report errors. */
    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    final FeedHash feed = new FeedHash();
    final MatchingService matching;
    final Journal<OrderCommand> journal;
    final DurableMatching durable;
    final Server server;
    long heard;
    /** Record of the last RESULT. */
    long lastResult;

    DurableServer(final Path directory, final EngineContext context, final Durability durability)
    {
        this(directory, context, durability, 0, 0, true);
    }

    DurableServer(
        final Path directory,
        final EngineContext context,
        final Durability durability,
        final long snapshotEvery,
        final long followEvery,
        final boolean direct)
    {
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
        matching = new MatchingService("matching", context.marketData(feed), executions);
        journal = Journal.open(DurableMatching.context(directory, matching).segmentBytes(SEGMENT).watermarkBytes(0)
            .durability(durability));
        durable = new DurableMatching(journal, matching).snapshotEvery(snapshotEvery);
        if (followEvery > 0)
        {
            journal.follow(new DurableMatching(journal, new MatchingService("copy", context.marketData(feed),
                new InVmSource<>(ExecutionEvent::new, 64))), followEvery);
        }
        final Server.Context server = new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).service(journal)
            .flow("commands", f -> f.from(commands).to("journal", journal.stage()).to("match", durable, "journal"))
            .flow("executions", f -> (direct ? f.from(executions).through(Pipelines.direct()) : f.from(executions))
                .to("hear", (event, sequence, endOfBatch) -> hear(event)));
        this.server = Server.launch(server);
    }

    private void hear(final ExecutionEvent event)
    {
        heard++;
        if (event.kind() == ExecutionKind.RESULT)
        {
            if (event.commandSequence() != lastResult + 1 && lastResult != 0 ||
                journal.committedSequence() < event.commandSequence())
            {
                throw new AssertionError("result " + event.commandSequence() + " after " + lastResult +
                    ", committed " + journal.committedSequence());
            }
            lastResult = event.commandSequence();
        }
    }

    RecoveryReport report()
    {
        return journal.report();
    }

    /** Gives commands in batches. */
    void give(final RandomOrders orders, final int count)
    {
        for (int i = 1; i <= count; i++)
        {
            commands.publish(orders.next(commands.claim()));
            if (i % BATCH == 0 || i == count)
            {
                invoke();
            }
        }
    }

    void invoke()
    {
        while (server.failure() == null && server.invoke() > 0)
        {
            // Until all stages are through.
        }
    }

    @Override
    public void close()
    {
        server.close();
    }
}
