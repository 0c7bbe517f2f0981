package io.millrace.gateway.itch;

import io.millrace.gateway.Symbols;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * View of one ITCH 5.0 message in an array: see {@link ItchDescriptor}. Copies and allocates nothing. Read
 * only the fields that the type has; another field's bytes may belong to the next message. One thread.
 */
public final class ItchMessage
{
    /**
     * Each field is read as the low bits of the eight bytes that end with it: all are checked against one bound, so the
     * compiler merges checks.
     */
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int offset;

    /** A view of nothing. */
    public ItchMessage()
    {
    }

    /**
     * View a message without a check.
     *
     * @param newBytes  has the message.
     * @param newOffset of the type.
     * @return this.
     */
    public ItchMessage wrap(final byte[] newBytes, final int newOffset)
    {
        bytes = newBytes;
        offset = newOffset;
        return this;
    }

    /** View another message of the same array. */
    ItchMessage moveTo(final int newOffset)
    {
        offset = newOffset;
        return this;
    }

    /** @return the array that has the message. */
    public byte[] bytes()
    {
        return bytes;
    }

    /** @return where the message begins in the array. */
    public int offset()
    {
        return offset;
    }

    /** @return bytes of a message of this type; 0 if there is no such type. */
    public int length()
    {
        return ItchDescriptor.length(type());
    }

    /** @return the type letter. */
    public byte type()
    {
        return bytes[offset];
    }

    /** @return number of the stock on this day, 0 to 65,535. */
    public int stockLocate()
    {
        // The eight bytes that end with it would begin before the message.
        return (int)(eight(ItchDescriptor.LOCATE_OFFSET) >>> 48);
    }

    /** @return tracking number of the exchange, 0 to 65,535. */
    public int trackingNumber()
    {
        return (int)(eight(ItchDescriptor.TRACKING_OFFSET) >>> 48);
    }

    /** @return nanoseconds since midnight in New York. */
    public long timeNs()
    {
        // Eight bytes from the tracking number on: its 16 bits are the highest.
        return eight(ItchDescriptor.TRACKING_OFFSET) & 0xFFFF_FFFF_FFFFL;
    }

    /** @return order reference of A F E C X D U P. */
    public long reference()
    {
        return eight(ItchDescriptor.REFERENCE_OFFSET);
    }

    /** @return side of A F P: 'B' or 'S', if the sender keeps to the protocol. */
    public byte side()
    {
        return (byte)eight(ItchDescriptor.SIDE_OFFSET + Byte.BYTES - Long.BYTES);
    }

    /** @return shares of A F P. */
    public long shares()
    {
        return uint(ItchDescriptor.SHARES_OFFSET);
    }

    /** @return price of A F P, and price of the execution of C; dollars x 10,000. */
    public long price()
    {
        return uint(ItchDescriptor.PRICE_OFFSET);
    }

    /** @return participant's id of F: four ASCII characters, the first in the highest byte. */
    public int attribution()
    {
        return (int)uint(ItchDescriptor.ATTRIBUTION_OFFSET);
    }

    /** @return shares of E C X. */
    public long takenShares()
    {
        return uint(ItchDescriptor.TAKEN_SHARES_OFFSET);
    }

    /** @return match number of E C. */
    public long takenMatchNumber()
    {
        return eight(ItchDescriptor.TAKEN_MATCH_OFFSET);
    }

    /** @return match number of P. */
    public long tradeMatchNumber()
    {
        return eight(ItchDescriptor.TRADE_MATCH_OFFSET);
    }

    /** @return whether an execution C counts in the volume. */
    public boolean isPrintable()
    {
        return bytes[offset + ItchDescriptor.PRINTABLE_OFFSET] == 'Y';
    }

    /** @return reference of the new order of U. */
    public long newReference()
    {
        return eight(ItchDescriptor.NEW_REFERENCE_OFFSET);
    }

    /** @return shares of the new order of U. */
    public long newShares()
    {
        return uint(ItchDescriptor.NEW_SHARES_OFFSET);
    }

    /** @return price of the new order of U, dollars x 10,000. */
    public long newPrice()
    {
        return uint(ItchDescriptor.NEW_PRICE_OFFSET);
    }

    /** @return event code of S. */
    public byte eventCode()
    {
        return bytes[offset + ItchDescriptor.EVENT_CODE_OFFSET];
    }

    /** @return stock of A F P, see {@link Symbols}. */
    public long stock()
    {
        return eight(ItchDescriptor.STOCK_OFFSET);
    }

    /** @return stock of any type that has one, see {@link Symbols}; {@link Symbols#NONE} if the type has none. */
    public long stockOfAnyType()
    {
        final int at = ItchDescriptor.stockOffset(type());
        return at == 0 ? Symbols.NONE : eight(at);
    }

    private long uint(final int field)
    {
        return eight(field + Integer.BYTES - Long.BYTES) & 0xFFFF_FFFFL;
    }

    private long eight(final int field)
    {
        return (long)LONG.get(bytes, offset + field);
    }
}
