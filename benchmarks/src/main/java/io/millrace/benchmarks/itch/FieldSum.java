package io.millrace.benchmarks.itch;

import io.millrace.gateway.itch.ItchHandler;
import io.millrace.gateway.itch.ItchMessage;

import java.nio.ByteBuffer;

/** Reads each field of each order message and trade, and adds them, so that none is left out as dead code. */
final class FieldSum implements ItchHandler
{
    long sum;

    private boolean add(final ItchMessage m, final long fields)
    {
        sum += m.stockLocate() + m.timeNs() + fields;
        return true;
    }

    @Override
    public boolean onMessage(final ItchMessage m)
    {
        return add(m, 0);
    }

    @Override
    public boolean onAdd(final ItchMessage m)
    {
        return add(m, m.reference() + m.side() + m.shares() + m.stock() + m.price());
    }

    @Override
    public boolean onDelete(final ItchMessage m)
    {
        return add(m, m.reference());
    }

    @Override
    public boolean onExecute(final ItchMessage m)
    {
        return add(m, m.reference() + m.takenShares() + m.takenMatchNumber());
    }

    @Override
    public boolean onCancel(final ItchMessage m)
    {
        return add(m, m.reference() + m.takenShares());
    }

    @Override
    public boolean onReplace(final ItchMessage m)
    {
        return add(m, m.reference() + m.newReference() + m.newShares() + m.newPrice());
    }

    @Override
    public boolean onTrade(final ItchMessage m)
    {
        return add(m, m.reference() + m.side() + m.shares() + m.stock() + m.price() + m.tradeMatchNumber());
    }

    /** The same of one message, by offsets of the specification and byte by byte. */
    static long plain(final ByteBuffer b, final int at)
    {
        final long header = number(b, at + 1, 2) + number(b, at + 5, 6);
        return header + switch ((char)b.get(at))
        {
            case 'A', 'F' -> number(b, at + 11, 8) + b.get(at + 19) + number(b, at + 20, 4) + number(b, at + 24, 8) +
                number(b, at + 32, 4);
            case 'D' -> number(b, at + 11, 8);
            case 'E', 'C' -> number(b, at + 11, 8) + number(b, at + 19, 4) + number(b, at + 23, 8);
            case 'X' -> number(b, at + 11, 8) + number(b, at + 19, 4);
            case 'U' -> number(b, at + 11, 8) + number(b, at + 19, 8) + number(b, at + 27, 4) + number(b, at + 31, 4);
            case 'P' -> number(b, at + 11, 8) + b.get(at + 19) + number(b, at + 20, 4) + number(b, at + 24, 8) +
                number(b, at + 32, 4) + number(b, at + 36, 8);
            default -> 0;
        };
    }

    private static long number(final ByteBuffer bytes, final int offset, final int length)
    {
        long number = 0;
        for (int i = 0; i < length; i++)
        {
            number = number << 8 | bytes.get(offset + i) & 0xFF;
        }
        return number;
    }
}
