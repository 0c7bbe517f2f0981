package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ItchFileTest
{
    private static final int MESSAGES = 100_000;

    /** Knows only the last order of each side, and allocates nothing. */
    private static final class LastOrders implements ItchBook
    {
        private final long[] last = new long[4];

        @Override
        public boolean add(final long reference, final boolean isBid, final long price, final long shares)
        {
            last[isBid ? 0 : 2] = price;
            last[isBid ? 1 : 3] = shares;
            return true;
        }

        @Override
        public boolean execute(final long reference, final long shares)
        {
            return false;
        }

        @Override
        public boolean cancel(final long reference, final long shares)
        {
            return false;
        }

        @Override
        public boolean delete(final long reference)
        {
            return false;
        }

        @Override
        public boolean replace(
            final long reference, final long newReference, final long price, final long shares)
        {
            return false;
        }

        @Override
        public long bidPrice()
        {
            return last[0];
        }

        @Override
        public long bidShares()
        {
            return last[1];
        }

        @Override
        public long askPrice()
        {
            return last[2];
        }

        @Override
        public long askShares()
        {
            return last[3];
        }
    }

    @TempDir
    private Path folder;

    private final ByteBuffer buffer = ByteBuffer.allocate(64 * MESSAGES);

    private byte[] generated(final int count)
    {
        return Arrays.copyOf(
            buffer.array(), new GeneratedItch(new SplittableRandom(7)).writeFrames(buffer, count));
    }

    private Path written(final byte[] bytes) throws IOException
    {
        return Files.write(folder.resolve("messages"), bytes);
    }

    private static long read(final ItchFile file) throws IOException
    {
        long delivered = 0;
        while (!file.isExhausted())
        {
            delivered += file.poll(message -> true, 1_000);
        }
        return delivered;
    }

    /** The messages, and the counters of what is none, if each read brings so many bytes. */
    private static String readInPieces(final byte[] bytes, final int piece) throws IOException
    {
        final InputStream in = new ByteArrayInputStream(bytes)
        {
            @Override
            public synchronized int read(final byte[] into, final int offset, final int length)
            {
                return super.read(into, offset, Math.min(piece, length));
            }
        };
        final StringBuilder all = new StringBuilder();
        try (ItchFile file = new ItchFile(new ByteWindow(Path.of("pieces"), in, 1 << 17)))
        {
            while (!file.isExhausted())
            {
                file.poll(message ->
                {
                    all.append((char)message.type()).append(message.timeNs()).append(' ');
                    return true;
                }, 3);
            }
            return all.append(file.counters().unknownTypes()).append(' ').append(file.counters().wrongLengths())
                .append(' ').append(file.counters().truncated()).append(' ').append(file.counters().bytesSkipped())
                .toString();
        }
    }

    /** T4: garbage, a length that is too large, and each way to cut the input into reads. */
    @Test
    void shouldReadTheSameHoweverTheInputIsCut() throws IOException
    {
        final ByteBuffer file = ByteBuffer.allocate(70_000).put(generated(10));
        file.putShort((short)4).put(new byte[]{'?', 1, 2, 3}).putShort((short)0xFFFF).put(new byte[0xFFFF]);
        file.put(generated(3)).putShort((short)36).put((byte)'A').put(new byte[5]);
        final byte[] bytes = Arrays.copyOf(file.array(), file.position());
        final String whole = readInPieces(bytes, bytes.length);
        assertTrue(whole.matches("(\\w\\d+ ){13}2 0 1 65547"), whole);
        for (int piece = 1; piece < 600; piece++)
        {
            assertEquals(whole, readInPieces(bytes, piece), "pieces of " + piece);
        }
    }

    @Test
    void shouldCountAndSkipWhatIsNoMessage() throws IOException
    {
        final byte[] bytes = generated(3);
        final ByteBuffer file = ByteBuffer.allocate(1_000).put(bytes);
        file.putShort((short)4).put(new byte[]{'?', 1, 2, 3});
        file.putShort((short)20).put((byte)'D').put(new byte[19]);
        file.put(bytes).putShort((short)36).put((byte)'A').put(new byte[5]);
        try (ItchFile itch = new ItchFile(written(Arrays.copyOf(file.array(), file.position()))))
        {
            assertEquals(6, read(itch));
            assertEquals(1, itch.counters().unknownTypes());
            assertEquals(1, itch.counters().wrongLengths());
            assertEquals(1, itch.counters().truncated());
            assertEquals(4 + 20 + 8, itch.counters().bytesSkipped());
        }
    }

    @Test
    void shouldStopAfterEachMessageThatTheHandlerEnds() throws IOException
    {
        // Also near the end of the file, where messages are decoded one by one: short files end in all ways.
        for (int count = 1; count < 1_000; count += count < 100 ? 1 : 300)
        {
            try (ItchFile itch = new ItchFile(written(generated(count))))
            {
                for (int i = 0; i < count; i++)
                {
                    assertEquals(1, itch.poll(message -> false, 1_000), "poll " + i + " of " + count);
                }
            }
        }
    }

    @Test
    void shouldEndAtALengthOfZeroAndAtTheEndOfAnEmptyFile() throws IOException
    {
        final byte[] bytes = generated(3);
        try (ItchFile itch = new ItchFile(
            written(ByteBuffer.allocate(2 * bytes.length + 2).put(bytes).putShort((short)0).put(bytes).array())))
        {
            assertEquals(3, read(itch));
            assertEquals(0, itch.counters().truncated());
        }
        try (ItchFile itch = new ItchFile(written(new byte[0])))
        {
            assertEquals(0, read(itch));
        }
    }

    @Test
    void shouldReportATruncatedCompressedFile() throws IOException
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out))
        {
            gzip.write(generated(10_000));
        }
        final byte[] whole = out.toByteArray();
        try (ItchFile itch = new ItchFile(written(whole)))
        {
            assertEquals(10_000, read(itch));
        }
        try (ItchFile itch = new ItchFile(written(Arrays.copyOf(whole, whole.length / 2))))
        {
            final String message = assertThrows(IOException.class, () -> read(itch)).getMessage();
            assertTrue(message.contains("truncated") && itch.isExhausted(), message);
        }
    }

    @Test
    void shouldKeepTheRecordedPace() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(1_000);
        int at = 0;
        for (final int ms : new int[]{100, 101, 150, 140, 300})
        {
            final int length = new ItchEncoder().wrap(bytes, at + 2).header(1, 0, ms * 1_000_000L)
                .add(ms, (byte)'B', 100, 0x4142432020202020L, 1_000 + ms);
            bytes.putShort(at, (short)length);
            at += 2 + length;
        }
        final long[] nowNs = {5_000_000_000L};
        final List<Long> prices = new ArrayList<>();
        final ItchBboSource source = new ItchBboSource(new ItchFile(written(Arrays.copyOf(bytes.array(), at))),
            new ItchBooks((locate, symbol) -> new LastOrders()), () -> nowNs[0]).recordedPace(2.0);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("itch", f -> f.from(BboEvent::new, 8, source)
                .to("collect", (event, sequence, endOfBatch) -> prices.add(event.bidPrice())))))
        {
            for (int halfMs = 0; halfMs <= 220; halfMs++)
            {
                for (int i = 0; i < 4; i++)
                {
                    server.invoke();
                }
                final long expected = halfMs < 1 ? 1 : halfMs < 50 ? 2 : halfMs < 200 ? 4 : 5;
                assertEquals(expected, prices.size(), "after " + halfMs + " half milliseconds");
                assertEquals(expected == 5, source.isExhausted());
                nowNs[0] += 500_000;
            }
        }
        assertEquals(List.of(1_100L, 1_101L, 1_150L, 1_140L, 1_300L), prices);
    }

    @Test
    @Tag("normal")
    void shouldAllocateNothingPerMessage() throws IOException
    {
        final Path path = written(generated(MESSAGES));
        AllocationWindows.assertNoBytes(MESSAGES + " messages", 5, () -> allocatedBytes(new ItchFile(path)));
    }

    private static long allocatedBytes(final ItchFile file) throws IOException
    {
        final ItchBboSource source = new ItchBboSource(
            file, new ItchBooks((locate, symbol) -> new LastOrders()), System::nanoTime).recordedPace(1e9);
        final long[] handled = new long[1];
        final long bytes;
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("itch", f -> f.from(BboEvent::new, 256, source).through(Pipelines.ring())
                .to("count", (event, sequence, endOfBatch) -> handled[0]++))))
        {
            while (file.counters().messages() < MESSAGES / 2)
            {
                server.invoke();
            }
            bytes = AllocationWindows.allocatedBytes(() ->
            {
                while (file.counters().messages() < MESSAGES - 1_000)
                {
                    server.invoke();
                }
            });
            while (!source.isExhausted())
            {
                server.invoke();
            }
            server.invoke();
            assertEquals(server.counters().value("itch-source.changes"), handled[0]);
        }
        return bytes;
    }
}
