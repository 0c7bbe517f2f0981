package io.millrace.engine.book;

import io.millrace.engine.CommandType;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A book rebuilt by somebody who sees the accepted commands and the executions and cannot match: what a reader of the
 * stream would have. Holds the books of every order: original = filled + remaining + cancelled.
 */
final class EventBook implements ExecutionListener
{
    private static final class Row
    {
        RandomCommand command;
        long price;
        long filled;
        long cancelled;

        long remaining()
        {
            final long remaining = command.size - filled - cancelled;
            assertTrue(remaining >= 0 && filled >= 0 && cancelled >= 0, "an order gave more than it had");
            return remaining;
        }
    }

    private final Map<Long, Row> rows = new LinkedHashMap<>();
    private RandomCommand command;
    private long takerFilled;
    private long takerRejected;
    private int reductions;

    void begin(final RandomCommand next)
    {
        command = next;
        takerFilled = 0;
        takerRejected = 0;
        reductions = 0;
    }

    void end(final CommandResult result)
    {
        final boolean reduces = command.type == CommandType.CANCEL || command.type == CommandType.REDUCE;
        assertEquals(reduces && result == CommandResult.SUCCESS ? 1 : 0, reductions, "reductions of one command");
        if (result != CommandResult.SUCCESS)
        {
            assertEquals(0, takerFilled + takerRejected, "lots of a refused command");
        }
        else if (command.type == CommandType.PLACE)
        {
            final Row row = new Row();
            row.command = command.copy();
            row.price = command.price;
            row.filled = takerFilled;
            row.cancelled = takerRejected;
            if (command.orderType == OrderType.GTC)
            {
                assertEquals(0, takerRejected, "rejected lots of a GTC");
                rest(row);
            }
            else
            {
                assertEquals(0, row.remaining(), "lots that are neither filled nor rejected");
            }
        }
        else if (command.type == CommandType.MOVE)
        {
            final Row row = rows.remove(command.orderId);
            row.price = command.price;
            row.filled += takerFilled;
            rest(row);
        }
        else
        {
            assertEquals(0, takerFilled + takerRejected, "lots of a reduction");
        }
    }

    private void rest(final Row row)
    {
        if (row.remaining() > 0)
        {
            assertTrue(rows.put(row.command.orderId, row) == null, "two orders with one id rest");
        }
    }

    @Override
    public void onTrade(
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        final Row maker = rows.get(makerOrderId);
        assertEquals(maker.price, price, "a trade is at the maker's price");
        assertTrue(maker.command.side != takerSide, "a trade has two sides");
        assertTrue(size > 0, "a trade has a size");
        assertEquals(command.orderId, takerOrderId);
        maker.filled += size;
        takerFilled += size;
        assertEquals(maker.remaining() == 0, makerCompleted);
        if (makerCompleted)
        {
            rows.remove(makerOrderId);
        }
    }

    @Override
    public void onReject(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        assertEquals(command.orderId, orderId);
        assertEquals(0, takerFilled + takerRejected, "the reject comes first, and once");
        takerRejected = size;
    }

    @Override
    public void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        final Row row = rows.get(orderId);
        assertEquals(row.price, price);
        row.cancelled += size;
        reductions++;
        assertEquals(row.remaining() == 0, completed);
        if (completed)
        {
            rows.remove(orderId);
        }
    }

    /** The orders of a side by priority, but for one that is on its way. */
    void forEachOrder(final byte side, final OrderConsumer consumer, final Long except)
    {
        final Comparator<Row> byPrice = Comparator.comparing(row -> row.price);
        rows.values().stream().filter(row -> row.command.side == side)
            .filter(row -> except == null || row.command.orderId != except)
            .sorted(side == Side.ASK ? byPrice : byPrice.reversed()).forEach(row -> consumer.onOrder(
                row.command.orderId, row.command.uid, side, row.price, row.filled + row.remaining(), row.filled,
                row.command.reserve));
    }
}
