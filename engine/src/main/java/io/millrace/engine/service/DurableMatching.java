package io.millrace.engine.service;

import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.journal.DurableHandler;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;
import io.millrace.journal.RecoveringHandler;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.server.HandlerService;
import io.millrace.server.ServiceContext;
import io.millrace.server.pipeline.EventGate;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A matching service whose state survives: the stage behind the stage of its journal. It recovers when its agent
 * starts, and muted: neither executions nor market data are published again. From then on the sequence of a command is
 * the number of its record.
 * <p>
 * <b>A command that is in the journal is executed.</b> If it cannot be, because there was no capacity for its
 * executions, no memory for its symbol, or a listener threw, the service executes nothing more, whatever the error
 * policy, and the next start executes it. So live and replayed state never differ. Let the executions' flow wait
 * (BLOCK), or make it {@code direct()}; under FAIL one slow reader ends the service.
 * <p>
 * In the serial topology this stage follows that of the journal; a command that is not committed is refused with an
 * exception. In the parallel topology it runs beside it, and the executions pass a {@link #gate}. Used by the thread of
 * its stage only.
 */
public final class DurableMatching implements HandlerService<OrderCommand>, DurableHandler<OrderCommand>
{
    private final Journal<OrderCommand> journal;
    private final MatchingService matching;
    private final RecoveringHandler<OrderCommand> live;
    private final EngineState state;
    private boolean replays;
    private boolean isParallel;
    private long every;
    private long lastSnapshot;

    /**
     * Makes a service durable.
     *
     * @param journal  from a context of {@link #context}, not recovered yet.
     * @param matching without commands so far; do not use it elsewhere.
     */
    public DurableMatching(final Journal<OrderCommand> journal, final MatchingService matching)
    {
        this.journal = journal;
        this.matching = matching.durable();
        state = new EngineState(matching.engine());
        live = journal == null ? null : journal.recovering(this, this::execute);
    }

    /**
     * Context of the journal of a service. Its schema follows from the engine's configuration: the same commands give
     * other results under other limits, so a journal with other ones is refused.
     *
     * @param directory of the journal.
     * @param matching  the service.
     * @return a context, with the payloads of {@link OrderCommandCodec}.
     */
    public static JournalContext<OrderCommand> context(final Path directory, final MatchingService matching)
    {
        return new JournalContext<>(directory, new OrderCommandCodec(), OrderCommand::new).schema(matching.schema());
    }

    /**
     * Writes snapshots on the stage's thread. The stage executes no commands while it writes. One that cannot be
     * written is counted by the journal and reported to the server's error handler; the next one follows after as many
     * commands. {@link Journal#follow} builds them in the background instead, with a second {@code DurableMatching} as
     * its copy.
     *
     * @param commands a snapshot at the end of the first batch with so many new commands; 0 for none.
     * @return this.
     */
    public DurableMatching snapshotEvery(final long commands)
    {
        if (commands < 0)
        {
            throw new IllegalArgumentException("snapshotEvery " + commands + " is negative");
        }
        every = commands;
        return this;
    }

    /**
     * Chooses the parallel topology: this stage does not follow that of the journal and is on another agent, so it
     * executes commands while they are written and forced. An execution passes the gate when its command is committed.
     * Declare the gate in the executions' flow, and the stages that read them after it. Call it before the launch.
     *
     * @return a gate for one stage.
     * @throws IllegalStateException when the engine publishes market data, which would leave before its command is
     *                               committed.
     */
    public EventGate<ExecutionEvent> gate()
    {
        if (matching.engine().hasMarketData())
        {
            throw new IllegalStateException("service '" + name() + "' publishes market data, which passes no gate: " +
                "declare its stage after that of the journal");
        }
        isParallel = true;
        return journal.gate(ExecutionEvent::commandSequence);
    }

    @Override
    public String name()
    {
        return matching.name();
    }

    @Override
    public Class<OrderCommand> eventType()
    {
        return OrderCommand.class;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        matching.onStart(context);
    }

    /**
     * Recovers the journal into the service.
     *
     * @throws io.millrace.journal.JournalException see {@link Journal#recover}.
     */
    @Override
    public void onStart()
    {
        live.onStart();
        lastSnapshot = journal.report().snapshot();
    }

    /**
     * Executes a command, without a {@link #gate} one that is committed; in recovery without publishing anything.
     */
    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        if (replays)
        {
            matching.replay(command);
        }
        else
        {
            live.onEvent(command, sequence, endOfBatch);
        }
    }

    private void execute(final OrderCommand command, final long record, final boolean endOfBatch)
    {
        if (!isParallel && journal.committedSequence() < record)
        {
            throw new IllegalStateException("record " + record + " is not committed: declare the stage of '" + name() +
                "' after that of the journal");
        }
        matching.onEvent(command, record, endOfBatch);
        if (endOfBatch && every > 0 && record - lastSnapshot >= every)
        {
            // It waits until the record is committed, and ends nothing when the snapshot cannot be written.
            journal.scheduleSnapshot();
            lastSnapshot = record;
        }
    }

    /** Writes the snapshot that {@link Journal#requestSnapshot} has requested; fails it after a failure. */
    @Override
    public void onIdle()
    {
        live.onIdle();
    }

    /** As {@link #onIdle}. */
    @Override
    public void onDrained()
    {
        live.onDrained();
    }

    @Override
    public void onReplayStart()
    {
        replays = true;
        matching.mute(true);
    }

    @Override
    public void onReplayEnd()
    {
        replays = false;
        matching.mute(false);
    }

    /**
     * Writes the whole engine, see {@link io.millrace.engine.codec.EngineSnapshotDescriptor}. Allocates when the state
     * has grown.
     */
    @Override
    public void writeTo(final SnapshotOutput out) throws IOException
    {
        state.writeTo(out);
    }

    /**
     * Replaces the whole engine.
     *
     * @throws io.millrace.engine.book.BookSnapshotException when the bytes are no state of this engine; it has not
     *                                                       changed.
     */
    @Override
    public void readFrom(final SnapshotInput in) throws IOException
    {
        state.readFrom(in);
    }

    @Override
    public long stateHash()
    {
        return state.stateHash();
    }
}
