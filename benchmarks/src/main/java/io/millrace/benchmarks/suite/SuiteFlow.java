package io.millrace.benchmarks.suite;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * A flow of the suite. Gives its messages to a book and writes the reports that the suite asks for to an array. A
 * modification is a cancel and a new order. One thread.
 * <pre>
 *  file    16 bytes header, u32 number of messages at 12; then for each message 40 bytes, little-endian:
 *          u8 type at 0 (0 new, 1 cancel, 2 modify), u8 side at 1, u8 IOC at 2, u32 size at 4, u64 sequence at 8,
 *          u64 order id at 16, i64 price at 24
 *  report  six longs: type (0 new, 1 trade, 2 cancelled, 3 modified, 4 cancel rejected, 5 modify rejected),
 *          sequence, up to four fields
 * </pre>
 */
final class SuiteFlow implements ExecutionListener
{
    static final int REPORT_TYPES = 6;

    private static final int REPORT_LONGS = 6;
    private static final int NEW = 0;
    private static final int TRADE = 1;
    private static final int CANCELLED = 2;
    private static final int MODIFIED = 3;
    private static final int CANCEL_REJECTED = 4;
    private static final int MODIFY_REJECTED = 5;
    private static final int MODIFY = 2;

    private static final int HEADER_BYTES = 16;
    private static final int COUNT_OFFSET = 12;
    private static final int MESSAGE_BYTES = 40;
    private static final int SIZE_OFFSET = 4;
    private static final int SEQUENCE_OFFSET = 8;
    private static final int ID_OFFSET = 16;
    private static final int PRICE_OFFSET = 24;
    // Of the published flows the one with most reports has 1.13 a message; a trade more for each would still fit.
    private static final int REPORTS_PER_MESSAGE = 3;
    private static final long UID = 1;

    // Type, IOC and side in a byte each.
    private final int[] kinds;
    private final long[] sizes;
    private final long[] sequences;
    private final long[] ids;
    private final long[] prices;
    private final long[] reports;
    private int end;
    private long sequence;
    private boolean isModifying;
    private byte modifiedSide;

    /**
     * Reads a flow.
     *
     * @param file gzip.
     * @throws InputException when it cannot be read or is no flow.
     */
    SuiteFlow(final Path file)
    {
        final ByteBuffer bytes = read(file);
        final int count = bytes.limit() < HEADER_BYTES ? 0 : bytes.getInt(COUNT_OFFSET);
        if (count < 1 || bytes.limit() != HEADER_BYTES + (long)MESSAGE_BYTES * count)
        {
            throw new InputException(file + ": not a flow of the suite");
        }
        kinds = new int[count];
        sizes = new long[count];
        sequences = new long[count];
        ids = new long[count];
        prices = new long[count];
        reports = new long[REPORT_LONGS * REPORTS_PER_MESSAGE * count];
        for (int i = 0; i < count; i++)
        {
            final int at = HEADER_BYTES + MESSAGE_BYTES * i;
            kinds[i] = bytes.get(at) | bytes.get(at + 2) << 8 | bytes.get(at + 1) << 16;
            sizes[i] = Integer.toUnsignedLong(bytes.getInt(at + SIZE_OFFSET));
            sequences[i] = bytes.getLong(at + SEQUENCE_OFFSET);
            ids[i] = bytes.getLong(at + ID_OFFSET);
            prices[i] = bytes.getLong(at + PRICE_OFFSET);
        }
    }

    private static ByteBuffer read(final Path file)
    {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file)))
        {
            return ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        }
        catch (final IOException ex)
        {
            throw new InputException(file + ": " + ex);
        }
    }

    int messages()
    {
        return kinds.length;
    }

    /** Gives all messages to a book that reports to this flow. */
    void run(final OrderBook book)
    {
        end = 0;
        for (int i = 0; i < kinds.length; i++)
        {
            sequence = sequences[i];
            final int kind = kinds[i];
            final int type = kind & 0xFF;
            if (type == NEW)
            {
                place(book, NEW, (byte)(kind >> 16), (kind & 0xFF00) == 0 ? OrderType.GTC : OrderType.IOC, i);
            }
            else if (type == MODIFY)
            {
                modify(book, i);
            }
            else if (cancel(book, ids[i]) != CommandResult.SUCCESS)
            {
                report(CANCEL_REJECTED, ids[i], 0, 0, 0);
            }
        }
    }

    private void modify(final OrderBook book, final int i)
    {
        isModifying = true;
        final CommandResult result = cancel(book, ids[i]);
        isModifying = false;
        if (result == CommandResult.SUCCESS)
        {
            place(book, MODIFIED, modifiedSide, OrderType.GTC, i);
        }
        else
        {
            report(MODIFY_REJECTED, ids[i], 0, 0, 0);
        }
    }

    private void place(final OrderBook book, final int report, final byte side, final byte orderType, final int i)
    {
        report(report, side, ids[i], prices[i], sizes[i]);
        if (book.execute(BookCommand.PLACE, orderType, side, SelfTradePolicy.ALLOW, ids[i], UID, prices[i], sizes[i],
            prices[i], 0) != CommandResult.SUCCESS)
        {
            throw new IllegalStateException("message " + i + " refused");
        }
    }

    private static CommandResult cancel(final OrderBook book, final long id)
    {
        return book.execute(BookCommand.CANCEL, (byte)0, (byte)0, (byte)0, id, UID, 0, 0, 0, 0);
    }

    private void report(final int type, final long first, final long second, final long third, final long fourth)
    {
        final long[] into = reports;
        final int at = end;
        into[at] = type;
        into[at + 1] = sequence;
        into[at + 2] = first;
        into[at + 3] = second;
        into[at + 4] = third;
        into[at + 5] = fourth;
        end = at + REPORT_LONGS;
    }

    /** Number of reports of each type of the last run. */
    long[] reportCounts()
    {
        final long[] counts = new long[REPORT_TYPES];
        for (int at = 0; at < end; at += REPORT_LONGS)
        {
            counts[(int)reports[at]]++;
        }
        return counts;
    }

    /** Hash of all reports of the last run, equal for equal reports. */
    long reportHash()
    {
        return Arrays.hashCode(reports.length == end ? reports : Arrays.copyOf(reports, end));
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
        report(TRADE, price, size, makerOrderId, takerOrderId);
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
        report(CANCELLED, side, orderId, price, 0);
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
        modifiedSide = side;
        if (!isModifying)
        {
            report(CANCELLED, side, orderId, price, 0);
        }
    }
}
