package io.millrace.exchange.itch;

import io.millrace.gateway.itch.ItchDescriptor;
import io.millrace.gateway.itch.ItchEncoder;
import org.agrona.concurrent.EpochNanoClock;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Writes the messages of stocks with the time of the day, UTC. Each method returns the bytes written. One thread.
 */
final class ItchWriter
{
    static final byte START_OF_MESSAGES = 'O';
    static final byte END_OF_MESSAGES = 'C';

    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);
    private static final int LOCATE_SHIFT = 48;
    private static final byte HALTED = 'H';
    private static final byte TRADING = 'T';
    private static final int ACTION_STOCK_OFFSET = ItchDescriptor.BODY_OFFSET;
    private static final int ACTION_STATE_OFFSET = ACTION_STOCK_OFFSET + Long.BYTES;
    private static final int ACTION_LENGTH = ItchDescriptor.length((byte)'H');

    private final EpochNanoClock clock;
    private final ItchEncoder encoder = new ItchEncoder();
    private ByteBuffer buffer;
    private int offset;

    ItchWriter(final EpochNanoClock clock)
    {
        this.clock = clock;
    }

    ItchWriter wrap(final ByteBuffer newBuffer, final int newOffset)
    {
        buffer = newBuffer;
        offset = newOffset;
        encoder.wrap(newBuffer, newOffset);
        return this;
    }

    private ItchEncoder header(final int locate)
    {
        return encoder.header(locate, 0, Math.floorMod(clock.nanoTime(), DAY_NS));
    }

    int systemEvent(final byte code)
    {
        return header(0).systemEvent(code);
    }

    int directory(final StockOrders of)
    {
        return header(of.locate).stockDirectory(of.stock);
    }

    /** H: whether the stock trades. The header is that of a directory, whose stock has the same place. */
    int tradingAction(final StockOrders of)
    {
        header(of.locate).stockDirectory(of.stock);
        buffer.put(offset + ItchDescriptor.TYPE_OFFSET, (byte)'H');
        buffer.put(offset + ACTION_STATE_OFFSET, of.isHalted ? HALTED : TRADING);
        for (int i = ACTION_STATE_OFFSET + 1; i < ACTION_LENGTH; i++)
        {
            buffer.put(offset + i, (byte)' ');
        }
        return ACTION_LENGTH;
    }

    int add(final StockOrders of, final int h)
    {
        return header(of.locate).add(of.reference(h), of.side(h), of.shares(h), of.stock, of.units(h));
    }

    int cancel(final StockOrders of, final int h, final long shares)
    {
        return header(of.locate).cancel(of.reference(h), shares);
    }

    /** A match number is unique in the session: those of a stock begin with its locate. */
    int execute(final StockOrders of, final int h, final long shares, final long tradeId)
    {
        return header(of.locate).execute(of.reference(h), shares, (long)of.locate << LOCATE_SHIFT | tradeId);
    }

    int delete(final StockOrders of, final int h)
    {
        return header(of.locate).delete(of.reference(h));
    }
}
