package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MarketDataEvent;
import io.millrace.engine.service.MarketDataPublisher;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.io.PrintStream;
import java.util.function.UnaryOperator;

/**
 * Users with money trade a spot symbol. Shows deposits, an order without sufficient funds, the reserve of an order, a
 * trade with fees, proceeds that can be spent at once, an iceberg, changes of price levels, and the users' final
 * accounts.
 *
 * <p>Everything runs on the main thread, so that the lines are printed in order.
 */
public final class TradeWithUsers
{
    private static final int GOLD_DOLLAR = 1;
    private static final int GOLD = 79;
    private static final int DOLLAR = 840;
    private static final long ALICE = 1;
    private static final long BOB = 2;
    private final PrintStream out;
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 1_024);
    // They go direct(), where the smallest capacity is the best.
    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final InVmSource<MarketDataEvent> changes = new InVmSource<>(MarketDataEvent::new, 64);

    private TradeWithUsers(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Trade a little.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        run(System.out);
    }

    static void run(final PrintStream out)
    {
        new TradeWithUsers(out).run();
    }

    private void run()
    {
        // A lot is 1,000 units of gold, a price step 10 units of money; a lot costs the taker 3 units, the maker 2.
        final MarketDataPublisher feed = new MarketDataPublisher("levels", changes, false, true);
        final MatchingService matching = new MatchingService("matching", new EngineContext()
            .risk(new RiskLimits().withUsers(100))
            .symbol(SymbolSpec.spot(GOLD_DOLLAR), SymbolTerms.spot(GOLD, DOLLAR, 1_000, 10).withFees(3, 2))
            .marketData(feed), executions);
        try (Server server = Server.launch(new Server.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .service(feed)
            .flow("commands", f -> f.from(commands).to("match", matching))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct()).to("print", this::onExecution))
            .flow("changes", f -> f.from(changes).through(Pipelines.direct()).to("show", this::onChange))))
        {
            give(server, "alice opens an account", c -> c.addUser(ALICE));
            give(server, "bob opens an account", c -> c.addUser(BOB));
            give(server, "alice brings 30,000 of gold", c -> c.adjustBalance(ALICE, GOLD, 30_000, 1));
            give(server, "bob brings 25,000 of money", c -> c.adjustBalance(BOB, DOLLAR, 25_000, 1));
            give(server, "alice sells 20 lots at 100, 8 of them shown",
                c -> c.iceberg(GOLD_DOLLAR, 10, ALICE, Side.ASK, 100, 20, 8));
            give(server, "bob wants 30 lots at 101, which need 30 * (101 * 10 + 3) = 30,390",
                c -> c.limit(GOLD_DOLLAR, 20, BOB, Side.BID, 101, 30));
            give(server, "bob wants 12 lots at 101, which need 12,156",
                c -> c.limit(GOLD_DOLLAR, 21, BOB, Side.BID, 101, 12));
            give(server, "alice spends what she was paid", c -> c.limit(GOLD_DOLLAR, 11, ALICE, Side.BID, 99, 12));
            give(server, "what alice has", c -> c.userReport(ALICE));
            give(server, "what bob has", c -> c.userReport(BOB));
        }
    }

    private void give(final Server server, final String what, final UnaryOperator<OrderCommand> filler)
    {
        out.println(what);
        commands.publish(filler.apply(commands.claim()));
        server.invoke();
    }

    private void onExecution(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        out.println("    " + switch (event.kind())
        {
            case ExecutionKind.TRADE -> "TRADE " + event.size() + " at " + event.price() + " with order " +
                event.makerOrderId();
            case ExecutionKind.ACCOUNT -> (event.currency() == GOLD ? "gold " : "money ") + event.balance() +
                ", reserved " + event.reserved();
            case ExecutionKind.ORDER -> "order " + event.orderId() + ": " + Side.name(event.side()) + " " +
                (event.size() - event.filled()) + " at " + event.price();
            default -> event.result() == CommandResult.SUCCESS ? "done" :
                "refused, " + event.result() + " (" + event.resultCode() + ")";
        });
    }

    private void onChange(final MarketDataEvent event, final long sequence, final boolean endOfBatch)
    {
        out.println("    level " + event.sequence() + ": " + Side.name(event.side()) + " " + event.price() + " " +
            event.size() + " of " + event.orderCount() + (event.size() == 0 ? ", gone" : ""));
    }
}
