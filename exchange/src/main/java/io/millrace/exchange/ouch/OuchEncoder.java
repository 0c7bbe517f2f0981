package io.millrace.exchange.ouch;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Writes OUCH messages to clients into a big-endian buffer: see {@link OuchDescriptor}. Fields that the exchange does
 * not keep have always the same values, so an answer that is sent again has the same bytes. Numbers are cut to the
 * width of their field; callers check ranges. Allocates nothing. Each message method returns the bytes written. One
 * thread.
 */
public final class OuchEncoder
{
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);
    private static final byte SPACE = ' ';

    private ByteBuffer buffer;
    private int offset;
    private long timeNs;

    /** An encoder without a buffer. */
    public OuchEncoder()
    {
    }

    /**
     * Where the next message goes.
     *
     * @param newBuffer  big-endian, with {@value OuchDescriptor#MAX_ANSWER_LENGTH} bytes from the offset on.
     * @param newOffset  of the type.
     * @param epochNs    time of the message, nanoseconds since 1970.
     * @return this.
     */
    public OuchEncoder wrap(final ByteBuffer newBuffer, final int newOffset, final long epochNs)
    {
        buffer = newBuffer;
        offset = newOffset;
        timeNs = Math.floorMod(epochNs, DAY_NS);
        return this;
    }

    private int begin(final byte type, final int length)
    {
        buffer.put(offset + OuchDescriptor.TYPE_OFFSET, type);
        buffer.putLong(offset + OuchDescriptor.TIME_OFFSET, timeNs);
        return length;
    }

    private int begin(final byte type, final long ref, final int length)
    {
        buffer.putInt(offset + OuchDescriptor.ANSWER_REF_OFFSET, (int)ref);
        return begin(type, length);
    }

    private void spaces(final int at, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            buffer.put(at + i, SPACE);
        }
    }

    /**
     * S: system event.
     *
     * @param code the event.
     * @return bytes written.
     */
    public int systemEvent(final byte code)
    {
        buffer.put(offset + OuchDescriptor.ANSWER_REF_OFFSET, code);
        return begin(OuchDescriptor.SYSTEM_EVENT, OuchDescriptor.SYSTEM_EVENT_LENGTH);
    }

    /**
     * A: order accepted.
     *
     * @param ref       of the order.
     * @param side      'B' or 'S'.
     * @param quantity  of the order.
     * @param symbol    the first character in the highest byte.
     * @param price     in 1/10,000.
     * @param reference public number of the order.
     * @return bytes written.
     */
    public int accepted(
        final long ref,
        final byte side,
        final long quantity,
        final long symbol,
        final long price,
        final long reference)
    {
        order(offset + OuchDescriptor.ANSWER_BODY_OFFSET, side, quantity, symbol, price, reference);
        return begin(OuchDescriptor.ACCEPTED, ref, OuchDescriptor.ACCEPTED_LENGTH);
    }

    /**
     * U: order replaced.
     *
     * @param oldRef    of the order before.
     * @param ref       of the order now.
     * @param side      'B' or 'S'.
     * @param quantity  that the order may still trade.
     * @param symbol    the first character in the highest byte.
     * @param price     in 1/10,000.
     * @param reference public number of the order.
     * @return bytes written.
     */
    public int replaced(
        final long oldRef,
        final long ref,
        final byte side,
        final long quantity,
        final long symbol,
        final long price,
        final long reference)
    {
        buffer.putInt(offset + OuchDescriptor.ANSWER_BODY_OFFSET, (int)ref);
        order(offset + OuchDescriptor.ANSWER_BODY_OFFSET + Integer.BYTES, side, quantity, symbol, price, reference);
        return begin(OuchDescriptor.REPLACED, oldRef, OuchDescriptor.REPLACED_LENGTH);
    }

    /** The fields that accepted and replaced have in common. */
    private void order(
        final int body,
        final byte side,
        final long quantity,
        final long symbol,
        final long price,
        final long reference)
    {
        int at = body;
        buffer.put(at, side);
        at += Byte.BYTES;
        buffer.putInt(at, (int)quantity);
        at += Integer.BYTES;
        buffer.putLong(at, symbol);
        at += Long.BYTES;
        buffer.putLong(at, price);
        at += Long.BYTES;
        buffer.put(at++, OuchDescriptor.DAY);
        buffer.put(at++, OuchDescriptor.VISIBLE);
        buffer.putLong(at, reference);
        at += Long.BYTES;
        buffer.put(at++, OuchDescriptor.OTHER_CAPACITY);
        buffer.put(at++, OuchDescriptor.NO_SWEEP);
        buffer.put(at++, OuchDescriptor.CONTINUOUS);
        buffer.put(at++, OuchDescriptor.LIVE);
        spaces(at, OuchDescriptor.CLIENT_ID_LENGTH);
        buffer.putShort(at + OuchDescriptor.CLIENT_ID_LENGTH, (short)0);
    }

    /**
     * C: order canceled, or a part of it.
     *
     * @param ref      of the order.
     * @param quantity that is gone.
     * @param reason   see {@link OuchDescriptor}.
     * @return bytes written.
     */
    public int canceled(final long ref, final long quantity, final byte reason)
    {
        buffer.putInt(offset + OuchDescriptor.ANSWER_BODY_OFFSET, (int)quantity);
        buffer.put(offset + OuchDescriptor.ANSWER_BODY_OFFSET + Integer.BYTES, reason);
        return begin(OuchDescriptor.CANCELED, ref, OuchDescriptor.CANCELED_LENGTH);
    }

    /**
     * E: order executed, or a part of it.
     *
     * @param ref         of the order.
     * @param quantity    that traded.
     * @param price       in 1/10,000.
     * @param liquidity   see {@link OuchDescriptor}.
     * @param matchNumber of the trade.
     * @return bytes written.
     */
    public int executed(
        final long ref, final long quantity, final long price, final byte liquidity, final long matchNumber)
    {
        int at = offset + OuchDescriptor.ANSWER_BODY_OFFSET;
        buffer.putInt(at, (int)quantity);
        at += Integer.BYTES;
        buffer.putLong(at, price);
        at += Long.BYTES;
        buffer.put(at++, liquidity);
        buffer.putLong(at, matchNumber);
        buffer.putShort(at + Long.BYTES, (short)0);
        return begin(OuchDescriptor.EXECUTED, ref, OuchDescriptor.EXECUTED_LENGTH);
    }

    /**
     * J: enter, replace or mass cancel rejected.
     *
     * @param ref    of the message.
     * @param reason number of the reason, 0 to 65,535.
     * @return bytes written.
     */
    public int rejected(final long ref, final int reason)
    {
        final int at = offset + OuchDescriptor.ANSWER_BODY_OFFSET;
        buffer.putShort(at, (short)reason);
        spaces(at + Short.BYTES, OuchDescriptor.CLIENT_ID_LENGTH);
        return begin(OuchDescriptor.REJECTED, ref, OuchDescriptor.REJECTED_LENGTH);
    }

    /**
     * I: cancel or modify rejected.
     *
     * @param ref of the order.
     * @return bytes written.
     */
    public int cancelReject(final long ref)
    {
        return begin(OuchDescriptor.CANCEL_REJECT, ref, OuchDescriptor.CANCEL_REJECT_LENGTH);
    }

    /**
     * M: order modified.
     *
     * @param ref      of the order.
     * @param side     'B' or 'S'.
     * @param quantity that the order may still trade.
     * @return bytes written.
     */
    public int modified(final long ref, final byte side, final long quantity)
    {
        buffer.put(offset + OuchDescriptor.ANSWER_BODY_OFFSET, side);
        buffer.putInt(offset + OuchDescriptor.ANSWER_BODY_OFFSET + Byte.BYTES, (int)quantity);
        return begin(OuchDescriptor.MODIFIED, ref, OuchDescriptor.MODIFIED_LENGTH);
    }

    /**
     * X: answer to a mass cancel, after the canceled orders.
     *
     * @param ref    of the mass cancel.
     * @param symbol the first character in the highest byte; spaces for all.
     * @return bytes written.
     */
    public int massCanceled(final long ref, final long symbol)
    {
        final int at = offset + OuchDescriptor.ANSWER_BODY_OFFSET;
        spaces(at, OuchDescriptor.FIRM_LENGTH);
        buffer.putLong(at + OuchDescriptor.FIRM_LENGTH, symbol);
        buffer.putShort(at + OuchDescriptor.FIRM_LENGTH + OuchDescriptor.SYMBOL_LENGTH, (short)0);
        return begin(OuchDescriptor.MASS_CANCELED, ref, OuchDescriptor.MASS_CANCELED_LENGTH);
    }
}
