package io.millrace.gateway.itch;

import io.millrace.gateway.mold.MoldReceiver;
import io.millrace.gateway.mold.MoldReceiverContext;
import io.millrace.gateway.mold.MoldTransport;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** U1: any bytes as packets: the counters are exact, nothing is thrown, nothing is allocated. */
class DatagramTest
{
    private static final int MAX_LENGTH = 600;
    private static final int HEADER = 20;
    private static final int PARTS = 10;

    /** Makes each packet when it is asked for one, and says by another way what is wrong with it. */
    private static final class Datagrams implements MoldTransport
    {
        private final SplittableRandom random;
        private final GeneratedItch messages;
        private final byte[] bytes = new byte[2 * MAX_LENGTH + 100];
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        private long sequence = 1;
        private long left;
        long malformed;

        Datagrams(final long seed)
        {
            random = new SplittableRandom(seed);
            messages = new GeneratedItch(random.split());
        }

        @Override
        public boolean receive(final ByteBuffer into)
        {
            if (left == 0)
            {
                return false;
            }
            left--;
            final int length = mutated(valid());
            if (isMalformed(length))
            {
                malformed++;
            }
            into.put(bytes, 0, Math.min(length, into.remaining()));
            return true;
        }

        private int valid()
        {
            final int count = random.nextInt(10);
            int at = HEADER;
            for (int i = 0; i < count; i++)
            {
                final int length = messages.write(buffer, at + 2);
                buffer.putShort(at, (short)length);
                at += 2 + length;
            }
            buffer.putLong(0, 0x5345535349304E20L).putShort(8, (short)0x2020);
            buffer.putLong(10, sequence).putShort(18, (short)count);
            sequence += count;
            return at;
        }

        private int mutated(final int length)
        {
            switch (random.nextInt(6))
            {
                case 0:
                    return random.nextInt(length);
                case 1:
                    return length + 1 + random.nextInt(MAX_LENGTH);
                case 2:
                    for (int i = random.nextInt(4); i >= 0; i--)
                    {
                        bytes[random.nextInt(length)] = (byte)random.nextInt();
                    }
                    return length;
                case 3:
                    final int any = random.nextInt(MAX_LENGTH + 50);
                    for (int i = 0; i < any; i++)
                    {
                        bytes[i] = (byte)random.nextInt(random.nextInt(4) == 0 ? 256 : 2);
                    }
                    return any;
                default:
                    return length;
            }
        }

        private boolean isMalformed(final int length)
        {
            if (length > MAX_LENGTH || length < HEADER || bytes[10] < 0)
            {
                return true;
            }
            long first = 0;
            for (int i = 10; i < 18; i++)
            {
                first = first * 256 + (bytes[i] & 0xFF);
            }
            if (first == 0 || first > Long.MAX_VALUE - 65_534)
            {
                return true;
            }
            final int count = (bytes[18] & 0xFF) * 256 + (bytes[19] & 0xFF);
            int end = HEADER;
            for (int i = 0; count != 65_535 && i < count && end <= length - 2; i++)
            {
                end += 2 + (bytes[end] & 0xFF) * 256 + (bytes[end + 1] & 0xFF);
                if (i == count - 1)
                {
                    return end != length;
                }
            }
            return count != 0 && count != 65_535 || length != HEADER;
        }

        @Override
        public boolean request(final ByteBuffer packet)
        {
            return true;
        }

        @Override
        public void close()
        {
        }
    }

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    private void receive(final int count) throws IOException
    {
        final Datagrams datagrams = new Datagrams(seed);
        final long[] nowNs = new long[1];
        final MoldReceiver receiver = new MoldReceiver(datagrams, new MoldReceiverContext()
            .packetLength(MAX_LENGTH).silenceNs(50_000).reorderNs(1_000).requests(1_000, 1, 100).heldPackets(4)
            .maxGap(200),
            () -> nowNs[0] += 1_000);
        final MoldItchInput input = new MoldItchInput(receiver);
        final long[] messages = new long[1];
        final ItchHandler handler = message -> messages[0]++ % 100 != 0;
        long leastBytes = Long.MAX_VALUE;
        for (int part = 0; part < PARTS; part++)
        {
            datagrams.left = count / PARTS;
            leastBytes = Math.min(leastBytes, AllocationWindows.allocatedBytes(() ->
            {
                while (datagrams.left > 0)
                {
                    input.poll(handler, 50);
                }
            }));
        }
        final String run = "-Dmillrace.seed=" + seed;
        assertEquals(count, receiver.counters().packets(), run);
        assertEquals(datagrams.malformed, receiver.counters().malformed(), run);
        assertEquals(messages[0], input.counters().messages(), run);
        assertEquals(receiver.counters().messages(), messages[0] + input.counters().unknownTypes() +
            input.counters().wrongLengths(), run);
        assertTrue(datagrams.malformed > count / 4 && messages[0] > count / 10, run + " " + messages[0]);
        assertEquals(0, leastBytes, run);
    }

    @Test
    void shouldCountAHundredThousandDatagrams() throws IOException
    {
        receive(100_000);
    }

    @Test
    @Tag("faults")
    void shouldCountAMillionDatagrams() throws IOException
    {
        receive(1_000_000);
    }

    /** Frames, a packet, a framed file, a file without lengths, a pcap file. */
    private static List<byte[]> inputs()
    {
        final GeneratedItch messages = new GeneratedItch(new SplittableRandom(1));
        final ByteBuffer buffer = ByteBuffer.allocate(4_096);
        final List<byte[]> inputs = new ArrayList<>();
        final int end = messages.writeFrames(buffer, 20);
        final byte[] frames = Arrays.copyOf(buffer.array(), end);
        inputs.add(chosen(0, frames));
        inputs.add(chosen(2, frames));
        final byte[] packet = ByteBuffer.allocate(HEADER + end).putLong(0, 0x5345535349304E20L).putLong(10, 5)
            .putShort(18, (short)20).put(HEADER, frames).array();
        inputs.add(chosen(1, packet));
        final ByteBuffer typed = ByteBuffer.wrap(frames.clone());
        for (int at = 0; at < end; at += 2 + ItchDescriptor.length(typed.get(at + 2)))
        {
            typed.putShort(at, (short)0);
        }
        inputs.add(chosen(2, typed.array()));
        inputs.add(chosen(3, PcapBytes.file(true, true, 2, packet)));
        inputs.add(chosen(3, PcapBytes.file(false, false, 0, packet)));
        return inputs;
    }

    private static byte[] chosen(final int parser, final byte[] bytes)
    {
        return ByteBuffer.allocate(1 + bytes.length).put((byte)parser).put(bytes).array();
    }

    @Test
    void shouldEndAtEachTruncationAndEachChangedByte() throws IOException
    {
        final Random random = new Random(seed);
        for (final byte[] input : inputs())
        {
            for (int i = 0; i <= input.length; i++)
            {
                ItchFuzz.fuzzerTestOneInput(Arrays.copyOf(input, i));
                final byte[] changed = input.clone();
                changed[Math.max(1, i) % input.length] ^= (byte)(1 + random.nextInt(255));
                ItchFuzz.fuzzerTestOneInput(changed);
            }
        }
        Fuzzer.corpus(ItchFuzz.class).forEach(ItchFuzz::fuzzerTestOneInput);
    }

    @Test
    @Tag("faults")
    void shouldFindNothingWithAFuzzer(@TempDir final Path folder) throws Exception
    {
        final Path corpus = Fuzzer.begin(ItchFuzz.class, folder);
        for (final byte[] input : inputs())
        {
            Fuzzer.add(corpus, input);
        }
        Fuzzer.run(ItchFuzz.class, 512, folder, corpus, "-max_total_time=" + Fuzzer.seconds(), "-max_len=2000");
    }
}
