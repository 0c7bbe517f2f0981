package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.ServiceContext;

import java.util.List;
import java.util.Objects;

/**
 * The matching engine as a handler of pooled commands. Each command gives its executions as {@link ExecutionEvent}s, in
 * the order in which they happen, and then one RESULT.
 * <p>
 * One thread, that of its stage. It publishes to the source of a second flow of the same server, which is declared
 * behind the commands' flow: flows are drained in that order.
 */
public final class MatchingService implements HandlerService<OrderCommand>
{
    /**
     * Name of a service that is given none.
     */
    public static final String DEFAULT_NAME = "matching";

    private final String name;
    private final ExecutionPublisher publisher;
    private final MatchingEngine engine;

    /**
     * A service with empty books, named {@value #DEFAULT_NAME}.
     *
     * @param symbols    what is traded, each symbol once, at least one.
     * @param executions source of the flow that takes the executions.
     * @throws IllegalArgumentException when there is no symbol or one is given twice.
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
     * @param executions source of the flow that takes the executions.
     * @throws IllegalArgumentException when there is no symbol or one is given twice.
     */
    public MatchingService(
        final String name, final List<SymbolSpec> symbols, final InVmSource<ExecutionEvent> executions)
    {
        this.name = Objects.requireNonNull(name, "name");
        publisher = new ExecutionPublisher(executions);
        engine = new MatchingEngine(symbols, publisher);
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
     * @throws ExecutionRoomException when events of the command found no room; it says whether the books have changed.
     */
    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        publisher.begin(sequence, command.symbol());
        publisher.end(command.orderId(), command.uid(), apply(command));
    }

    private CommandResult apply(final OrderCommand command)
    {
        switch (command.commandType())
        {
            case CommandType.PLACE:
                return engine.place(command.symbol(), command.orderType(), command.side(), command.orderId(),
                    command.uid(), command.price(), command.size(), command.reservePrice());
            case CommandType.CANCEL:
                return engine.cancel(command.symbol(), command.orderId(), command.uid());
            case CommandType.REDUCE:
                return engine.reduce(command.symbol(), command.orderId(), command.uid(), command.size());
            case CommandType.MOVE:
                return engine.move(command.symbol(), command.orderId(), command.uid(), command.price());
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
