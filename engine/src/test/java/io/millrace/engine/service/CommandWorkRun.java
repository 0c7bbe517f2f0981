package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.List;
import java.util.function.UnaryOperator;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;

/**
 * The JVM that {@link CommandWorkTest} watches: gives each command once to a state of some size, between two calls that
 * the test sees.
 */
public final class CommandWorkRun
{
    /** Most orders that the commands below change: they exist at any size. */
    private static final int CHANGED = 10;
    private static final int SYMBOL = 0;
    /** The symbol in which all users have positions. */
    private static final int TRADED = 1;
    /** Without orders. */
    private static final int REMOVED = 2;
    private static final int HUGE = 1 << 20;

    private final OneThread server;
    private final int size;
    private long id = 1_000_000;

    private CommandWorkRun(final int size)
    {
        this.size = size;
        final EngineContext context = new EngineContext().symbolCapacity(128)
            .risk(new RiskLimits().withCapacities(HUGE >> 6, HUGE >> 6, HUGE >> 6));
        for (int symbol = 0; symbol < symbols(size); symbol++)
        {
            context.symbol(SymbolSpec.future(symbol).withOrderCapacity(symbol <= TRADED ? 8_192 : 1_024)
                .withWindowTicks(64).withPrices(0, 100_000), SymbolTerms.future(1_000, 2_000, 0, 0, 1_000_000));
        }
        server = new OneThread(context).withoutText();
    }

    static final String PLACE_METHOD = "crossing GTC by check and accept";
    static final String EXECUTE_METHOD = "crossing GTC by execute";

    /** More than a report has rows, at any size. */
    static int symbols(final int size)
    {
        return 40 + size / 50;
    }

    /**
     * Runs.
     *
     * @param arguments users and orders of the state.
     */
    public static void main(final String[] arguments)
    {
        new CommandWorkRun(Integer.parseInt(arguments[0])).run();
    }

    /**
     * The work of a command starts; the test stops here. @param name of the command.
     * @param name of the command.
     */
    public static void begin(final String name)
    {
    }

    /** It has ended. */
    public static void end()
    {
    }

    private void give(final String name, final CommandResult result, final UnaryOperator<OrderCommand> filler)
    {
        begin(name);
        server.give(filler);
        end();
        if (server.lastResult().result() != result)
        {
            throw new AssertionError(name + ": " + server.lastResult().result());
        }
    }

    private void accept(final String name, final UnaryOperator<OrderCommand> filler)
    {
        give(name, CommandResult.SUCCESS, filler);
    }

    /** The given users, each with a position, and the given orders on each side, each at its own price. */
    private void fill()
    {
        for (int i = 0; i < size; i++)
        {
            final long uid = 10 + i;
            final long price = i;
            server.accept(c -> c.addUser(uid));
            server.accept(c -> c.adjustBalance(uid, 2_000, 1, 1));
            server.accept(c -> c.limit(TRADED, uid, uid, side(uid), 500, 1));
            server.accept(c -> c.limit(SYMBOL, uid, uid, BID, 20_000 - price, 1));
            server.accept(c -> c.limit(SYMBOL, HUGE + uid, uid, ASK, 30_000 + price, 1));
        }
        for (int i = 0; i < CHANGED; i++)
        {
            final long expiring = 5_000_000 + i;
            server.accept(c -> c.goodTillDate(SYMBOL, expiring, 10, BID, 10, 1, 1_000));
        }
        // Of a separate user: an order may visit all positions of its user.
        server.accept(c -> c.addUser(9));
        server.accept(c -> c.adjustBalance(9, 2_000, 1, 1));
        for (int symbol = REMOVED + 1; symbol < symbols(size); symbol++)
        {
            final int each = symbol;
            server.accept(c -> c.limit(each, 1, 9, BID, 10, 1));
        }
    }

    private static byte side(final long uid)
    {
        return uid % 2 == 0 ? BID : ASK;
    }

    private void run()
    {
        fill();
        accept("NOP", c -> c.nop());
        accept("ADD_USER", c -> c.addUser(5));
        accept("BALANCE_ADJUSTMENT", c -> c.adjustBalance(5, 2_000, 0, 1));
        accept("SUSPEND_USER", c -> c.suspendUser(5));
        accept("RESUME_USER", c -> c.resumeUser(5));
        orders();
        accept("HALT_SYMBOL", c -> c.haltSymbol(REMOVED));
        accept("RESUME_SYMBOL", c -> c.resumeSymbol(REMOVED));
        accept("REMOVE_SYMBOL", c -> c.removeSymbol(REMOVED));
        accept("ADD_SYMBOL", c -> c.addSymbol(SymbolSpec.future(REMOVED).withOrderCapacity(64).withWindowTicks(64)
            .withPrices(0, 100_000), SymbolTerms.future(1_000, 2_000, 0, 0, 1_000_000)));
        give("REMOVE_SYMBOL of a position", CommandResult.SYMBOL_NOT_EMPTY, c -> c.removeSymbol(TRADED));
        accept("ORDER_BOOK_REQUEST", c -> c.orderBook(SYMBOL, -1));
        accept("TOTALS_REPORT", c -> c.totalsReport());
        accept("TICK", c -> c.tick(2_000));
        accept("OPEN_ORDERS", c -> c.openOrders(SYMBOL, 10));
        accept("MASS_CANCEL", c -> c.massCancel(SYMBOL, 10, Side.BOTH));
        accept("MASS_CANCEL_USER", c -> c.massCancelUser(11, Side.BOTH));
        final ExecutionEvent from = new ExecutionEvent();
        from.result(0, 0, CommandResult.SUCCESS, 0, 0);
        from.more(BID, 1L << 62 | (long)SYMBOL << 25, Long.MAX_VALUE);
        crossing();
        accept("USER_REPORT from behind the last order", c -> c.userReport(5).continueFrom(from));
        server.close();
    }

    /** A crossing GTC order without users: check and accept, which try the fast path once, then execute. */
    private void crossing()
    {
        final BookCommand command = new BookCommand().place(OrderType.GTC, BID).orderId(2).uid(2).price(100).size(1)
            .reservePrice(100);
        final OrderBook byPlace = engineWithAnAsk().book(SYMBOL);
        final OrderBook byExecute = engineWithAnAsk().book(SYMBOL);
        begin(PLACE_METHOD);
        final CommandResult placed = byPlace.check(command);
        byPlace.accept(command);
        end();
        begin(EXECUTE_METHOD);
        final CommandResult executed = byExecute.execute(command);
        end();
        if (placed != CommandResult.SUCCESS || executed != placed || byPlace.stateHash() != byExecute.stateHash())
        {
            throw new AssertionError("check: " + placed + ", execute: " + executed);
        }
    }

    private static MatchingEngine engineWithAnAsk()
    {
        final MatchingEngine engine = new MatchingEngine(
            List.of(SymbolSpec.future(SYMBOL).withOrderCapacity(64).withWindowTicks(64)), new EventCounter());
        engine.execute(SYMBOL, new BookCommand().place(OrderType.GTC, ASK).orderId(1).uid(1).price(100).size(5));
        return engine;
    }

    private void orders()
    {
        accept("PLACE", c -> c.limit(SYMBOL, ++id, 10, BID, 20_000, 1));
        accept("PLACE better", c -> c.limit(SYMBOL, ++id, 10, BID, 20_001, 1));
        accept("MOVE", c -> c.move(SYMBOL, id, 10, 19_999));
        accept("REPLACE", c -> c.replace(SYMBOL, id, 10, 19_998, 5));
        accept("REPLACE_OPEN", c -> c.replaceOpen(SYMBOL, id, 10, 19_997, 5));
        accept("ORDER_STATUS", c -> c.orderStatus(SYMBOL, id, 10));
        accept("REDUCE", c -> c.reduce(SYMBOL, id, 10, 1));
        accept("CANCEL", c -> c.cancel(SYMBOL, id, 10));
        accept("PLACE that trades", c -> c.limit(SYMBOL, ++id, 10, ASK, 19_000, 2));
        accept("PLACE IOC", c -> c.immediate(SYMBOL, ++id, 10, ASK, 20_001, 2));
        accept("PLACE MARKET", c -> c.market(SYMBOL, ++id, 10, BID, CHANGED));
        accept("PLACE POST_ONLY", c -> c.postOnly(SYMBOL, ++id, 10, BID, 20_000, 1));
        accept("PLACE STOP", c -> c.stop(SYMBOL, ++id, 10, BID, 90_000, 1));
        accept("PLACE ICEBERG", c -> c.iceberg(SYMBOL, ++id, 10, BID, 20_000, 10, 1));
        accept("PLACE GTD", c -> c.goodTillDate(SYMBOL, ++id, 10, BID, 20_000, 1, 9_000));
        give("PLACE DUPLICATE", CommandResult.DUPLICATE_ORDER, c -> c.limit(SYMBOL, id, 10, BID, 20_000, 1));
        give("CANCEL of nothing", CommandResult.UNKNOWN_ORDER, c -> c.cancel(SYMBOL, 77_777_777, 10));
    }
}
