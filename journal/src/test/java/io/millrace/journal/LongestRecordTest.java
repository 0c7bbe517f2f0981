package io.millrace.journal;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Records of the greatest length. */
class LongestRecordTest
{
    private static final int LONGEST = RecordDescriptor.MAX_PAYLOAD;
    private static final int SEGMENT = 4 << 20;

    @TempDir
    private Path folder;

    /** Some bytes, each of which depends on its place and on the first one. */
    static final class Bytes extends BasePoolAware
    {
        final byte[] bytes = new byte[LONGEST + 1];
        int length;

        Bytes fill(final int newLength, final int seed)
        {
            length = newLength;
            for (int i = 0; i < length; i++)
            {
                bytes[i] = (byte)(seed + i * 31);
            }
            return this;
        }

        String describe()
        {
            return length + " " + Arrays.hashCode(Arrays.copyOf(bytes, length));
        }
    }

    /** A codec that claims a greatest length, and writes what the event says. */
    private static final class Codec implements EventCodec<Bytes>
    {
        private final int maxLength;

        Codec(final int maxLength)
        {
            this.maxLength = maxLength;
        }

        @Override
        public int encode(final Bytes event, final ByteView into, final int offset)
        {
            if (!into.contains(offset, event.length))
            {
                return INSUFFICIENT_CAPACITY;
            }
            for (int i = 0; i < event.length; i++)
            {
                into.putByte(offset + i, event.bytes[i]);
            }
            return event.length;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final Bytes into)
        {
            into.length = length;
            for (int i = 0; i < length; i++)
            {
                into.bytes[i] = from.getByte(offset + i);
            }
            return DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return maxLength;
        }
    }

    /** What it has handled, in words. */
    private static final class Handled implements DurableHandler<Bytes>
    {
        final List<String> all = new ArrayList<>();

        @Override
        public void onEvent(final Bytes event, final long sequence, final boolean endOfBatch)
        {
            all.add(event.describe());
        }

        @Override
        public void writeTo(final SnapshotOutput out)
        {
        }

        @Override
        public void readFrom(final SnapshotInput in)
        {
        }

        @Override
        public long stateHash()
        {
            return all.hashCode();
        }
    }

    private JournalContext<Bytes> context(final int maxLength)
    {
        return new JournalContext<>(folder.resolve("j"), new Codec(maxLength), Bytes::new).segmentBytes(SEGMENT)
            .bufferBytes(SEGMENT).watermarkBytes(0).clock(Journals.clock(TimeUnit.MILLISECONDS.toNanos(20)))
            .fileOps(new UnforcedFiles());
    }

    /** Over several segments; each batch has one to five records. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    @SuppressWarnings("unchecked")
    void shouldRecoverAndFollowTheLongestRecords(final Durability durability) throws Exception
    {
        final List<String> written = new ArrayList<>();
        try (Journal<Bytes> journal = Journal.open(context(LONGEST).durability(durability)))
        {
            final Handled copy = new Handled();
            final SnapshotFollower<Bytes> follower = (SnapshotFollower<Bytes>)journal.follow(copy, 1_000);
            journal.recover(new Handled());
            final Bytes event = new Bytes();
            final int[] lengths = {LONGEST, LONGEST - 1, 1, LONGEST, LONGEST, LONGEST, LONGEST - 8, 5, LONGEST};
            for (int i = 0; i < 2 * lengths.length; i++)
            {
                journal.append(event.fill(lengths[i % lengths.length], i));
                written.add(event.describe());
                if (i % 5 == 0 || i % 5 == 3)
                {
                    journal.commit();
                }
            }
            journal.commit();
            // The keeper forces, the follower reads what is forced: each once a second of the clock.
            for (int i = 0; i < 1_000 && copy.all.size() <= lengths.length; i++)
            {
                journal.segmentKeeper().doWork();
                follower.doWork();
            }
            assertTrue(copy.all.size() > lengths.length, "followed " + copy.all.size());
            assertEquals(written.subList(0, copy.all.size()), copy.all);
        }
        final Handled recovered = new Handled();
        try (Journal<Bytes> journal = Journal.open(context(LONGEST)))
        {
            assertEquals(written.size(), journal.recover(recovered).sequence());
        }
        assertEquals(written, recovered.all);
    }

    @Test
    void shouldRefuseACodecWithALongerRecord()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> Journal.open(context(LONGEST + 1))).getMessage();
        assertEquals("maxLengthBytes of the codec " + (LONGEST + 1) + " is not in 1.." + LONGEST, message);
        assertFalse(folder.resolve("j").toFile().exists());
    }

    @Test
    void shouldNotWriteAnEventOfOneByteMore()
    {
        final Bytes event = new Bytes();
        final String longest = event.fill(LONGEST, 1).describe();
        try (Journal<Bytes> journal = Journal.open(context(LONGEST)))
        {
            journal.recover(new Handled());
            journal.append(event);
            journal.commit();
            event.fill(LONGEST + 1, 2);
            final JournalException refused = assertThrows(JournalException.class, () -> journal.append(event));
            assertTrue(refused.getCause().getMessage().endsWith("it returned " + (LONGEST + 1)), refused::toString);
        }
        final Handled recovered = new Handled();
        try (Journal<Bytes> journal = Journal.open(context(LONGEST)))
        {
            journal.recover(recovered);
        }
        assertEquals(List.of(longest), recovered.all);
    }
}
