package io.millrace.gateway.itch;

import io.millrace.gateway.mold.MoldPacket;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A fuzzer calls it with bytes. The first one chooses a parser: frames, a MoldUDP64 packet, a file of messages, a pcap
 * file. Each parser ends, throws nothing but the refusal of a pcap file, and accounts for each byte. Compiles and runs
 * without a fuzzer.
 */
public final class ItchFuzz
{
    /** Holds the longest frame; small, because each input has its own. */
    private static final int WINDOW = 1 << 17;
    private static final Path NAME = Path.of("fuzz");

    private ItchFuzz()
    {
    }

    /**
     * Entry point of Jazzer.
     *
     * @param data the choice, then what is parsed.
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length == 0)
        {
            return;
        }
        final byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
        final ItchCounters counters = new ItchCounters();
        try
        {
            switch (data[0] & 3)
            {
                case 0 -> frames(bytes, counters);
                case 1 -> packet(bytes, counters);
                case 2 -> file(bytes);
                default -> pcap(bytes);
            }
        }
        catch (final IOException ex)
        {
            if ((data[0] & 3) != 3 || ex.getMessage() == null)
            {
                throw new AssertionError(ex);
            }
        }
    }

    /** Reads each field that the message has. */
    private static long read(final ItchMessage m)
    {
        if (m.length() == 0)
        {
            throw new AssertionError("type " + m.type());
        }
        final long sum = m.stockLocate() + m.trackingNumber() + m.timeNs() + m.stockOfAnyType();
        return sum + switch (m.type())
        {
            case 'A', 'P', 'F' -> m.reference() + m.side() + m.shares() + m.price();
            case 'E', 'C' -> m.reference() + m.takenShares() + m.takenMatchNumber();
            case 'X' -> m.reference() + m.takenShares();
            case 'D' -> m.reference();
            case 'U' -> m.reference() + m.newReference() + m.newShares() + m.newPrice();
            default -> 0;
        };
    }

    private static void frames(final byte[] bytes, final ItchCounters counters)
    {
        final ItchFrames frames = new ItchFrames(counters);
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        final long[] sums = new long[2];
        int at = 0;
        long delivered = 0;
        boolean goesOn = true;
        while (goesOn)
        {
            final int count = frames.decode(bytes, at, bytes.length, message ->
            {
                sums[0] += message.length();
                sums[1] += read(message);
                books.apply(message);
                return (sums[1] & 1) == 0;
            }, 3);
            delivered += count;
            goesOn = frames.position() > at;
            at = frames.position();
        }
        final long refused = counters.unknownTypes() + counters.wrongLengths();
        expect(delivered, counters.messages());
        expect(at, sums[0] + counters.bytesSkipped() + 2 * (delivered + refused));
    }

    private static void packet(final byte[] bytes, final ItchCounters counters)
    {
        final MoldPacket packet = new MoldPacket();
        final ItchMessage message = new ItchMessage();
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long length = 20;
        if (packet.wrap(buffer, 0, bytes.length))
        {
            while (packet.hasNext())
            {
                packet.next();
                length += 2 + packet.messageLength();
                if (counters.accept(bytes, packet.messageOffset(), packet.messageLength()))
                {
                    read(message.wrap(bytes, packet.messageOffset()));
                }
            }
            expect(bytes.length, length);
        }
        else if (packet.hasNext() || packet.count() != 0)
        {
            throw new AssertionError("messages in a malformed packet");
        }
    }

    private static void file(final byte[] bytes) throws IOException
    {
        try (ItchFile file = new ItchFile(new ByteWindow(NAME, new ByteArrayInputStream(bytes), WINDOW)))
        {
            long delivered = 0;
            while (!file.isExhausted())
            {
                delivered += file.poll(message -> read(message) != 1, 5);
            }
            expect(delivered, file.counters().messages());
            expect(0, file.poll(message -> true, 5));
        }
    }

    private static void pcap(final byte[] bytes) throws IOException
    {
        final PcapFile file = new PcapFile(NAME, new ByteWindow(NAME, new ByteArrayInputStream(bytes), WINDOW));
        try (PcapItchInput input = new PcapItchInput(file))
        {
            long delivered = 0;
            while (!input.isExhausted())
            {
                delivered += input.poll(message -> read(message) != 1, 5);
            }
            expect(delivered, input.counters().messages());
        }
    }

    private static void expect(final long expected, final long actual)
    {
        if (expected != actual)
        {
            throw new AssertionError(actual + " instead of " + expected);
        }
    }
}
