package io.millrace.engine.book;

import io.millrace.engine.Execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A book on a page: orders in, then what it said and what rests, as short texts. A star marks an order of which nothing
 * is left: {@code "3* takes 5@100 from 1"}, {@code "3 rejected 5@100"}, {@code "1* reduced by 5@100"}; an order that
 * rests is {@code "1 5@100"} with what is left of it, a stop that has triggered {@code "1 triggers@100"}. All orders
 * are of one user and may move anywhere, unless said; {@link #by} says so for the orders after it.
 */
final class BookPage implements Execution.Listener
{
    static final long USER = 7;

    private final OrderBook book;
    private final List<String> said = new ArrayList<>();
    private long user = USER;
    private byte policy = SelfTradePolicy.ALLOW;

    BookPage(final SymbolSpec spec)
    {
        book = new OrderBook(spec, this);
    }

    OrderBook book()
    {
        return book;
    }

    /** Orders and changes from now on are of another user, and prevent self-trades. */
    BookPage by(final long newUser, final byte newPolicy)
    {
        user = newUser;
        policy = newPolicy;
        return this;
    }

    BookPage order(
        final byte type, final byte side, final long id, final long price, final long size, final long parameter)
    {
        return accepted(place(type, side, id, price, size, parameter));
    }

    BookPage order(final byte type, final byte side, final long id, final long price, final long size)
    {
        return order(type, side, id, price, size, 0);
    }

    BookPage stop(final byte side, final long id, final long stopPrice, final long size)
    {
        return order(OrderType.STOP, side, id, -1, size, stopPrice);
    }

    BookPage stopLimit(final byte side, final long id, final long stopPrice, final long price, final long size)
    {
        return order(OrderType.STOP_LIMIT, side, id, price, size, stopPrice);
    }

    BookPage iceberg(final byte side, final long id, final long price, final long size, final long display)
    {
        return order(OrderType.ICEBERG, side, id, price, size, display);
    }

    BookPage bid(final long id, final long price, final long size)
    {
        return accepted(place(OrderType.GTC, Side.BID, id, price, size));
    }

    BookPage ask(final long id, final long price, final long size)
    {
        return accepted(place(OrderType.GTC, Side.ASK, id, price, size));
    }

    BookPage ioc(final byte side, final long id, final long price, final long size)
    {
        return accepted(place(OrderType.IOC, side, id, price, size));
    }

    BookPage market(final byte side, final long id, final long size)
    {
        return accepted(place(OrderType.MARKET, side, id, -1, size));
    }

    BookPage budget(final byte side, final long id, final long budget, final long size)
    {
        return accepted(place(OrderType.FOK_BUDGET, side, id, budget, size));
    }

    CommandResult place(final byte type, final byte side, final long id, final long price, final long size)
    {
        return place(type, side, id, price, size, 0);
    }

    CommandResult place(
        final byte type, final byte side, final long id, final long price, final long size, final long parameter)
    {
        return book.execute(new BookCommand().place(type, side).selfTradePolicy(policy).orderId(id).uid(user)
            .price(price).size(size).reservePrice(side == Side.BID ? SymbolSpec.MAX_PRICE : 0).parameter(parameter));
    }

    BookPage cancel(final long id)
    {
        return accepted(book.cancel(id, user));
    }

    BookPage reduce(final long id, final long by)
    {
        return accepted(book.reduce(id, user, by));
    }

    BookPage move(final long id, final long price)
    {
        return accepted(book.move(id, user, price));
    }

    BookPage replace(final long id, final long price, final long size)
    {
        return accepted(book.replace(id, user, price, size));
    }

    BookPage expire(final long timeNs)
    {
        book.expire(timeNs);
        return this;
    }

    private BookPage accepted(final CommandResult result)
    {
        assertEquals(CommandResult.SUCCESS, result);
        return this;
    }

    /** All events since the last check. */
    BookPage says(final String... expected)
    {
        assertEquals(Arrays.asList(expected), said);
        said.clear();
        return this;
    }

    /** What rests on the bid side by priority, all of it. */
    BookPage bids(final String... expected)
    {
        return rest(Side.BID, expected);
    }

    /** What rests on the ask side by priority, all of it. */
    BookPage asks(final String... expected)
    {
        return rest(Side.ASK, expected);
    }

    private BookPage rest(final byte side, final String... expected)
    {
        final List<String> orders = new ArrayList<>();
        book.forEachOrder(side, (id, uid, s, price, size, filled, reserve) ->
            orders.add(id + " " + (size - filled) + "@" + price));
        assertEquals(Arrays.asList(expected), orders, Side.name(side));
        return this;
    }

    /** The untriggered stops in the order of their acceptance, all of them. */
    BookPage stops(final String... expected)
    {
        final List<String> orders = new ArrayList<>();
        book.forEachStop((id, uid, side, price, size, filled, reserve) -> orders.add(id + " " + size + "@" + price));
        assertEquals(Arrays.asList(expected), orders);
        return this;
    }

    /** The levels of a side, as "volume@price/orders". */
    BookPage levels(final byte side, final int most, final String... expected)
    {
        final List<String> levels = new ArrayList<>();
        final int reported = book.forEachLevel(
            side, most, (s, price, volume, orders) -> levels.add(volume + "@" + price + "/" + orders));
        assertEquals(Arrays.asList(expected), levels, Side.name(side));
        assertEquals(expected.length, reported);
        return this;
    }

    @Override
    public void onExecution(final Execution e)
    {
        final String order = order(e.orderId(), e.completed());
        said.add(switch (e.kind())
        {
            case TRADE -> order + " takes " + e.size() + "@" + e.price() + " from " +
                order(e.makerOrderId(), e.makerCompleted());
            case REJECT -> e.orderId() + " rejected " + e.size() + "@" + e.price();
            case REDUCE -> order + " reduced by " + e.size() + "@" + e.price();
            case TRIGGER -> order + " triggers@" + e.price();
        });
    }

    private static String order(final long id, final boolean completed)
    {
        return id + (completed ? "*" : "");
    }
}
