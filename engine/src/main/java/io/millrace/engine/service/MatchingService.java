package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.ServiceContext;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The matching engine as a handler of pooled commands. Each command gives its executions as {@link ExecutionEvent}s, in
 * the order in which they happen, and then one RESULT. One thread, that of its stage.
 * <p>
 * It publishes to the source of a second flow of the same server, declared <em>behind</em> the commands' flow, because
 * flows are drained in that order:
 * <ul>
 * <li>its stage on an agent of its own, through a ring or a disruptor, with BLOCK: commands wait for the reader;</li>
 * <li>or {@code direct()}, when all runs on one agent or in INVOKER mode: the handlers of the executions are called
 * inside of the command. There the smallest capacity is the best, for its events stay in the nearest cache.</li>
 * </ul>
 * On one agent through a queue, nobody makes room before the turn of the commands is over: BLOCK is FAIL there, and a
 * busy turn finds the queue full. Through an spsc or a disruptor, give the pipeline the capacity of the source or more.
 * <p>
 * No event is lost silently. The service checks the capacity for {@value #RESERVE} events before it executes a command.
 * Under BLOCK it waits; otherwise it does not execute the command and throws an {@link ExecutionCapacityException}, to
 * which the error policy applies. A command with more events than that may have to wait, or lose some, in the middle.
 * Such a command is still executed: its RESULT counts all of its executions, and the exception follows. A flow that
 * drops or displaces loses executions and results, and counts them; do not let it follow a book.
 */
public final class MatchingService implements HandlerService<OrderCommand>
{
    /**
     * Name of a service that is given none.
     */
    public static final String DEFAULT_NAME = "matching";

    /**
     * How many events are free before a command is taken: nearly twice the 19 (18 executions and the RESULT) of the
     * longest sweep in 202,000 commands of the benchmark flow.
     */
    public static final int RESERVE = 32;

    /**
     * Least capacity of the executions' source, twice the reserve: a ring's reader keeps the last eighth of what it
     * has passed to itself for a while, and with less a command would wait for that.
     */
    public static final int MIN_EXECUTION_CAPACITY = 2 * RESERVE;

    /**
     * Default number of rows that one report command gives: with the RESULT they just fill the reserve, so that a
     * report never waits in its middle.
     */
    public static final int DEFAULT_REPORT_ROWS = RESERVE - 1;

    /**
     * Greatest number of rows that one report command gives: about as much work as the longest sweep of an iceberg
     * ({@link io.millrace.engine.book.OrderType#MAX_SLICES}).
     */
    public static final int MAX_REPORT_ROWS = 1_024;

    private final String name;
    private final ExecutionPublisher publisher;
    private final MatchingEngine engine;
    private final Reports reports;
    private boolean mayReset;
    /** What a listener threw in the middle of a command, which it must not. */
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
     * A service whose engine may keep users and take in symbols later.
     *
     * @param name       unique in the server; the first part of its counters' names.
     * @param context    what the engine is made of.
     * @param executions source of the flow that takes the executions, of at least {@value #MIN_EXECUTION_CAPACITY}
     *                   events.
     * @throws IllegalArgumentException when the context is wrong or the source is too small; the message says what.
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
     * How many rows a report command gives at most; its RESULT says where the next command goes on. Before the server
     * is launched.
     *
     * @param rows 1 to {@value #MAX_REPORT_ROWS}; with more than {@value #DEFAULT_REPORT_ROWS} a report may have to
     *             wait for its reader, or lose rows, as a long sweep does.
     * @return this.
     * @throws IllegalArgumentException when it is out of range.
     */
    public MatchingService reportRows(final int rows)
    {
        if (rows < 1 || rows > MAX_REPORT_ROWS)
        {
            throw new IllegalArgumentException("reportRows " + rows + " is not in 1.." + MAX_REPORT_ROWS);
        }
        reports.maxRows(rows);
        return this;
    }

    /**
     * Carry RESET out, which is refused as UNKNOWN_COMMAND otherwise: for tests. Before the server is launched.
     *
     * @return this.
     */
    public MatchingService allowReset()
    {
        mayReset = true;
        return this;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String name()
    {
        return name;
    }

    /**
     * {@inheritDoc}
     */
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
     * Carry a command out and publish what came of it.
     *
     * @throws ExecutionCapacityException when events of the command found no room; it says whether it was carried out.
     * @throws IllegalStateException  when a listener threw in the middle of an earlier command: a book may be half
     *                                done, so nothing is carried out any more, whatever the error policy is.
     */
    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        begin(command, sequence);
        publisher.end(command.orderId(), command.uid(), carryOut(command));
    }

    private void begin(final OrderCommand command, final long sequence)
    {
        if (failure != null)
        {
            throw new IllegalStateException("command " + sequence + " was not executed: service '" + name +
                "' failed in the middle of an earlier one, its state is not to be trusted", failure);
        }
        publisher.begin(sequence, command.timestampNs(), command.symbol());
    }

    private CommandResult carryOut(final OrderCommand command)
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

    /** Whether a command that threw may be half done. */
    private static boolean isHalfDone(final OrderCommand command)
    {
        // An ADD_SYMBOL for which there is no memory touches no book, and leaves nothing.
        return command.commandType() != CommandType.ADD_SYMBOL;
    }

    /** As {@link #onEvent}, but without a RESULT: another shard gives it. */
    void onEventUnanswered(final OrderCommand command, final long sequence)
    {
        begin(command, sequence);
        carryOut(command);
        publisher.endUnanswered();
    }

    Reports reports()
    {
        return reports;
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
                return engine.execute(command.symbol(), command);
            default:
                return control(command);
        }
    }

    /** What the time of a command does, whatever it asks for; it may be in another book than its own. */
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
     * The books, for tests and tools. By the thread that handles the commands, or when the server has closed; a command
     * that is given here behind the server's back tells its executions to nobody's sequence.
     *
     * @return the engine.
     */
    public MatchingEngine engine()
    {
        return engine;
    }
}
