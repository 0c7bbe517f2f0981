package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.PaddedLong;

import java.util.Arrays;

/**
 * A ring of commands with two positions and the book, by plain calls. The execution events, if any, are written to an
 * array and read there. No pool, no reference counts, no server.
 */
final class BareBook extends PathBook implements ExecutionListener
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

    BareBook(final CommandColumns commands, final boolean writesEvents)
    {
        super(commands);
        this.writesEvents = writesEvents;
        Arrays.setAll(ring, i -> new OrderCommand());
        Arrays.setAll(events, i -> new ExecutionEvent());
        book = new OrderBook(BookFlow.SPEC, writesEvents ? this : hash);
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
        count = 0;
        final CommandResult result = book.execute(command);
        if (writesEvents)
        {
            write(ExecutionKind.RESULT, (byte)0, result.code(), false, false, command.symbol(), command.orderId(),
                command.uid(), 0, 0, 0, 0, 0);
        }
        else
        {
            onResult(result.code());
        }
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
        final long reservePrice)
    {
        final ExecutionEvent event = events[next];
        next = next + 1 & EVENTS - 1;
        event.set(kind, side, code, completed, makerCompleted, false, symbol, count, sequence, timeNs, orderId, uid,
            makerOrderId, makerUid, price, size, reservePrice);
        count++;
        read(event);
    }

    @Override
    public void onTrade(
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
            makerOrderId, makerUid, price, size, bidReservePrice);
    }

    @Override
    public void onReject(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        write(ExecutionKind.REJECT, side, (byte)0, true, false, symbol, orderId, uid, 0, 0, price, size, reservePrice);
    }

    @Override
    public void onReduce(
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
            reservePrice);
    }

    @Override
    protected void reportLevels(final LevelHash levels)
    {
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
    }
}
