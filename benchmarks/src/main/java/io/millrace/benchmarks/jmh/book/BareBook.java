package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderSizes;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.PaddedLong;

import java.util.Arrays;

/**
 * A ring of commands with two positions and the book, by plain calls. The execution events, if any, are written to an
 * array and read there: as many as the server publishes, with the same fields. The book keeps the orders of each user,
 * like that of the server. No pool, no reference counts, no server.
 */
final class BareBook extends PathBook implements ExecutionListener, OrderSizes
{
    private static final int EVENTS = 64;

    private final OrderCommand[] ring = new OrderCommand[CAPACITY];
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong drained = new PaddedLong(0);
    private final ExecutionEvent[] events = new ExecutionEvent[EVENTS];
    private final boolean writesEvents;
    private final OrderBook book;
    private int next;
    private int count;
    private long sequence;
    private long timeNs;
    private long correlation;
    private long open;
    private long filled;

    BareBook(final CommandColumns commands, final boolean writesEvents)
    {
        super(commands);
        this.writesEvents = writesEvents;
        Arrays.setAll(ring, i -> new OrderCommand());
        Arrays.setAll(events, i -> new ExecutionEvent());
        book = new OrderBook(BookFlow.SPEC, writesEvents ? this : hash, null, null, true);
    }

    @Override
    void publish(final int index)
    {
        final long position = published.getPlain();
        if (position - drained.getAcquire() >= CAPACITY)
        {
            throw new IllegalStateException("the ring is full");
        }
        fill(ring[(int)position & CAPACITY - 1], index);
        published.setRelease(position + 1);
    }

    @Override
    void execute()
    {
        final long end = published.getAcquire();
        for (long position = drained.getPlain(); position < end; position++)
        {
            execute(ring[(int)position & CAPACITY - 1], position);
        }
        drained.setRelease(end);
    }

    private void execute(final OrderCommand command, final long position)
    {
        sequence = position;
        timeNs = command.timestampNs();
        correlation = command.correlation();
        count = 0;
        final CommandResult result = book.execute(command);
        if (writesEvents)
        {
            answer(command, result);
        }
        else
        {
            onResult(result.code());
        }
    }

    private void answer(final OrderCommand command, final CommandResult result)
    {
        open = 0;
        filled = 0;
        final byte type = command.commandType();
        if (result == CommandResult.SUCCESS &&
            (type == BookCommand.PLACE ? OrderType.rests(command.orderType()) : type != BookCommand.CANCEL))
        {
            book.readSizes(command.orderId(), this);
        }
        write(ExecutionKind.RESULT, (byte)0, result.code(), false, false, command.symbol(), command.orderId(),
            command.uid(), open > 0 ? filled : 0, 0, 0, open, 0, 0, (byte)0);
    }

    @Override
    public void onSizes(final long openSize, final long filledSize)
    {
        open = openSize;
        filled = filledSize;
    }

    private void write(
        final byte kind,
        final byte side,
        final byte code,
        final boolean completed,
        final boolean makerCompleted,
        final int symbol,
        final long orderId,
        final long uid,
        final long makerOrderId,
        final long makerUid,
        final long price,
        final long size,
        final long reservePrice,
        final long tradeId,
        final byte reason)
    {
        final ExecutionEvent event = events[next];
        next = next + 1 & EVENTS - 1;
        event.set(kind, side, code, completed, makerCompleted, false, symbol, count, sequence, timeNs, orderId, uid,
            makerOrderId, makerUid, price, size, reservePrice);
        event.details(correlation, tradeId, reason);
        count++;
        read(event);
    }

    @Override
    public void onTrade(
        final long tradeId,
        final int symbol,
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
        write(ExecutionKind.TRADE, takerSide, (byte)0, takerCompleted, makerCompleted, symbol, takerOrderId, takerUid,
            makerOrderId, makerUid, price, size, bidReservePrice, tradeId, (byte)0);
    }

    @Override
    public void onReject(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        write(ExecutionKind.REJECT, side, (byte)0, true, false, symbol, orderId, uid, 0, 0, price, size, reservePrice,
            0, reason);
    }

    @Override
    public void onReduce(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        write(ExecutionKind.REDUCE, side, (byte)0, completed, false, symbol, orderId, uid, 0, 0, price, size,
            reservePrice, 0, reason);
    }

    @Override
    protected void reportLevels(final LevelHash levels)
    {
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
    }
}
