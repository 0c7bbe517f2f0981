package io.millrace.engine.marketdata;

import io.millrace.engine.book.Side;
import io.millrace.pool.testkit.SharedFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads files of ITCH 5.0 messages, plain or gzip: each message behind its length in two bytes, or behind two zero
 * bytes, as one sample has it. All numbers are big-endian and unsigned; prices are dollars times 10,000.
 */
final class ItchFile
{
    private static final String TYPES = "SRHYLVWKJhAFECXDUPQBINO";
    private static final int[] LENGTHS =
        {12, 39, 25, 20, 26, 35, 12, 28, 35, 21, 36, 40, 31, 36, 23, 19, 35, 44, 40, 19, 50, 20, 48};
    /** Type 1 byte, stock locate 2, tracking number 2, time 6. */
    private static final int LOCATE = 1;
    private static final int REFERENCE = 11;
    private static final int BODY = 19;

    /**
     * A message. Messages about no order of the book have only type and locate.
     *
     * @param type         its letter.
     * @param locate       number of the stock, of the day.
     * @param reference    the order.
     * @param newReference of U: the order that replaces it.
     * @param side         of A and F.
     * @param size         shares that come (A F U), trade (E C) or are taken back (X).
     * @param price        of A, F and U.
     */
    record Message(char type, int locate, long reference, long newReference, byte side, long size, long price)
    {
    }

    private ItchFile()
    {
    }

    static List<Message> messages(final String name)
    {
        final Path file = SharedFile.of("data/itch/" + name);
        final ByteBuffer bytes = ByteBuffer.wrap(bytes(file));
        final List<Message> messages = new ArrayList<>();
        while (bytes.hasRemaining())
        {
            final int given = Short.toUnsignedInt(bytes.getShort());
            final char type = (char)bytes.get(bytes.position());
            final int kind = TYPES.indexOf(type);
            if (kind < 0 || given != 0 && given != LENGTHS[kind])
            {
                throw new IllegalArgumentException(file + ", byte " + bytes.position() + ": type " + (int)type +
                    ", length " + given);
            }
            messages.add(message(type, bytes.slice(bytes.position(), LENGTHS[kind])));
            bytes.position(bytes.position() + LENGTHS[kind]);
        }
        return messages;
    }

    private static byte[] bytes(final Path file)
    {
        try (InputStream raw = Files.newInputStream(file);
            InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw)
        {
            return in.readAllBytes();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file.toString(), ex);
        }
    }

    private static Message message(final char type, final ByteBuffer bytes)
    {
        final int locate = Short.toUnsignedInt(bytes.getShort(LOCATE));
        return switch (type)
        {
            case 'A', 'F' -> new Message(type, locate, bytes.getLong(REFERENCE), 0,
                bytes.get(BODY) == 'B' ? Side.BID : Side.ASK, uint(bytes, BODY + 1), uint(bytes, BODY + 13));
            case 'E', 'C', 'X' -> new Message(type, locate, bytes.getLong(REFERENCE), 0, (byte)0, uint(bytes, BODY), 0);
            case 'D' -> new Message(type, locate, bytes.getLong(REFERENCE), 0, (byte)0, 0, 0);
            case 'U' -> new Message(type, locate, bytes.getLong(REFERENCE), bytes.getLong(BODY), (byte)0,
                uint(bytes, BODY + 8), uint(bytes, BODY + 12));
            default -> new Message(type, locate, 0, 0, (byte)0, 0, 0);
        };
    }

    private static long uint(final ByteBuffer bytes, final int offset)
    {
        return Integer.toUnsignedLong(bytes.getInt(offset));
    }
}
