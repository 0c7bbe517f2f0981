package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.FeedHash;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolStatus;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.Pipelines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * What an order-entry gateway reads in the answers: the request id of the command in every event, whether the order is
 * open after it, why an order became smaller, and the number of a trade, which is that of the public tape.
 */
class GatewayAnswersTest
{
    private static final int SYMBOL = 7;
    private static final int OTHER = 8;

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 64);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
    private final List<String> events = new ArrayList<>();
    private final List<String> tape = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final ExecutionEvent result = new ExecutionEvent();
    private long sequence;
    private Server server;

    private final MarketDataListener feed = new FeedListener();

    private final class FeedListener extends FeedHash
    {
        @Override
        protected void add(
            final int kind,
            final int symbol,
            final long number,
            final byte side,
            final long orderId,
            final long price,
            final long size,
            final int orders)
        {
            switch (kind)
            {
                case ORDER_ADDED -> tape.add("ADDED " + orderId);
                case ORDER_REDUCED -> tape.add("REDUCED " + orderId);
                case ORDER_REMOVED -> tape.add("REMOVED " + orderId);
                // Of a trade, the number.
                case TRADE -> tape.add(number + ": TRADE " + orders + " " + Side.name(side) + " " + size + "@" + price +
                    " of " + orderId);
                case STATUS -> tape.add(number + ": " + SymbolStatus.name(side));
                default ->
                {
                    // A level.
                }
            }
        }
    }

    @BeforeEach
    void launch()
    {
        final MatchingService matching = new MatchingService("matching", new EngineContext()
            .symbol(SymbolSpec.future(SYMBOL).withOrderCapacity(64).withWindowTicks(64))
            .symbol(SymbolSpec.future(OTHER).withOrderCapacity(64).withWindowTicks(64)
                .withPriceBand(new PriceBand(PriceBand.Policy.HALT, 5, 100))).marketData(feed), executions);
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .flow("commands", f -> f.from(commands).to("match", matching))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, number, endOfBatch) -> hear(event))));
    }

    @AfterEach
    void close()
    {
        server.close();
        assertEquals(List.of(), errors);
    }

    private void hear(final ExecutionEvent event)
    {
        assertEquals(sequence, event.commandSequence(), "the sequence of the commands' flow, from 0");
        assertEquals(1_000 + sequence, event.correlation());
        events.add(switch (event.kind())
        {
            case ExecutionKind.RESULT ->
                event.result() + (event.openSize() == 0 ? "" : " open " + event.openSize() + " of " +
                    (event.openSize() + event.filled()));
            case ExecutionKind.TRADE -> "TRADE " + event.tradeId() + " " + event.size();
            case ExecutionKind.ORDER -> "ORDER " + event.orderId() + " " + event.filled() + "/" + event.size();
            default -> ExecutionKind.name(event.kind()) + " " + event.orderId() + " " + event.size() + " " +
                ExecutionReason.name(event.reason());
        });
        if (event.kind() == ExecutionKind.RESULT)
        {
            result.result(0, 0, event.result(), 0, 0);
            result.more(event.side(), event.next(), event.levelsReported());
        }
    }

    private List<String> give(final Consumer<OrderCommand> filler)
    {
        events.clear();
        tape.clear();
        final OrderCommand command = commands.claim();
        filler.accept(command);
        commands.publish(command.correlation(1_000 + sequence));
        server.invoke();
        sequence++;
        return List.copyOf(events);
    }

    @Test
    void shouldSayWhatIsOpenAfterEachCommand()
    {
        assertEquals(List.of("SUCCESS open 10 of 10"), give(c -> c.limit(SYMBOL, 1, 1, ASK, 100, 10)));
        assertEquals(List.of("TRADE 1 4", "SUCCESS"), give(c -> c.limit(SYMBOL, 2, 2, BID, 100, 4)));
        assertEquals(List.of("TRADE 2 6", "SUCCESS open 3 of 9"), give(c -> c.limit(SYMBOL, 3, 2, BID, 100, 9)));
        assertEquals(List.of("REDUCE 3 1 REDUCE", "SUCCESS open 2 of 8"), give(c -> c.reduce(SYMBOL, 3, 2, 1)));
        assertEquals(List.of("SUCCESS open 5 of 11"), give(c -> c.replaceOpen(SYMBOL, 3, 2, 100, 5)));
        assertEquals(List.of("REDUCE 3 1 REPLACE", "SUCCESS open 4 of 10"),
            give(c -> c.replace(SYMBOL, 3, 2, 100, 10)));
        assertEquals(List.of("ORDER 3 6/10", "SUCCESS"), give(c -> c.orderStatus(SYMBOL, 3, 2)));
        assertEquals(List.of("SUCCESS open 4 of 10"), give(c -> c.move(SYMBOL, 3, 2, 99)));
        assertEquals(List.of("UNKNOWN_ORDER"), give(c -> c.cancel(SYMBOL, 3, 1)));
        assertEquals(List.of("REDUCE 3 4 CANCEL", "SUCCESS"), give(c -> c.cancel(SYMBOL, 3, 2)));
        assertEquals(List.of("REJECT 4 5 NONE", "SUCCESS"), give(c -> c.immediate(SYMBOL, 4, 2, BID, 100, 5)));
        assertEquals(List.of("SUCCESS open 5 of 5"), give(c -> c.stop(SYMBOL, 5, 2, BID, 120, 5)));
    }

    @Test
    void shouldSayWhyAnOrderBecameSmaller()
    {
        give(c -> c.goodTillDate(SYMBOL, 1, 1, BID, 100, 10, 50).timestampNs(10));
        assertEquals(List.of("REDUCE 1 10 EXPIRY", "SUCCESS open 3 of 3"),
            give(c -> c.limit(SYMBOL, 2, 1, BID, 100, 3).timestampNs(50)));
        assertEquals(List.of("REDUCE 2 3 SELF_TRADE", "SUCCESS open 4 of 4"),
            give(c -> c.limit(SYMBOL, 3, 1, ASK, 100, 4).selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST)));
        give(c -> c.stop(SYMBOL, 4, 1, BID, 120, 5));
        give(c -> c.limit(SYMBOL, 5, 2, ASK, 101, 4));
        assertEquals(List.of("ORDER 3 0/4", "ORDER 4 0/5", "SUCCESS"), give(c -> c.openOrders(SYMBOL, 1)));
        assertEquals(List.of("REDUCE 4 5 MASS_CANCEL", "SUCCESS"), give(c -> c.massCancel(SYMBOL, 1, BID)));
        give(c -> c.limit(OTHER, 9, 1, BID, 90, 1));
        assertEquals(List.of("REDUCE 3 4 MASS_CANCEL", "REDUCE 9 1 MASS_CANCEL", "SUCCESS"),
            give(c -> c.massCancelUser(1, Side.BOTH)));
        assertEquals(List.of("REDUCE 5 4 MASS_CANCEL", "SUCCESS"), give(c -> c.massCancelSymbol(SYMBOL, ASK)));
        assertEquals(List.of("SUCCESS"), give(c -> c.massCancelUser(1, Side.BOTH)));
    }

    @Test
    void shouldListOpenOrdersInPagesByTheirIds()
    {
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++)
        {
            final long id = i * 17 % 40 - 20;
            give(c -> c.limit(SYMBOL, id, 1, BID, 100 - (id & 15), 2));
            give(c -> c.limit(SYMBOL, 1_000 + id / 2, 2, BID, 80, 1));
            expected.add("ORDER " + id + " 0/2");
        }
        expected.sort(Comparator.comparingInt(GatewayAnswersTest::number));
        final List<String> first = give(c -> c.openOrders(SYMBOL, 1));
        assertEquals(MatchingService.DEFAULT_REPORT_ROWS + 1, first.size());
        final List<String> listed = new ArrayList<>(first.subList(0, first.size() - 1));
        final List<String> second = give(c -> c.openOrders(SYMBOL, 1).continueFrom(result));
        listed.addAll(second.subList(0, second.size() - 1));
        assertEquals(expected, listed);
    }

    private static int number(final String row)
    {
        return Integer.parseInt(row.split(" ")[1]);
    }

    @Test
    void shouldReportTradesAndStatusOnTheTape()
    {
        give(c -> c.limit(OTHER, 1, 1, ASK, 100, 10));
        assertEquals(List.of("ADDED 1"), tape);
        give(c -> c.limit(OTHER, 2, 2, BID, 100, 4));
        assertEquals(List.of("1: TRADE 1 BID 4@100 of 1", "REDUCED 1"), tape);
        give(c -> c.limit(OTHER, 3, 1, ASK, 120, 10));
        assertEquals(List.of("TRADE 2 6", "REDUCE 4 3 PRICE_BAND", "SUCCESS"),
            give(c -> c.limit(OTHER, 4, 2, BID, 120, 9)));
        assertEquals(List.of("2: TRADE 2 BID 6@100 of 1", "REMOVED 1", "3: HALTED"), tape);
        assertEquals(List.of("SYMBOL_HALTED"), give(c -> c.limit(OTHER, 5, 2, BID, 90, 1)));
        give(c -> c.resumeSymbol(OTHER));
        assertEquals(List.of("4: TRADING"), tape);
        give(c -> c.haltSymbol(SYMBOL));
        assertEquals(List.of("1: HALTED"), tape);
    }
}
