package io.millrace.examples;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.io.PrintStream;
import java.util.List;

/**
 * A first order book: commands go through a ring to the matching engine, and its executions go to a handler that prints
 * them. Nine commands show resting orders, a trade, a partial fill, the rest of an IOC, a reduction, a move that
 * trades, and two refused commands.
 *
 * <p>Everything runs on the main thread, which is why it may look into the book between two commands. Without the
 * threading mode the engine has its own thread, and only that thread may read the book.
 */
public final class MatchOrders
{
    private static final int SYMBOL = 1;

    private final PrintStream out;
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 1_024);
    // They go direct(), where the smallest capacity is the best.
    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final MatchingService matching = new MatchingService(List.of(SymbolSpec.future(SYMBOL)), executions);

    private MatchOrders(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Give the nine commands.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        run(System.out);
    }

    static void run(final PrintStream out)
    {
        new MatchOrders(out).run();
    }

    private void run()
    {
        try (Server server = Server.launch(new Server.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .flow("commands", f -> f.from(commands).to("match", matching))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct()).to("print", this::onExecution))))
        {
            final long seller = 7;
            final long buyer = 8;
            commands.publish(commands.claim().limit(SYMBOL, 1, seller, Side.ASK, 102, 10));
            commands.publish(commands.claim().limit(SYMBOL, 2, seller, Side.ASK, 101, 5));
            commands.publish(commands.claim().limit(SYMBOL, 3, buyer, Side.BID, 99, 8));
            handleAll(server);
            printBook();
            commands.publish(commands.claim().limit(SYMBOL, 4, buyer, Side.BID, 101, 7));
            commands.publish(commands.claim().immediate(SYMBOL, 5, seller, Side.ASK, 100, 6));
            commands.publish(commands.claim().limit(SYMBOL, 1, seller, Side.ASK, 103, 1));
            commands.publish(commands.claim().cancel(SYMBOL, 2, seller));
            commands.publish(commands.claim().reduce(SYMBOL, 3, buyer, 3));
            commands.publish(commands.claim().move(SYMBOL, 1, seller, 99));
            handleAll(server);
            printBook();
        }
    }

    private static void handleAll(final Server server)
    {
        while (server.invoke() > 0)
        {
            // Each call is a turn of every agent.
        }
    }

    /** Prints the events in order; the result of a command is its last event. */
    private void onExecution(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        final String order = "order " + event.orderId() + ": ";
        if (event.kind() == ExecutionKind.RESULT)
        {
            out.println(order + (event.result() == CommandResult.SUCCESS ? "SUCCESS" :
                "refused, " + event.result() + " (" + event.resultCode() + ")"));
            return;
        }
        out.println(order + ExecutionKind.name(event.kind()) + " " + event.size() + " at " + event.price() +
            (event.kind() != ExecutionKind.TRADE ? "" : " with order " + event.makerOrderId() +
            (event.isMakerCompleted() ? ", which is filled" : ", which has a rest")));
    }

    private void printBook()
    {
        final OrderBook book = matching.engine().book(SYMBOL);
        out.println("the book, orders: " + book.orderCount());
        book.forEachLevel(Side.ASK, -1, this::printLevel);
        book.forEachLevel(Side.BID, -1, this::printLevel);
    }

    private void printLevel(final byte side, final long price, final long volume, final int orders)
    {
        out.println("    " + Side.name(side) + " " + volume + " at " + price);
    }
}
