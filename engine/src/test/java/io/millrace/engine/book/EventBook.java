package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import io.millrace.engine.Execution;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A book rebuilt from the accepted commands and the executions, without matching, as a reader of the stream would do.
 * Checks the sum of every order: original = filled + remaining + cancelled.
 */
final class EventBook implements Execution.Listener
{
    /** An order as its events report it. */
    static final class Row
    {
        final RandomCommand command;
        byte type;
        long price;
        long original;
        long filled;
        long cancelled;
        long rejected;
        long shown;
        boolean reached;

        Row(final RandomCommand command)
        {
            this.command = command.copy();
            type = command.orderType;
            price = type == OrderType.MARKET || type == OrderType.STOP ? 0 : command.price;
            original = command.size;
        }

        long remaining()
        {
            // The first and the last may wrap: an order can be reduced and grow again for ever.
            final long remaining = original - filled - rejected - cancelled;
            assertTrue(remaining >= 0, "an order gave more than it had");
            return remaining;
        }

        boolean isCompleted()
        {
            return remaining() == 0 && rejected == 0;
        }

        boolean isReachedBy(final long trade)
        {
            return trade >= 0 && (command.side == Side.BID ? trade >= command.parameter : trade <= command.parameter);
        }

        void report(final OrderConsumer consumer)
        {
            consumer.onOrder(command.orderId, command.uid, command.side, price, filled + remaining(), filled,
                command.reserve);
        }
    }

    private final Map<Long, Row> rows = new LinkedHashMap<>();
    private final Map<Long, Row> stops = new LinkedHashMap<>();
    private RandomCommand command;
    private Row taker;
    private boolean mayReject;
    private boolean leaves;
    private int events;
    private long lastTrade = -1;

    /** An accepted command, before its events. */
    void begin(final RandomCommand accepted)
    {
        command = accepted;
        events = 0;
        leaves = false;
        mayReject = true;
        if (command.type == CommandType.PLACE)
        {
            final Row row = new Row(command);
            final boolean stop = row.type == OrderType.STOP || row.type == OrderType.STOP_LIMIT;
            taker = stop ? null : row;
            if (stop)
            {
                stops.put(command.orderId, row);
            }
        }
        else if (command.type == CommandType.MOVE)
        {
            takeOut(rows.get(command.orderId));
        }
        else if (command.type == CommandType.REPLACE)
        {
            beginReplace(rows.get(command.orderId));
        }
    }

    private void beginReplace(final Row row)
    {
        final long growth = command.size - row.filled - row.remaining();
        if (growth > 0)
        {
            row.original += growth;
        }
        if (growth > 0 || row.price != command.price)
        {
            // A smaller size is reported first.
            if (growth >= 0)
            {
                takeOut(row);
            }
        }
    }

    private void takeOut(final Row row)
    {
        rows.remove(command.orderId);
        row.price = command.price;
        taker = row;
    }

    void end()
    {
        settle();
        final boolean one = command.type == CommandType.CANCEL || command.type == CommandType.REDUCE;
        assertTrue(stops.values().stream().noneMatch(row -> row.reached), "a stop was reached and waits");
        assertTrue(!one || events == 1, "one event of a CANCEL or a REDUCE");
        assertTrue(command.type != CommandType.CANCEL || !rows.containsKey(command.orderId), "cancelled, but rests");
    }

    /** The rest of the incoming order joins the book. */
    private void settle()
    {
        if (taker != null && taker.remaining() > 0)
        {
            assertFalse(isImmediate(taker.type), "lots that are neither filled nor rejected nor cancelled");
            rest(taker);
        }
        taker = null;
        stops.values().forEach(row -> row.reached |= row.isReachedBy(lastTrade));
    }

    private static boolean isImmediate(final byte type)
    {
        return type >= OrderType.IOC && type <= OrderType.IOC_BUDGET;
    }

    private void rest(final Row row)
    {
        final long remaining = row.remaining();
        row.shown = row.type == OrderType.ICEBERG ? Math.min(row.command.parameter, remaining) : remaining;
        assertNull(rows.put(row.command.orderId, row), "two orders with one id rest");
    }

    @Override
    public void onExecution(final Execution e)
    {
        events++;
        switch (e.kind())
        {
            case TRADE -> onTrade(e);
            case REJECT -> onReject(e);
            case REDUCE -> onReduce(e);
            default -> onTrigger(e);
        }
    }

    private void onTrade(final Execution e)
    {
        final Row maker = rows.get(e.makerOrderId());
        assertEquals(maker.price, e.price(), "a trade is at the maker's price");
        assertTrue(maker.command.side != e.side(), "a trade has two sides");
        assertTrue(e.size() > 0, "a trade has a size");
        assertEquals(taker.command.orderId, e.orderId());
        assertEquals(taker.command.uid, e.uid());
        assertEquals(maker.command.uid, e.makerUid());
        assertTrue(taker.command.selfTrade == SelfTradePolicy.ALLOW || e.makerUid() != e.uid(), "a self-trade");
        leaves = false;
        mayReject = false;
        lastTrade = e.price();
        taker.filled += e.size();
        maker.filled += e.size();
        assertEquals(taker.isCompleted(), e.completed());
        giveUp(maker, e.size(), e.makerCompleted());
    }

    /** A resting order lost a part of its displayed size. */
    private void giveUp(final Row row, final long size, final boolean completed)
    {
        row.shown -= size;
        assertTrue(row.shown >= 0, "more than was shown");
        assertEquals(row.isCompleted(), completed);
        if (row.shown == 0)
        {
            rows.remove(row.command.orderId);
            if (!completed)
            {
                rest(row);
            }
        }
    }

    private void onReject(final Execution e)
    {
        assertEquals(taker.command.orderId, e.orderId());
        assertEquals(taker.price, e.price());
        assertTrue(isImmediate(taker.type) && mayReject, "the reject comes first, and once, and not of what rests");
        mayReject = false;
        taker.rejected = e.size();
    }

    private void onReduce(final Execution e)
    {
        leaves = false;
        mayReject = false;
        final boolean ofTaker = taker != null && taker.command.orderId == e.orderId();
        final Row row = ofTaker ? taker : stops.getOrDefault(e.orderId(), rows.get(e.orderId()));
        assertEquals(row.price, e.price());
        assertEquals(row.command.uid, e.uid());
        row.cancelled += e.size();
        if (ofTaker)
        {
            assertEquals(row.isCompleted(), e.completed());
        }
        else if (taker != null && taker.command.selfTrade == SelfTradePolicy.DECREMENT)
        {
            giveUp(row, e.size(), e.completed());
        }
        else
        {
            row.shown = Math.min(row.shown, row.remaining());
            assertEquals(row.remaining() == 0, e.completed());
            if (e.completed())
            {
                rows.remove(e.orderId());
                stops.remove(e.orderId());
            }
            else if (taker == null && command.type == CommandType.REPLACE && command.price != row.price)
            {
                takeOut(row);
                leaves = true;
            }
        }
    }

    private void onTrigger(final Execution e)
    {
        settle();
        leaves = false;
        mayReject = true;
        taker = stops.remove(e.orderId());
        assertNotNull(taker, "no such stop waits");
        assertEquals(taker.command.parameter, e.price());
        assertTrue(taker.reached, "nothing traded there");
        taker.type = taker.type == OrderType.STOP ? OrderType.MARKET : OrderType.GTC;
    }

    long lastTrade()
    {
        return lastTrade;
    }

    /** Whether a REPLACE has just reported a smaller order, which will leave its place. */
    boolean leaves()
    {
        return leaves;
    }

    Collection<Row> stops()
    {
        return stops.values();
    }

    int orderCount()
    {
        return rows.size() + stops.size();
    }

    /** The resting orders of a side by priority. */
    List<Row> side(final byte side)
    {
        final List<Row> sorted = new ArrayList<>();
        rows.values().forEach(row ->
        {
            if (row.command.side == side)
            {
                sorted.add(row);
            }
        });
        final Comparator<Row> byPrice = Comparator.comparingLong(row -> row.price);
        sorted.sort(side == Side.ASK ? byPrice : byPrice.reversed());
        return sorted;
    }
}
