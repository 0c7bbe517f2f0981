package io.millrace.exchange.core;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.DurableMatching;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.tables.Fnv;
import io.millrace.journal.DurableHandler;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;
import io.millrace.journal.RecoveringHandler;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.pool.ObjectPool;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.ServiceContext;
import io.millrace.server.pipeline.EventHandler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The deterministic core of an exchange, behind its journal: the engine, the clients' requests, and their numbered
 * answers. The same records give the same engine and the same answers, so answers that were not delivered before a
 * kill are there after it. Declare its stage after the journal's; a command that is not committed is refused with an
 * exception. After it has thrown on a command it executes nothing more, whatever the error policy, and writes no
 * snapshot: the next start executes the command. Used by the thread of its stage only.
 * <pre>
 *  ring of commands -> journal: write, force -> core -> engine -> (direct flow) {@link #executions} -> ring of answers
 * </pre>
 * A request id at or below the client's last one is a repetition: the engine does not see it, and the answers to the
 * first one are given again, if they are among the client's last {@code window} answers: at most the last 128.
 */
public final class ExchangeCore implements HandlerService<ExchangeCommand>, DurableHandler<ExchangeCommand>
{
    /** Name of the service. */
    public static final String NAME = "exchange";

    /** Default number of answers kept for each client: 448 KiB. */
    public static final int DEFAULT_WINDOW = 4_096;

    /** Least number of answers kept. */
    public static final int MIN_WINDOW = 64;

    private static final long MAGIC = 0x3148_4358_5252_4D4DL;
    /** Of the rules that decide the answers of a replay. 13: DONE of a mass cancel of all symbols has symbol -1. */
    private static final int VERSION = 13;

    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final MatchingService matching;
    private final DurableMatching durable;
    private final MatchingEngine engine;
    private final OrderIds ids;
    private final AnswerLog log;
    private final OrderNames names;
    private final OrderAnswers orders;
    private final OrderChange change;
    private final Answer answer = new Answer();
    private final ExchangeCommand cancel = new ExchangeCommand();
    private final ExchangeCommand tick = new ExchangeCommand();
    private Consumer<MatchingEngine> recovered = ignored ->
    {
    };
    private Runnable batchEnd = () ->
    {
    };
    private Journal<ExchangeCommand> journal;
    private RecoveringHandler<ExchangeCommand> live;
    private long snapshotEvery;
    private long lastSnapshot;
    /** The last record that was begun. */
    private long record;

    /**
     * Creates a core.
     *
     * @param context of the engine. A user of the engine is a client of the exchange.
     * @param window  number of answers that are kept for each client, a power of two from {@value #MIN_WINDOW} on.
     * @param ids     map of order ids.
     * @param answers source of the flow that takes the answers, which must wait (BLOCK).
     * @throws IllegalArgumentException when the window is out of range, or a symbol is {@value
     *                                  ExchangeCommand#ALL_SYMBOLS}.
     */
    public ExchangeCore(
        final EngineContext context, final int window, final OrderIds ids, final InVmSource<Answer> answers)
    {
        if (ObjectPool.checkRingCapacity("window", window) < MIN_WINDOW)
        {
            throw new IllegalArgumentException("window " + window + " is below " + MIN_WINDOW);
        }
        matching = new MatchingService("matching", context, executions);
        // Only for its snapshots, and so that the service stops at a command that it cannot execute.
        durable = new DurableMatching(null, matching);
        engine = matching.engine();
        if (engine.book(ExchangeCommand.ALL_SYMBOLS) != null)
        {
            throw new IllegalArgumentException("symbol " + ExchangeCommand.ALL_SYMBOLS + " of the engine means all " +
                "symbols in an exchange: give it another number");
        }
        this.ids = ids;
        log = new AnswerLog(answers, window);
        names = new OrderNames(ids);
        orders = new OrderAnswers(engine, log, names);
        change = new OrderChange(engine, names);
    }

    /**
     * Opens the core's journal. Its schema follows from the configuration of engine, window and ids: a journal of
     * another configuration is refused.
     *
     * @param directory of the journal.
     * @param commands  a snapshot after so many commands, on the stage's thread; 0 for none.
     * @param settings  changes other settings of the journal.
     * @return the journal.
     */
    public Journal<ExchangeCommand> open(
        final Path directory,
        final long commands,
        final UnaryOperator<JournalContext<ExchangeCommand>> settings)
    {
        long hash = Fnv.add(Fnv.add(Fnv.add(Fnv.OFFSET, engine.configuration()), log.window()), VERSION);
        hash = Fnv.mix(Fnv.add(hash, ids.key()));
        snapshotEvery = commands;
        journal = Journal.open(settings.apply(new JournalContext<>(directory, new ExchangeCommandCodec(),
            ExchangeCommand::new).schema(Long.hashCode(hash))));
        live = journal.recovering(this, this::executeCommitted);
        return journal;
    }

    /** @return source of the direct flow of the executions; declare it after the commands' flow. */
    public InVmSource<ExecutionEvent> executions()
    {
        return executions;
    }

    /** @return handler of the executions' flow. */
    public EventHandler<ExecutionEvent> executionHandler()
    {
        return orders;
    }

    /** @return the engine, for tests and tools: on the core's thread, or after the server has closed. */
    public MatchingEngine engine()
    {
        return engine;
    }

    /**
     * Sets what is called once after recovery, on the core's thread, before the first command.
     *
     * @param action gets the engine as it was recovered.
     */
    public void onRecovered(final Consumer<MatchingEngine> action)
    {
        recovered = action;
    }

    /**
     * Sets what is called after the last command of each batch, on the core's thread. Its answers have been published.
     *
     * @param action default: nothing.
     */
    public void onBatchEnd(final Runnable action)
    {
        batchEnd = action;
    }

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public Class<ExchangeCommand> eventType()
    {
        return ExchangeCommand.class;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        matching.onStart(context);
        log.count(context.counters(), NAME);
    }

    @Override
    public void onStart()
    {
        live.onStart();
        lastSnapshot = journal.report().snapshot();
        recovered.accept(engine);
    }

    @Override
    public void onReplayStart()
    {
        log.replays(true);
        engine.muteMarketData(true);
    }

    @Override
    public void onReplayEnd()
    {
        log.replays(false);
        engine.muteMarketData(false);
    }

    @Override
    public void onEvent(final ExchangeCommand command, final long sequence, final boolean endOfBatch)
    {
        if (log.replays())
        {
            record = sequence;
            execute(command);
        }
        else
        {
            live.onEvent(command, sequence, endOfBatch);
        }
    }

    private void executeCommitted(final ExchangeCommand command, final long sequence, final boolean endOfBatch)
    {
        record = sequence;
        if (journal.committedSequence() < record)
        {
            throw new IllegalStateException("record " + record + " is not committed: declare the stage '" + NAME +
                "' after that of the journal");
        }
        execute(command);
        if (endOfBatch)
        {
            batchEnd.run();
            if (snapshotEvery > 0 && record - lastSnapshot >= snapshotEvery)
            {
                // One that cannot be written, as on a full disk, must not end the exchange.
                journal.scheduleSnapshot();
                lastSnapshot = record;
            }
        }
    }

    @Override
    public void onIdle()
    {
        live.onIdle();
    }

    @Override
    public void onDrained()
    {
        live.onDrained();
    }

    private void execute(final ExchangeCommand command)
    {
        switch (command.op())
        {
            case CommandOp.ORDER:
            case CommandOp.REFUSE:
            case CommandOp.CANCEL_ALL:
                request(command, log.get(command.client()));
                break;
            case CommandOp.LOGON:
                logOn(command, log.get(command.client()));
                break;
            case CommandOp.RESEND:
                resend(command, log.get(command.client()));
                break;
            case CommandOp.END:
                disconnect(command, log.get(command.client()));
                break;
            case CommandOp.START:
                for (final ClientAnswers each : log.all())
                {
                    disconnect(command, each);
                }
                break;
            default:
                throw new IllegalStateException("op " + command.op());
        }
    }

    private void request(final ExchangeCommand command, final ClientAnswers client)
    {
        final long requestId = command.requestId();
        if (requestId != 0 && requestId <= client.lastRequest())
        {
            repeat(command, client);
            return;
        }
        if (requestId != 0)
        {
            client.lastRequest(requestId);
        }
        if (command.op() == CommandOp.REFUSE)
        {
            orders.reject(command, client, requestId, record, command.reason());
        }
        else if (command.op() == CommandOp.CANCEL_ALL)
        {
            cancelAll(command, client, requestId, AnswerReason.MASS_CANCEL);
        }
        else if (command.commandType() == CommandType.PLACE && expireIfAtLimit(command, client))
        {
            orders.reject(command, client, requestId, record, AnswerReason.OPEN_ORDERS_LIMIT);
        }
        else
        {
            final long order = command.orderId();
            final byte reason = change.prepare(command);
            if (reason != AnswerReason.NONE)
            {
                orders.reject(command, client, requestId, record, reason);
                return;
            }
            orders.begin(command, order, client, requestId, record, AnswerReason.NONE);
            matching.onEvent(command, record, true);
        }
    }

    /** At the limit of open orders, expires those that are due now. True if the client is still at the limit. */
    private boolean expireIfAtLimit(final ExchangeCommand command, final ClientAnswers client)
    {
        if (client.openOrders() >= command.maxOpenOrders())
        {
            tick.tick(command.timestampNs());
            orders.begin(tick, 0, client, 0, record, OrderAnswers.WITHOUT_RESULT);
            matching.onEvent(tick, record, true);
        }
        return client.openOrders() >= command.maxOpenOrders();
    }

    private void repeat(final ExchangeCommand command, final ClientAnswers client)
    {
        if (!log.repeat(client, command.requestId()))
        {
            orders.reject(command, client, command.requestId(), record,
                client.oldest() > 1 ? AnswerReason.REQUEST_GONE : AnswerReason.REQUEST_NOT_INCREASING);
        }
    }

    private void cancelAll(
        final ExchangeCommand command, final ClientAnswers client, final long requestId, final byte reason)
    {
        final int symbol = command.op() == CommandOp.CANCEL_ALL ? command.symbol() : ExchangeCommand.ALL_SYMBOLS;
        if (symbol == ExchangeCommand.ALL_SYMBOLS)
        {
            cancel.massCancelUser(client.client(), Side.BOTH);
        }
        else
        {
            cancel.massCancel(symbol, client.client(), Side.BOTH);
        }
        cancel.timestampNs(command.timestampNs());
        orders.begin(cancel.order(client.client(), 0, 0), 0, client, requestId, record, reason);
        matching.onEvent(cancel, record, true);
    }

    private void disconnect(final ExchangeCommand command, final ClientAnswers client)
    {
        if (client.disconnect())
        {
            cancelAll(command, client, 0, AnswerReason.DISCONNECTED);
        }
    }

    private void logOn(final ExchangeCommand command, final ClientAnswers client)
    {
        final long first = command.argument() == 0 ? client.next() : command.argument();
        final byte reason = refusal(client, first);
        if (reason == AnswerReason.NONE)
        {
            log.connect(client, command.flags());
        }
        control(AnswerKind.LOGON, command, client, reason, first);
        if (reason == AnswerReason.NONE && first < client.next())
        {
            log.resend(client, first);
            control(AnswerKind.RESEND_END, command, client, AnswerReason.NONE, first);
        }
    }

    private void resend(final ExchangeCommand command, final ClientAnswers client)
    {
        final byte reason = refusal(client, command.argument());
        if (reason == AnswerReason.NONE)
        {
            log.resend(client, command.argument());
        }
        control(AnswerKind.RESEND_END, command, client, reason, command.argument());
    }

    private static byte refusal(final ClientAnswers client, final long first)
    {
        return first < client.oldest() ? AnswerReason.ANSWERS_GONE :
            first > client.next() ? AnswerReason.ANSWERS_AHEAD : AnswerReason.NONE;
    }

    private void control(
        final byte kind,
        final ExchangeCommand command,
        final ClientAnswers client,
        final byte reason,
        final long first)
    {
        answer.to(client.client(), 0, command.connection(), 0);
        answer.of(kind, (byte)0, reason, (byte)0);
        answer.about(0, client.lastRequest(), client.next(), 0);
        answer.amounts(client.oldest(), log.window(), first);
        answer.trade(0, 0);
        answer.at(record, command.timestampNs());
        log.publish(answer);
    }

    @Override
    public void writeTo(final SnapshotOutput out) throws IOException
    {
        out.putLong(MAGIC);
        log.writeTo(out);
        names.writeTo(out);
        durable.writeTo(out);
    }

    @Override
    public void readFrom(final SnapshotInput in) throws IOException
    {
        final long magic = in.getLong();
        if (magic != MAGIC)
        {
            throw new IOException("no snapshot of an exchange: magic " + Long.toHexString(magic));
        }
        log.readFrom(in);
        names.readFrom(in);
        durable.readFrom(in);
    }

    @Override
    public long stateHash()
    {
        return names.addToHash(log.addToHash(Fnv.add(Fnv.OFFSET, engine.timedHash())));
    }
}
