package io.millrace.engine.codec;

import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.pool.ByteView;

import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Encodes snapshots of books in the layout of {@link BookSnapshotDescriptor}, with a checksum at the end.
 * <p>
 * The decoder checks that the bytes are a complete snapshot; {@link BookSnapshot#restoreTo} checks that the orders are
 * a valid book. Both directions allocate only exceptions. One thread.
 */
public final class BookSnapshotCodec
{
    /** Result of {@link #encode} when the snapshot does not fit. */
    public static final int INSUFFICIENT_CAPACITY = -1;

    /**
     * Length of the pieces whose checksum is computed while they are in the L1 cache: a quarter of the usual 32 KB.
     */
    private static final int STRETCH = 8_192;

    private final CRC32C checksum = new CRC32C();

    /** Creates a codec. */
    public BookSnapshotCodec()
    {
    }

    /**
     * Length of an encoded snapshot.
     * @param snapshot the snapshot.
     * @return bytes.
     */
    public int lengthBytes(final BookSnapshot snapshot)
    {
        return BookSnapshotDescriptor.lengthBytes(snapshot.orderCount(), snapshot.extraFieldCount());
    }

    /**
     * Writes a snapshot.
     * @param snapshot is only read.
     * @param into     the destination.
     * @param offset   offset of the first byte, any number.
     * @return bytes written, or INSUFFICIENT_CAPACITY: the view is too short, nothing was written.
     */
    public int encode(final BookSnapshot snapshot, final ByteView into, final int offset)
    {
        final int length = lengthBytes(snapshot);
        if (!into.contains(offset, length))
        {
            return INSUFFICIENT_CAPACITY;
        }
        checksum.reset();
        encodeHeader(snapshot, into, offset);
        into.updateChecksum(checksum, offset, BookSnapshotDescriptor.ROWS_OFFSET);
        int at = offset + BookSnapshotDescriptor.ROWS_OFFSET;
        final int words = snapshot.orderCount() * BookSnapshot.ROW_WORDS;
        for (int word = 0; word < words;)
        {
            final int end = Math.min(words, word + STRETCH / Long.BYTES);
            final int from = at;
            for (; word < end; word++)
            {
                into.putLong(at, snapshot.word(word));
                at += Long.BYTES;
            }
            into.updateChecksum(checksum, from, at - from);
        }
        final int extraFieldsAt = at;
        for (int extraField = 0; extraField < snapshot.extraFieldCount(); extraField++)
        {
            into.putLong(at, snapshot.extraField(extraField));
            at += BookSnapshotDescriptor.EXTRA_FIELD_LENGTH;
        }
        into.updateChecksum(checksum, extraFieldsAt, at - extraFieldsAt);
        into.putLong(at, checksum.getValue());
        return length;
    }

    private static void encodeHeader(final BookSnapshot snapshot, final ByteView into, final int offset)
    {
        into.putInt(offset + BookSnapshotDescriptor.MAGIC_OFFSET, BookSnapshotDescriptor.MAGIC);
        into.putShort(offset + BookSnapshotDescriptor.VERSION_OFFSET, BookSnapshotDescriptor.VERSION);
        into.putShort(offset + BookSnapshotDescriptor.RESERVED_OFFSET, (short)0);
        into.putInt(offset + BookSnapshotDescriptor.SYMBOL_OFFSET, snapshot.symbol());
        into.putInt(offset + BookSnapshotDescriptor.RESERVED_2_OFFSET, 0);
        into.putInt(offset + BookSnapshotDescriptor.BIDS_OFFSET, snapshot.bidCount());
        into.putInt(offset + BookSnapshotDescriptor.ASKS_OFFSET, snapshot.askCount());
        into.putInt(offset + BookSnapshotDescriptor.STOPS_OFFSET, snapshot.stopCount());
        into.putInt(offset + BookSnapshotDescriptor.EXTRA_FIELD_COUNT_OFFSET, snapshot.extraFieldCount());
        into.putLong(offset + BookSnapshotDescriptor.LAST_TRADE_OFFSET, snapshot.lastTradePrice());
        into.putLong(offset + BookSnapshotDescriptor.LAST_ACCEPTED_OFFSET, snapshot.lastAccepted());
        into.putLong(offset + BookSnapshotDescriptor.ORDER_SEQUENCE_OFFSET, snapshot.orderSequence());
        into.putLong(offset + BookSnapshotDescriptor.LEVEL_SEQUENCE_OFFSET, snapshot.levelSequence());
        into.putLong(offset + BookSnapshotDescriptor.LAST_TRADE_ID_OFFSET, snapshot.lastTradeId());
        into.putLong(offset + BookSnapshotDescriptor.TAPE_SEQUENCE_OFFSET, snapshot.tapeSequence());
    }

    /**
     * Reads a snapshot.
     * @param from   the source, any bytes.
     * @param offset offset of the first byte, any number.
     * @param length number of bytes: exactly the snapshot's length.
     * @param into   is filled.
     * @throws BookSnapshotException when the bytes are not a complete snapshot, or contain more orders than fit. The
     *                               message names the wrong value and the allowed range; nothing was changed.
     */
    public void decode(final ByteView from, final int offset, final int length, final BookSnapshot into)
    {
        if (!from.contains(offset, length))
        {
            throw new BookSnapshotException("bytes " + offset + ".." + ((long)offset + length) + " are not in 0.." +
                from.capacity());
        }
        final int least = BookSnapshotDescriptor.lengthBytes((short)1, 0, 0);
        if (length < least)
        {
            throw new BookSnapshotException("length " + length + " is less than " + least +
                ", the length of a snapshot without orders");
        }
        final short version = checkHeader(from, offset);
        final int bids = count("bids", from, offset + BookSnapshotDescriptor.BIDS_OFFSET, into.orderCapacity());
        final int asks = count("asks", from, offset + BookSnapshotDescriptor.ASKS_OFFSET, into.orderCapacity() - bids);
        final int stops =
            count("stops", from, offset + BookSnapshotDescriptor.STOPS_OFFSET, into.orderCapacity() - bids - asks);
        final int extraFields =
            count("extra fields", from, offset + BookSnapshotDescriptor.EXTRA_FIELD_COUNT_OFFSET, bids + asks + stops);
        final int needed = BookSnapshotDescriptor.lengthBytes(version, bids + asks + stops, extraFields);
        if (length != needed)
        {
            throw new BookSnapshotException("length " + length + " is not " + needed + ", the length of " +
                (bids + asks + stops) + " orders and " + extraFields + " extra fields");
        }
        checkEnd(from, offset, length - BookSnapshotDescriptor.TRAILER_LENGTH);
        into.begin(from.getInt(offset + BookSnapshotDescriptor.SYMBOL_OFFSET), bids, asks, stops, extraFields);
        into.market(from.getLong(offset + BookSnapshotDescriptor.LAST_TRADE_OFFSET),
            from.getLong(offset + BookSnapshotDescriptor.LAST_ACCEPTED_OFFSET),
            from.getLong(offset + BookSnapshotDescriptor.ORDER_SEQUENCE_OFFSET),
            from.getLong(offset + BookSnapshotDescriptor.LEVEL_SEQUENCE_OFFSET));
        if (version > 1)
        {
            into.tape(from.getLong(offset + BookSnapshotDescriptor.LAST_TRADE_ID_OFFSET),
                from.getLong(offset + BookSnapshotDescriptor.TAPE_SEQUENCE_OFFSET));
        }
        decodeOrders(from, offset + BookSnapshotDescriptor.rowsOffset(version), into);
    }

    /** Returns the version. */
    private static short checkHeader(final ByteView from, final int offset)
    {
        final int magic = from.getInt(offset + BookSnapshotDescriptor.MAGIC_OFFSET);
        if (magic != BookSnapshotDescriptor.MAGIC)
        {
            throw new BookSnapshotException("magic " + hex(magic) + " is not " + hex(BookSnapshotDescriptor.MAGIC) +
                ": these bytes are not a snapshot of a book");
        }
        final short version = from.getShort(offset + BookSnapshotDescriptor.VERSION_OFFSET);
        if (version < 1 || version > BookSnapshotDescriptor.VERSION)
        {
            throw new BookSnapshotException("version " + (version & 0xFFFF) + " is not in 1.." +
                BookSnapshotDescriptor.VERSION + ", the versions that this codec reads");
        }
        final int reserved = from.getShort(offset + BookSnapshotDescriptor.RESERVED_OFFSET) |
            from.getInt(offset + BookSnapshotDescriptor.RESERVED_2_OFFSET);
        if (reserved != 0)
        {
            throw new BookSnapshotException("reserved bytes " + hex(reserved) + " are not zero");
        }
        return version;
    }

    private static int count(final String name, final ByteView from, final int offset, final int greatest)
    {
        final int count = from.getInt(offset);
        if (count < 0 || count > greatest)
        {
            throw new BookSnapshotException(name + " " + Integer.toUnsignedString(count) + " is not in 0.." + greatest);
        }
        return count;
    }

    private void checkEnd(final ByteView from, final int offset, final int covered)
    {
        checksum.reset();
        from.updateChecksum(checksum, offset, covered);
        final int found = from.getInt(offset + covered);
        if (found != (int)checksum.getValue())
        {
            throw new BookSnapshotException("checksum " + hex(found) + " is not " + hex((int)checksum.getValue()) +
                ", the checksum of the first " + covered + " bytes");
        }
        final int reserved = from.getInt(offset + covered + Integer.BYTES);
        if (reserved != 0)
        {
            throw new BookSnapshotException("reserved bytes " + hex(reserved) + " at the end are not zero");
        }
    }

    private static void decodeOrders(final ByteView from, final int offset, final BookSnapshot into)
    {
        int at = offset;
        final int words = into.orderCount() * BookSnapshot.ROW_WORDS;
        for (int word = 0; word < words; word++)
        {
            into.word(word, from.getLong(at));
            at += Long.BYTES;
        }
        for (int extraField = 0; extraField < into.extraFieldCount(); extraField++)
        {
            into.extraField(extraField, from.getLong(at));
            at += BookSnapshotDescriptor.EXTRA_FIELD_LENGTH;
        }
    }

    private static String hex(final int value)
    {
        return String.format(Locale.ROOT, "0x%08x", value);
    }
}
