package io.millrace.engine.book;

import io.millrace.engine.Execution;
import io.millrace.pool.testkit.SharedFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Runs a flow of the public conformance suite on a book and writes its reports as text. The README.md of the suite
 * defines the layout of its files, the rules and the reports. A test that reads a file is skipped with its name when
 * the file is missing. One thread.
 */
final class ConformanceFlow implements Execution.Listener
{
    private static final int HEADER_BYTES = 16;
    private static final int COUNT_OFFSET = 12;
    private static final int MESSAGE_BYTES = 40;
    private static final byte NEW = 0;
    private static final byte CANCEL = 1;
    private static final long UID = 1;

    private final ByteBuffer messages;
    private final BookCommand command = new BookCommand();
    // Reports of a message by their type, in the order in which the suite sorts them.
    private final List<List<String>> reports = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private OrderBook book;
    private long sequence;
    // Side of the order that a modification cancels; its reduction is no report.
    private byte modifiedSide;
    private boolean isModifying;

    /** A flow by its path in the folder of the suite. */
    ConformanceFlow(final String name)
    {
        final Path file = existing(name);
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file)))
        {
            messages = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file.toString(), ex);
        }
        for (int type = 0; type < 6; type++)
        {
            reports.add(new ArrayList<>());
        }
    }

    static Path existing(final String name)
    {
        return SharedFile.of("oracle/suite/" + name);
    }

    /** Runs all messages on a new book; returns the book. */
    OrderBook run(final SymbolSpec spec)
    {
        text.setLength(0);
        book = new OrderBook(spec, this);
        final int end = HEADER_BYTES + MESSAGE_BYTES * messages.getInt(COUNT_OFFSET);
        for (int at = HEADER_BYTES; at < end; at += MESSAGE_BYTES)
        {
            give(at);
            for (final List<String> ofType : reports)
            {
                ofType.forEach(report -> text.append(report).append('\n'));
                ofType.clear();
            }
        }
        return book;
    }

    /** SHA-256 of the reports, in hexadecimal digits. */
    String digest()
    {
        final int length = Math.max(0, text.length() - 1);
        try
        {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                .digest(text.substring(0, length).getBytes(StandardCharsets.US_ASCII)));
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void give(final int at)
    {
        final byte type = messages.get(at);
        final byte side = messages.get(at + 1);
        final byte orderType = messages.get(at + 2) == 0 ? OrderType.GTC : OrderType.IOC;
        final long size = Integer.toUnsignedLong(messages.getInt(at + 4));
        sequence = messages.getLong(at + 8);
        final long id = messages.getLong(at + 16);
        final long price = messages.getLong(at + 24);
        if (type == NEW)
        {
            place(0, side, orderType, id, price, size);
        }
        else if (type == CANCEL)
        {
            if (book.cancel(id, UID) != CommandResult.SUCCESS)
            {
                report(4, Long.toUnsignedString(id));
            }
        }
        else
        {
            modify(id, price, size);
        }
    }

    private void modify(final long id, final long price, final long size)
    {
        isModifying = true;
        final CommandResult result = book.cancel(id, UID);
        isModifying = false;
        if (result == CommandResult.SUCCESS)
        {
            place(3, modifiedSide, OrderType.GTC, id, price, size);
        }
        else
        {
            report(5, Long.toUnsignedString(id));
        }
    }

    private void place(
        final int report, final byte side, final byte orderType, final long id, final long price, final long size)
    {
        report(report, side + "," + Long.toUnsignedString(id) + "," + price + "," + size);
        final CommandResult result =
            book.execute(command.place(orderType, side).orderId(id).uid(UID).price(price).size(size));
        if (result != CommandResult.SUCCESS)
        {
            throw new IllegalStateException("message " + sequence + ": " + result);
        }
    }

    private void report(final int type, final String fields)
    {
        reports.get(type).add(type + "," + sequence + "," + fields);
    }

    @Override
    public void onExecution(final Execution e)
    {
        final String order = Long.toUnsignedString(e.orderId());
        if (e.kind() == Execution.Kind.TRADE)
        {
            report(1, e.price() + "," + e.size() + "," + Long.toUnsignedString(e.makerOrderId()) + "," + order);
        }
        else if (isModifying)
        {
            modifiedSide = e.side();
        }
        else
        {
            report(2, e.side() + "," + order + "," + e.price());
        }
    }
}
