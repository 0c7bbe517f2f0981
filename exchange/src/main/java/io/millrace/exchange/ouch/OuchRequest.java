package io.millrace.exchange.ouch;

import java.nio.ByteBuffer;

/**
 * View of a client's OUCH message: see {@link OuchDescriptor}. Copies and allocates nothing. Read only the fields that
 * the type has. One thread.
 */
public final class OuchRequest
{
    private ByteBuffer buffer;
    private int offset;
    private int appendageLength;

    /** A view of nothing. */
    public OuchRequest()
    {
    }

    /**
     * View a message and check its length.
     *
     * @param newBuffer big-endian.
     * @param newOffset of the type.
     * @param length    of the message with its appendage.
     * @return false if the type is not of the subset, or the length is not the type's.
     */
    public boolean wrap(final ByteBuffer newBuffer, final int newOffset, final int length)
    {
        buffer = newBuffer;
        offset = newOffset;
        appendageLength = 0;
        if (length < 1)
        {
            return false;
        }
        return switch (type())
        {
            case OuchDescriptor.ENTER -> hasAppendage(length, OuchDescriptor.ENTER_APPENDAGE_OFFSET);
            case OuchDescriptor.REPLACE -> hasAppendage(length, OuchDescriptor.REPLACE_APPENDAGE_OFFSET);
            case OuchDescriptor.CANCEL -> hasOptionalAppendage(length, OuchDescriptor.CANCEL_LENGTH);
            case OuchDescriptor.MODIFY -> hasOptionalAppendage(length, OuchDescriptor.MODIFY_LENGTH);
            case OuchDescriptor.MASS_CANCEL -> hasOptionalAppendage(length, OuchDescriptor.MASS_CANCEL_LENGTH);
            default -> false;
        };
    }

    private boolean hasAppendage(final int length, final int at)
    {
        if (length < at + Short.BYTES)
        {
            return false;
        }
        appendageLength = buffer.getShort(offset + at) & 0xFFFF;
        return length == at + Short.BYTES + appendageLength;
    }

    private boolean hasOptionalAppendage(final int length, final int at)
    {
        return length == at || hasAppendage(length, at);
    }

    /** @return the type letter. */
    public byte type()
    {
        return buffer.get(offset + OuchDescriptor.TYPE_OFFSET);
    }

    /** @return bytes of options behind the fields; the subset has none. */
    public int appendageLength()
    {
        return appendageLength;
    }

    /** @return ref of the order; of a replace, the old one. */
    public long ref()
    {
        return unsigned(OuchDescriptor.REF_OFFSET);
    }

    /** @return new ref of a replace. */
    public long newRef()
    {
        return unsigned(OuchDescriptor.NEW_REF_OFFSET);
    }

    /** @return side of an enter or modify. */
    public byte side()
    {
        return buffer.get(offset + OuchDescriptor.SIDE_OFFSET);
    }

    /** @return quantity of any order message. */
    public long quantity()
    {
        return switch (type())
        {
            case OuchDescriptor.REPLACE -> unsigned(OuchDescriptor.REPLACE_QUANTITY_OFFSET);
            case OuchDescriptor.CANCEL -> unsigned(OuchDescriptor.CANCEL_QUANTITY_OFFSET);
            default -> unsigned(OuchDescriptor.QUANTITY_OFFSET);
        };
    }

    /** @return symbol of an enter or mass cancel, the first character in the highest byte. */
    public long symbol()
    {
        return buffer.getLong(offset + (type() == OuchDescriptor.ENTER ? OuchDescriptor.SYMBOL_OFFSET :
            OuchDescriptor.MASS_CANCEL_SYMBOL_OFFSET));
    }

    /** @return price of an enter or replace; negative if it exceeds 2^63 - 1. */
    public long price()
    {
        return buffer.getLong(offset + (type() == OuchDescriptor.ENTER ? OuchDescriptor.PRICE_OFFSET :
            OuchDescriptor.REPLACE_PRICE_OFFSET));
    }

    /** @return time in force of an enter or replace. */
    public byte timeInForce()
    {
        return buffer.get(offset + (type() == OuchDescriptor.ENTER ? OuchDescriptor.TIME_IN_FORCE_OFFSET :
            OuchDescriptor.REPLACE_TIME_IN_FORCE_OFFSET));
    }

    /** @return display of an enter or replace. */
    public byte display()
    {
        return buffer.get(offset + (type() == OuchDescriptor.ENTER ? OuchDescriptor.DISPLAY_OFFSET :
            OuchDescriptor.REPLACE_DISPLAY_OFFSET));
    }

    /** @return sweep of an enter or replace. */
    public byte sweep()
    {
        return buffer.get(offset + (type() == OuchDescriptor.ENTER ? OuchDescriptor.SWEEP_OFFSET :
            OuchDescriptor.REPLACE_SWEEP_OFFSET));
    }

    /** @return cross type of an enter. */
    public byte crossType()
    {
        return buffer.get(offset + OuchDescriptor.CROSS_TYPE_OFFSET);
    }

    private long unsigned(final int at)
    {
        return buffer.getInt(offset + at) & 0xFFFF_FFFFL;
    }
}
