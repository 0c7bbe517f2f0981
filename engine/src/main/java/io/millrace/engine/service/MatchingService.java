package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.tables.Fnv;
import io.millrace.pool.Range;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.ServiceContext;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The matching engine as a handler of pooled commands. For each command it publishes the executions as {@link
 * ExecutionEvent}s, in order, and then one RESULT. Used by the thread of its stage only.
 * <p>
 * It publishes to the source of a second flow of the same server. Declare that flow <em>after</em> the commands' flow,
 * because flows are drained in this order. The reader of the executions can run in two ways:
 * <ul>
 * <li>on another agent, through a ring or a disruptor, with BLOCK: commands wait for the reader;</li>
 * <li>on the same agent or in INVOKER mode, through {@code direct()}: the command calls the handlers of the executions.
 * The smallest capacity is best, because its events stay in the L1 cache.</li>
 * </ul>
 * Do not use a queue between commands and reader on the same agent, because no event is read while the agent executes
 * commands. BLOCK then acts as FAIL, and a long batch fills the queue. An spsc pipeline or a disruptor needs at least
 * the capacity of the source.
 * <p>
 * No event is lost silently. The service checks the capacity for {@value #RESERVE} events before it executes a command.
 * Under BLOCK it waits; otherwise it does not execute the command and throws an {@link ExecutionCapacityException}, to
 * which the error policy applies. A command with more events may wait, or lose some events, before its end. It is still
 * executed: its RESULT counts all of its executions, and the exception follows. A flow that drops or displaces events
 * loses executions and results, and counts them; do not use it for executions.
 */
public final class MatchingService implements HandlerService<OrderCommand>
{
    /**
     * Default name of a service.
     */
    public static final String DEFAULT_NAME = "matching";

    /**
     * Number of free events required before a command is executed. The longest sweep in 202,000 commands of the
     * benchmark flow needs 19: 18 executions and the RESULT.
     */
    public static final int RESERVE = 32;

    /**
     * Least capacity of the executions' source, twice the reserve. The reader of a ring reports its position after
     * every eighth of the ring. With less capacity, a command would wait for this report.
     */
    public static final int MIN_EXECUTION_CAPACITY = 2 * RESERVE;

    /**
     * Default number of rows for each report command. With the RESULT they fill the reserve, so a report never waits
     * halfway.
     */
    public static final int DEFAULT_REPORT_ROWS = RESERVE - 1;

    /**
     * Greatest number of rows for each report command: about as much work as the longest sweep of an iceberg
     * ({@link io.millrace.engine.book.OrderType#MAX_SLICES}).
     */
    public static final int MAX_REPORT_ROWS = 1_024;

    /**
     * Of the rules that decide results. 1: only an order that the price band stops halts its symbol. With a new number
     * the core of the exchange needs a new version, too.
     */
    private static final int RULES = 1;

    private final String name;
    private final ExecutionPublisher publisher;
    private final MatchingEngine engine;
    private final Reports reports;
    private boolean mayReset;
    private boolean isDurable;
    /** The exception that a listener threw in the middle of a command, which is not allowed; null for none. */
    private Throwable failure;

    /**
     * A service with empty books, named {@value #DEFAULT_NAME}.
     *
     * @param symbols    what is traded, each symbol once, at least one.
     * @param executions source of the flow that takes the executions, of at least {@value #MIN_EXECUTION_CAPACITY}
     *                   events.
     * @throws IllegalArgumentException when there is no symbol, one is given twice, or the source is too small.
     */
    public MatchingService(final List<SymbolSpec> symbols, final InVmSource<ExecutionEvent> executions)
    {
        this(DEFAULT_NAME, symbols, executions);
    }

    /**
     * A service with empty books.
     *
     * @param name       unique in the server; the first part of its counters' names.
     * @param symbols    what is traded, each symbol once, at least one.
     * @param executions source of the flow that takes the executions, of at least {@value #MIN_EXECUTION_CAPACITY}
     *                   events.
     * @throws IllegalArgumentException when there is no symbol, one is given twice, or the source is too small.
     */
    public MatchingService(
        final String name, final List<SymbolSpec> symbols, final InVmSource<ExecutionEvent> executions)
    {
        this(name, new ExecutionPublisher(executions), publisher -> new MatchingEngine(symbols, publisher));
    }

    /**
     * A service whose engine may keep users and add symbols later.
     *
     * @param name       unique in the server; the first part of its counters' names.
     * @param context    configuration of the engine.
     * @param executions source of the flow that takes the executions, of at least {@value #MIN_EXECUTION_CAPACITY}
     *                   events.
     * @throws IllegalArgumentException when the context is wrong or the source is too small; the message names the
     *                                  problem.
     */
    public MatchingService(
        final String name, final EngineContext context, final InVmSource<ExecutionEvent> executions)
    {
        this(name, new ExecutionPublisher(executions), publisher -> new MatchingEngine(context, publisher));
    }

    private MatchingService(
        final String name,
        final ExecutionPublisher publisher,
        final Function<ExecutionPublisher, MatchingEngine> engine)
    {
        this(name, engine.apply(publisher), publisher);
    }

    MatchingService(final String name, final MatchingEngine engine, final ExecutionPublisher publisher)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.publisher = publisher;
        this.engine = engine;
        reports = new Reports(publisher, engine);
    }

    /**
     * Sets the greatest number of rows for each report command; its RESULT says where the next command continues. Call
     * it before the server is launched.
     *
     * @param rows 1 to {@value #MAX_REPORT_ROWS}; with more than {@value #DEFAULT_REPORT_ROWS} a report may have to
     *             wait for its reader, or lose rows, like a long sweep.
     * @return this.
     * @throws IllegalArgumentException when it is out of range.
     */
    public MatchingService reportRows(final int rows)
    {
        Range.check("reportRows", rows, 1, MAX_REPORT_ROWS);
        reports.maxRows(rows);
        return this;
    }

    /**
     * Allows RESET, which is refused as UNKNOWN_COMMAND otherwise: for tests. Call it before the server is launched.
     *
     * @return this.
     */
    public MatchingService allowReset()
    {
        mayReset = true;
        return this;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Class<OrderCommand> eventType()
    {
        return OrderCommand.class;
    }

    /**
     * Adds the service's counters.
     */
    @Override
    public void onStart(final ServiceContext context)
    {
        publisher.count(context.counters(), name);
    }

    /**
     * Executes a command and publishes its executions and its RESULT.
     *
     * @throws ExecutionCapacityException when events of the command found no capacity; {@link
     *                                    ExecutionCapacityException#isExecuted()} says whether the command was
     *                                    executed.
     * @throws IllegalStateException      when a listener threw in the middle of an earlier command. The books may then
     *                                    be wrong, so no further command is executed, under any error policy.
     */
    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        begin(command, sequence);
        publisher.end(command.orderId(), command.uid(), execute(command));
    }

    private void begin(final OrderCommand command, final long sequence)
    {
        if (failure != null)
        {
            throw new IllegalStateException("command " + sequence + " was not executed: service '" + name +
                "' failed in the middle of an earlier one, so its state may be wrong", failure);
        }
        try
        {
            publisher.begin(sequence, command.timestampNs(), command.symbol(), command.correlation());
        }
        catch (final ExecutionCapacityException ex)
        {
            // It is in the journal, so no later one may be executed before it.
            failure = isDurable ? ex : null;
            throw ex;
        }
    }

    private CommandResult execute(final OrderCommand command)
    {
        try
        {
            return apply(command);
        }
        catch (final Throwable ex)
        {
            failure = failure != null || isHalfDone(command) ? ex : null;
            throw ex;
        }
    }

    /** Whether a command that threw may be half done, or done in a replay. */
    private boolean isHalfDone(final OrderCommand command)
    {
        // An ADD_SYMBOL without memory changes no book. But a replay may have more memory.
        return isDurable || command.commandType() != CommandType.ADD_SYMBOL;
    }

    /** Its commands are in a journal: a command that cannot be executed ends the service. */
    MatchingService durable()
    {
        isDurable = true;
        return this;
    }

    /**
     * A number of everything that decides the results of commands: the engine's configuration, the rules of this
     * version, and {@link #allowReset}. A journal has it as its schema. Two services with different numbers may answer
     * the same commands differently, so a log or a snapshot of one must not be given to the other.
     *
     * @return a hash.
     */
    public int schema()
    {
        return Long.hashCode(Fnv.mix(Fnv.add(engine.configuration(), RULES))) * 2 + (mayReset ? 1 : 0);
    }

    /** Executes a command again, in a replay. The service is muted. */
    CommandResult replay(final OrderCommand command)
    {
        return apply(command);
    }

    /** Stops or resumes executions and market data. */
    void mute(final boolean isMuted)
    {
        publisher.mute(isMuted);
        engine.muteMarketData(isMuted);
    }

    /** As {@link #onEvent}, without a RESULT; another shard publishes it. */
    void onEventUnanswered(final OrderCommand command, final long sequence)
    {
        begin(command, sequence);
        execute(command);
        publisher.endUnanswered();
    }

    private CommandResult apply(final OrderCommand command)
    {
        expire(command);
        switch (command.commandType())
        {
            case CommandType.PLACE:
            case CommandType.CANCEL:
            case CommandType.REDUCE:
            case CommandType.MOVE:
            case CommandType.REPLACE:
            case CommandType.REPLACE_OPEN:
                return engine.execute(command.symbol(), command, publisher);
            default:
                return control(command);
        }
    }

    /** Sets the time of a command. Orders of any book may expire. */
    private void expire(final OrderCommand command)
    {
        try
        {
            engine.time(command.timestampNs());
        }
        catch (final Throwable ex)
        {
            failure = ex;
            throw ex;
        }
    }

    private CommandResult control(final OrderCommand command)
    {
        switch (command.commandType())
        {
            case CommandType.MASS_CANCEL:
                return engine.massCancel(command.symbol(), command.uid(), command.side());
            case CommandType.MASS_CANCEL_USER:
                return engine.massCancelUser(command.uid(), command.side());
            case CommandType.MASS_CANCEL_SYMBOL:
                return engine.massCancelSymbol(command.symbol(), command.side());
            case CommandType.ORDER_STATUS:
                return reports.order(command);
            case CommandType.OPEN_ORDERS:
                return reports.orders(command);
            case CommandType.ORDER_BOOK_REQUEST:
                return reports.orderBook(command);
            case CommandType.ADD_USER:
                return engine.addUser(command.uid());
            case CommandType.BALANCE_ADJUSTMENT:
                return engine.adjustBalance(command.uid(), command.symbol(), command.size(), command.orderId());
            case CommandType.SUSPEND_USER:
                return engine.suspendUser(command.uid());
            case CommandType.RESUME_USER:
                return engine.resumeUser(command.uid());
            case CommandType.ADD_SYMBOL:
                return engine.addSymbol(command.spec(), command.terms());
            case CommandType.HALT_SYMBOL:
                return engine.haltSymbol(command.symbol());
            case CommandType.RESUME_SYMBOL:
                return engine.resumeSymbol(command.symbol());
            case CommandType.REMOVE_SYMBOL:
                return engine.removeSymbol(command.symbol());
            case CommandType.USER_REPORT:
                return reports.user(command);
            case CommandType.TOTALS_REPORT:
                return reports.totals(command);
            case CommandType.STATE_HASH:
                return reports.stateHash();
            case CommandType.TICK:
                return engine.tick(command.timestampNs());
            case CommandType.NOP:
                return CommandResult.SUCCESS;
            case CommandType.RESET:
                return mayReset ? engine.reset() : CommandResult.UNKNOWN_COMMAND;
            default:
                return CommandResult.UNKNOWN_COMMAND;
        }
    }

    /**
     * The engine, for snapshots, tests and tools. Use it on the thread that handles the commands, for example by
     * {@link io.millrace.server.Control#run}, or after the server has closed.
     * Do not give it commands: their executions would have a wrong command sequence.
     *
     * @return the engine.
     */
    public MatchingEngine engine()
    {
        return engine;
    }
}
