package io.millrace.gateway.itch;

import io.millrace.gateway.Symbols;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Writes ITCH 5.0 messages into a big-endian buffer, for feeders and tests. Set the header once a message, then call
 * the method of the type. Allocates nothing. Numbers are cut to the width of their field; callers check ranges. One
 * thread.
 */
public final class ItchEncoder
{
    private ByteBuffer buffer;
    private int offset;
    private int locate;
    private int tracking;
    private long timeNs;

    /** An encoder without a buffer. */
    public ItchEncoder()
    {
    }

    /**
     * Where the next message goes.
     *
     * @param newBuffer big-endian, with {@link ItchDescriptor#MAX_LENGTH} bytes from the offset on.
     * @param newOffset of the type.
     * @return this.
     */
    public ItchEncoder wrap(final ByteBuffer newBuffer, final int newOffset)
    {
        buffer = newBuffer;
        Objects.checkFromIndexSize(newOffset, ItchDescriptor.MAX_LENGTH, newBuffer.capacity());
        offset = newOffset;
        return this;
    }

    /**
     * Header of the next messages.
     *
     * @param newLocate   number of the stock, 0 to 65,535.
     * @param newTracking tracking number, 0 to 65,535.
     * @param newTimeNs   nanoseconds since midnight, 48 bits.
     * @return this.
     */
    public ItchEncoder header(final int newLocate, final int newTracking, final long newTimeNs)
    {
        locate = newLocate;
        tracking = newTracking;
        timeNs = newTimeNs;
        return this;
    }

    private int begin(final byte type)
    {
        buffer.put(offset, type);
        buffer.putShort(offset + ItchDescriptor.LOCATE_OFFSET, (short)locate);
        buffer.putShort(offset + ItchDescriptor.TRACKING_OFFSET, (short)tracking);
        buffer.putShort(offset + ItchDescriptor.TIME_OFFSET, (short)(timeNs >>> 32));
        buffer.putInt(offset + ItchDescriptor.TIME_OFFSET + Short.BYTES, (int)timeNs);
        return ItchDescriptor.length(type);
    }

    private int begin(final byte type, final long reference)
    {
        buffer.putLong(offset + ItchDescriptor.REFERENCE_OFFSET, reference);
        return begin(type);
    }

    /**
     * S: system event.
     *
     * @param code such as 'O', start of messages.
     * @return bytes written.
     */
    public int systemEvent(final byte code)
    {
        buffer.put(offset + ItchDescriptor.EVENT_CODE_OFFSET, code);
        return begin(ItchDescriptor.SYSTEM_EVENT);
    }

    /**
     * R: stock directory. Round lot 100, and a space for each other field.
     *
     * @param stock see {@link Symbols}.
     * @return bytes written.
     */
    public int stockDirectory(final long stock)
    {
        final int length = begin(ItchDescriptor.STOCK_DIRECTORY);
        buffer.putLong(offset + 11, stock);
        for (int i = 19; i < length; i++)
        {
            buffer.put(offset + i, (byte)' ');
        }
        buffer.putInt(offset + 21, 100);
        buffer.putInt(offset + 34, 0);
        return length;
    }

    /**
     * A: add order.
     *
     * @param reference of the order.
     * @param side      'B' or 'S'.
     * @param shares    of the order.
     * @param stock     see {@link Symbols}.
     * @param price     dollars x 10,000.
     * @return bytes written.
     */
    public int add(final long reference, final byte side, final long shares, final long stock, final long price)
    {
        order(side, shares, stock, price);
        return begin(ItchDescriptor.ADD, reference);
    }

    /**
     * F: add order with the participant's id.
     *
     * @param reference   of the order.
     * @param side        'B' or 'S'.
     * @param shares      of the order.
     * @param stock       see {@link Symbols}.
     * @param price       dollars x 10,000.
     * @param attribution four ASCII characters, the first in the highest byte.
     * @return bytes written.
     */
    public int addAttributed(
        final long reference,
        final byte side,
        final long shares,
        final long stock,
        final long price,
        final int attribution)
    {
        order(side, shares, stock, price);
        buffer.putInt(offset + ItchDescriptor.ATTRIBUTION_OFFSET, attribution);
        return begin(ItchDescriptor.ADD_ATTRIBUTED, reference);
    }

    /**
     * P: trade with an order that was not displayed.
     *
     * @param reference   of the order; 0 on most days.
     * @param side        'B' or 'S'.
     * @param shares      traded.
     * @param stock       see {@link Symbols}.
     * @param price       dollars x 10,000.
     * @param matchNumber of the trade.
     * @return bytes written.
     */
    public int trade(
        final long reference,
        final byte side,
        final long shares,
        final long stock,
        final long price,
        final long matchNumber)
    {
        order(side, shares, stock, price);
        buffer.putLong(offset + ItchDescriptor.TRADE_MATCH_OFFSET, matchNumber);
        return begin(ItchDescriptor.TRADE, reference);
    }

    private void order(final byte side, final long shares, final long stock, final long price)
    {
        buffer.put(offset + ItchDescriptor.SIDE_OFFSET, side);
        buffer.putInt(offset + ItchDescriptor.SHARES_OFFSET, (int)shares);
        buffer.putLong(offset + ItchDescriptor.STOCK_OFFSET, stock);
        buffer.putInt(offset + ItchDescriptor.PRICE_OFFSET, (int)price);
    }

    /**
     * E: order executed.
     *
     * @param reference   of the order.
     * @param shares      executed.
     * @param matchNumber of the trade.
     * @return bytes written.
     */
    public int execute(final long reference, final long shares, final long matchNumber)
    {
        taken(shares, matchNumber);
        return begin(ItchDescriptor.EXECUTE, reference);
    }

    /**
     * C: order executed at a price that is not its own.
     *
     * @param reference   of the order.
     * @param shares      executed.
     * @param matchNumber of the trade.
     * @param isPrintable whether the trade counts in the volume.
     * @param price       of the trade, dollars x 10,000.
     * @return bytes written.
     */
    public int executeWithPrice(
        final long reference, final long shares, final long matchNumber, final boolean isPrintable, final long price)
    {
        taken(shares, matchNumber);
        buffer.put(offset + ItchDescriptor.PRINTABLE_OFFSET, (byte)(isPrintable ? 'Y' : 'N'));
        buffer.putInt(offset + ItchDescriptor.PRICE_OFFSET, (int)price);
        return begin(ItchDescriptor.EXECUTE_WITH_PRICE, reference);
    }

    private void taken(final long shares, final long matchNumber)
    {
        buffer.putInt(offset + ItchDescriptor.TAKEN_SHARES_OFFSET, (int)shares);
        buffer.putLong(offset + ItchDescriptor.TAKEN_MATCH_OFFSET, matchNumber);
    }

    /**
     * X: order cancelled in part.
     *
     * @param reference of the order.
     * @param shares    taken back.
     * @return bytes written.
     */
    public int cancel(final long reference, final long shares)
    {
        buffer.putInt(offset + ItchDescriptor.TAKEN_SHARES_OFFSET, (int)shares);
        return begin(ItchDescriptor.CANCEL, reference);
    }

    /**
     * D: order deleted.
     *
     * @param reference of the order.
     * @return bytes written.
     */
    public int delete(final long reference)
    {
        return begin(ItchDescriptor.DELETE, reference);
    }

    /**
     * U: order replaced.
     *
     * @param reference    of the order to remove.
     * @param newReference of the new order.
     * @param shares       of the new order.
     * @param price        of the new order, dollars x 10,000.
     * @return bytes written.
     */
    public int replace(final long reference, final long newReference, final long shares, final long price)
    {
        buffer.putLong(offset + ItchDescriptor.NEW_REFERENCE_OFFSET, newReference);
        buffer.putInt(offset + ItchDescriptor.NEW_SHARES_OFFSET, (int)shares);
        buffer.putInt(offset + ItchDescriptor.NEW_PRICE_OFFSET, (int)price);
        return begin(ItchDescriptor.REPLACE, reference);
    }
}
