package io.millrace.engine.codec;

import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.tables.LongRows;
import io.millrace.pool.ByteView;

import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Encodes snapshots of engines in the layout of {@link EngineSnapshotDescriptor}. The head (header, rows of all tables
 * and checksum) is encoded here, each book by {@link BookSnapshotCodec}, so a large snapshot can be written and read in
 * pieces.
 * <p>
 * The decoder checks that the bytes are complete and from an encoder; {@link EngineSnapshot#restoreTo} checks that they
 * are a valid state. It allocates only in proportion to the bytes present. One thread.
 */
public final class EngineSnapshotCodec
{
    /** Rows of all tables together; more do not fit into one array of bytes. */
    private static final long MAX_LENGTH = Integer.MAX_VALUE - 64;
    private static final int TABLES = 5;

    private final BookSnapshotCodec books = new BookSnapshotCodec();
    private final CRC32C checksum = new CRC32C();

    /** Creates a codec. */
    public EngineSnapshotCodec()
    {
    }

    /** A table, in the order of the layout. No array of them: a snapshot that is used again allocates nothing. */
    private static LongRows table(final EngineSnapshot snapshot, final int number)
    {
        return switch (number)
        {
            case 0 -> snapshot.symbols();
            case 1 -> snapshot.users().currencies();
            case 2 -> snapshot.users().users();
            case 3 -> snapshot.users().accounts();
            default -> snapshot.users().positions();
        };
    }

    /**
     * Length of an encoded head: header, rows of all tables and checksum, without the books.
     *
     * @param snapshot the snapshot.
     * @return bytes.
     * @throws BookSnapshotException when the rows do not fit into 2 GB.
     */
    public int headLengthBytes(final EngineSnapshot snapshot)
    {
        long length = EngineSnapshotDescriptor.ROWS_OFFSET + EngineSnapshotDescriptor.TRAILER_LENGTH;
        for (int i = 0; i < TABLES; i++)
        {
            final LongRows table = table(snapshot, i);
            length += (long)table.count() * table.width() * Long.BYTES;
        }
        if (length > MAX_LENGTH)
        {
            throw new BookSnapshotException("rows of " + length + " bytes do not fit into 2 GB");
        }
        return (int)length;
    }

    /**
     * Length of a whole encoded snapshot.
     *
     * @param snapshot the snapshot.
     * @return bytes; more than 2 GB do not fit into one view, write such a snapshot in pieces.
     */
    public long lengthBytes(final EngineSnapshot snapshot)
    {
        long length = headLengthBytes(snapshot);
        for (int row = 0; row < snapshot.symbols().count(); row++)
        {
            length += books.lengthBytes(snapshot.book(row));
        }
        return length;
    }

    /**
     * Writes a whole snapshot.
     *
     * @param snapshot is only read.
     * @param into     the destination.
     * @param offset   offset of the first byte.
     * @return bytes written, or {@link BookSnapshotCodec#INSUFFICIENT_CAPACITY}: the view is too short, nothing was
     *     written.
     */
    public int encode(final EngineSnapshot snapshot, final ByteView into, final int offset)
    {
        final long length = lengthBytes(snapshot);
        if (length > MAX_LENGTH || !into.contains(offset, (int)length))
        {
            return BookSnapshotCodec.INSUFFICIENT_CAPACITY;
        }
        int at = offset + encodeHead(snapshot, into, offset);
        for (int row = 0; row < snapshot.symbols().count(); row++)
        {
            at += books.encode(snapshot.book(row), into, at);
        }
        return at - offset;
    }

    /**
     * Writes the head of a snapshot: header, rows of all tables and checksum, without the books.
     *
     * @param snapshot is only read.
     * @param into     the destination.
     * @param offset   offset of the first byte.
     * @return bytes written, or {@link BookSnapshotCodec#INSUFFICIENT_CAPACITY}.
     */
    public int encodeHead(final EngineSnapshot snapshot, final ByteView into, final int offset)
    {
        final int length = headLengthBytes(snapshot);
        if (!into.contains(offset, length))
        {
            return BookSnapshotCodec.INSUFFICIENT_CAPACITY;
        }
        into.putInt(offset + EngineSnapshotDescriptor.MAGIC_OFFSET, EngineSnapshotDescriptor.MAGIC);
        into.putShort(offset + EngineSnapshotDescriptor.VERSION_OFFSET, EngineSnapshotDescriptor.VERSION);
        into.putShort(offset + EngineSnapshotDescriptor.HAS_USERS_OFFSET, (short)(snapshot.hasUsers() ? 1 : 0));
        into.putLong(offset + EngineSnapshotDescriptor.CONFIGURATION_OFFSET, snapshot.configuration());
        into.putLong(offset + EngineSnapshotDescriptor.TIME_OFFSET, snapshot.timeNs());
        Reserved.clear(into, offset + EngineSnapshotDescriptor.RESERVED_OFFSET,
            EngineSnapshotDescriptor.ROWS_OFFSET - EngineSnapshotDescriptor.RESERVED_OFFSET);
        int counts = offset + EngineSnapshotDescriptor.SYMBOLS_OFFSET;
        int at = offset + EngineSnapshotDescriptor.ROWS_OFFSET;
        for (int i = 0; i < TABLES; i++)
        {
            final LongRows table = table(snapshot, i);
            into.putInt(counts, table.count());
            counts += Integer.BYTES;
            for (int row = 0; row < table.count(); row++)
            {
                for (int column = 0; column < table.width(); column++)
                {
                    into.putLong(at, table.get(row, column));
                    at += Long.BYTES;
                }
            }
        }
        checksum.reset();
        into.updateChecksum(checksum, offset, at - offset);
        into.putLong(at, checksum.getValue());
        return length;
    }

    /**
     * Reads a whole snapshot.
     *
     * @param from   the source, any bytes.
     * @param offset offset of the first byte, any number.
     * @param length number of bytes: exactly those of the snapshot.
     * @param into   is filled; when the bytes are refused, it is of no use.
     * @throws BookSnapshotException when the bytes are not a complete snapshot. The message says which value is wrong.
     */
    public void decode(final ByteView from, final int offset, final int length, final EngineSnapshot into)
    {
        int at = headLengthBytes(from, offset, length);
        decodeHead(from, offset, at, into);
        for (int row = 0; row < into.symbols().count(); row++)
        {
            final int ofBook = bookLengthBytes(from, offset + at, length - at, into, row);
            decodeBook(from, offset + at, ofBook, into, row);
            at += ofBook;
        }
        if (at != length)
        {
            throw new BookSnapshotException("length " + length + " is not " + at + ", the length of the snapshot");
        }
    }

    /**
     * Length of the encoded head, from its first {@value EngineSnapshotDescriptor#ROWS_OFFSET} bytes.
     *
     * @param from      the source, any bytes.
     * @param offset    offset of the first byte.
     * @param available number of bytes that there are, which the view may have only in part.
     * @return bytes, at most as many as there are.
     * @throws BookSnapshotException when it is not the head of a snapshot, or longer.
     */
    public int headLengthBytes(final ByteView from, final int offset, final long available)
    {
        if (available < EngineSnapshotDescriptor.ROWS_OFFSET || !from.contains(
            offset, EngineSnapshotDescriptor.ROWS_OFFSET))
        {
            throw new BookSnapshotException("length " + available + " is less than the " +
                EngineSnapshotDescriptor.ROWS_OFFSET + " bytes before the rows of a snapshot");
        }
        final int magic = from.getInt(offset + EngineSnapshotDescriptor.MAGIC_OFFSET);
        if (magic != EngineSnapshotDescriptor.MAGIC)
        {
            throw new BookSnapshotException(String.format(Locale.ROOT,
                "magic 0x%08x is not 0x%08x: these bytes are not a " +
                "snapshot of an engine", magic, EngineSnapshotDescriptor.MAGIC));
        }
        final short version = from.getShort(offset + EngineSnapshotDescriptor.VERSION_OFFSET);
        if (version < 1 || version > EngineSnapshotDescriptor.VERSION)
        {
            throw new BookSnapshotException("version " + (version & 0xFFFF) + " is not in 1.." +
                EngineSnapshotDescriptor.VERSION + ", the versions that this codec reads");
        }
        final EngineSnapshot empty = new EngineSnapshot();
        long length = EngineSnapshotDescriptor.ROWS_OFFSET + EngineSnapshotDescriptor.TRAILER_LENGTH;
        for (int i = 0; i < TABLES; i++)
        {
            length += (from.getInt(offset + EngineSnapshotDescriptor.SYMBOLS_OFFSET + i * Integer.BYTES) &
                0xFFFF_FFFFL) * width(version, i, table(empty, i)) * Long.BYTES;
        }
        if (length > Math.min(available, MAX_LENGTH))
        {
            throw new BookSnapshotException("length " + available + " is less than " + length + ", that of the rows");
        }
        return (int)length;
    }

    /** Words of a table's row in a version. */
    private static int width(final short version, final int table, final LongRows rows)
    {
        return version == 1 && table == 0 ? EngineSnapshotDescriptor.FIRST_SYMBOL_WORDS : rows.width();
    }

    /**
     * Reads the head of a snapshot: header, rows of all tables and checksum, without the books.
     *
     * @param from   the source.
     * @param offset offset of the first byte.
     * @param length from {@link #headLengthBytes(ByteView, int, long)}.
     * @param into   gets the rows; the books come next.
     * @throws BookSnapshotException when the bytes are damaged.
     */
    public void decodeHead(final ByteView from, final int offset, final int length, final EngineSnapshot into)
    {
        if (!from.contains(offset, length))
        {
            throw new BookSnapshotException("the view ends before the " + length + " bytes of the head");
        }
        final int covered = length - EngineSnapshotDescriptor.TRAILER_LENGTH;
        checksum.reset();
        from.updateChecksum(checksum, offset, covered);
        if (from.getLong(offset + covered) != checksum.getValue())
        {
            throw new BookSnapshotException(String.format(Locale.ROOT,
                "checksum 0x%016x is not 0x%016x, that of the first %d " +
                "bytes", from.getLong(offset + covered), checksum.getValue(), covered));
        }
        final short hasUsers = from.getShort(offset + EngineSnapshotDescriptor.HAS_USERS_OFFSET);
        if ((hasUsers & ~1) != 0 || !Reserved.isClear(from, offset + EngineSnapshotDescriptor.RESERVED_OFFSET,
            EngineSnapshotDescriptor.ROWS_OFFSET - EngineSnapshotDescriptor.RESERVED_OFFSET))
        {
            throw new BookSnapshotException("reserved bytes of the header are not zero");
        }
        into.header(hasUsers != 0, from.getLong(offset + EngineSnapshotDescriptor.CONFIGURATION_OFFSET),
            from.getLong(offset + EngineSnapshotDescriptor.TIME_OFFSET));
        final short version = from.getShort(offset + EngineSnapshotDescriptor.VERSION_OFFSET);
        int at = offset + EngineSnapshotDescriptor.ROWS_OFFSET;
        for (int i = 0; i < TABLES; i++)
        {
            final LongRows table = table(into, i);
            table.count(from.getInt(offset + EngineSnapshotDescriptor.SYMBOLS_OFFSET + i * Integer.BYTES));
            at += decodeRows(from, at, width(version, i, table), table);
        }
        if (version == 1)
        {
            into.clearTradingLimits();
        }
    }

    /** Reads the rows of a table; returns their bytes. */
    private static int decodeRows(final ByteView from, final int offset, final int width, final LongRows into)
    {
        int at = offset;
        for (int row = 0; row < into.count(); row++)
        {
            for (int column = 0; column < width; column++)
            {
                into.set(row, column, from.getLong(at));
                at += Long.BYTES;
            }
        }
        return at - offset;
    }

    /**
     * Length of a book's snapshot, from its first {@value BookSnapshotDescriptor#FIRST_ROWS_OFFSET} bytes.
     *
     * @param from      the source, any bytes.
     * @param offset    offset of the first byte.
     * @param available number of bytes that there are, which the view may have only in part.
     * @param into      has the row of the book's symbol, whose order capacity limits it.
     * @param row       number of that row.
     * @return bytes, at most as many as there are.
     * @throws BookSnapshotException when it is longer, or of more orders than the book can have.
     */
    public int bookLengthBytes(
        final ByteView from, final int offset, final long available, final EngineSnapshot into, final int row)
    {
        if (available < BookSnapshotDescriptor.FIRST_ROWS_OFFSET || !from.contains(offset,
            BookSnapshotDescriptor.FIRST_ROWS_OFFSET))
        {
            throw new BookSnapshotException("symbol " + row + ": no book follows the rows");
        }
        final long orders = unsigned(from, offset + BookSnapshotDescriptor.BIDS_OFFSET) +
            unsigned(from, offset + BookSnapshotDescriptor.ASKS_OFFSET) +
            unsigned(from, offset + BookSnapshotDescriptor.STOPS_OFFSET);
        final long extraFields = unsigned(from, offset + BookSnapshotDescriptor.EXTRA_FIELD_COUNT_OFFSET);
        final short version = from.getShort(offset + BookSnapshotDescriptor.VERSION_OFFSET);
        if (orders > into.orderCapacity(row) || extraFields > orders ||
            BookSnapshotDescriptor.lengthBytes(version, (int)orders, (int)extraFields) > available)
        {
            throw new BookSnapshotException("symbol " + row + ": " + orders + " orders and " + extraFields +
                " extra fields are more than the book can have, or than there are bytes: " + available);
        }
        return BookSnapshotDescriptor.lengthBytes(version, (int)orders, (int)extraFields);
    }

    private static long unsigned(final ByteView from, final int offset)
    {
        return from.getInt(offset) & 0xFFFF_FFFFL;
    }

    /**
     * Reads the snapshot of a book.
     *
     * @param from   the source.
     * @param offset offset of the first byte.
     * @param length from {@link #bookLengthBytes}.
     * @param into   gets the book.
     * @param row    number of its symbol's row.
     * @throws BookSnapshotException when the bytes are damaged.
     */
    public void decodeBook(
        final ByteView from, final int offset, final int length, final EngineSnapshot into, final int row)
    {
        final int orders = (length - BookSnapshotDescriptor.FIRST_ROWS_OFFSET) / BookSnapshotDescriptor.ROW_LENGTH;
        books.decode(from, offset, length, into.book(row, orders));
    }
}
