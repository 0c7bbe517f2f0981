package io.millrace.journal;

import io.millrace.pool.ByteView;
import io.millrace.pool.PaddedLong;
import io.millrace.server.codec.EventCodec;
import org.agrona.concurrent.EpochNanoClock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Encodes events into a buffer, writes the buffer to the current segment, and forces it according to the policy.
 * <p>
 * One thread appends and commits; any thread reads the positions. Allocates nothing after construction. A failed write
 * or force ends the writer: every later call throws, and no write is retried.
 */
final class JournalWriter<E>
{
    /** After a roll the header of the segment is written first. */
    private static final int FIRST_RECORD = SegmentDescriptor.HEADER_LENGTH;

    private final EventCodec<E> codec;
    private final EpochNanoClock clock;
    private final Durability durability;
    private final SegmentKeeper keeper;
    private final int schema;
    private final long createdNs;
    private final int segmentLength;
    private final int longestPayload;
    private final int longestRecord;
    private final ByteBuffer buffer;
    private final ByteView view;
    private final CRC32C crc = new CRC32C();
    private final PaddedLong committed;
    private final PaddedLong forced;
    private final PaddedLong committedTimeNs;

    private Segment segment;
    /** Where the buffer's first byte goes in the segment. */
    private long position;
    /** Bytes in the buffer. */
    private int pending;
    private long appended;
    private long timeNs;
    private int lastChecksum;
    private int segmentBefore;
    private volatile Throwable failure;

    /** Continues after the end that recovery found. */
    JournalWriter(final JournalContext<E> context, final SegmentKeeper keeper, final JournalEnd end)
    {
        codec = context.codec;
        clock = context.clock;
        durability = context.durability;
        schema = context.schema;
        segmentLength = context.segmentBytes;
        longestPayload = codec.maxLengthBytes();
        longestRecord = RecordDescriptor.recordLength(longestPayload);
        this.keeper = keeper;
        buffer = ByteBuffer.allocateDirect(context.bufferBytes);
        view = new ByteView(buffer);
        segment = end.segment();
        position = end.position();
        segmentBefore = end.segmentBefore();
        lastChecksum = end.lastChecksum();
        timeNs = end.timeNs();
        createdNs = end.createdNs();
        committedTimeNs = new PaddedLong(timeNs);
        appended = end.sequence();
        committed = new PaddedLong(appended);
        forced = keeper.forced();
    }

    /**
     * Encode an event. Committed at once under EVERY_EVENT, else by {@link #commit()}.
     *
     * @return its sequence.
     */
    long append(final E event)
    {
        checkOpen();
        if (buffer.capacity() - pending < longestRecord)
        {
            write();
        }
        if (appended == committed.getPlain())
        {
            // Read once a batch. If the clock goes back, the journal's time must not go back.
            timeNs = Math.max(timeNs, clock.nanoTime());
        }
        int length = encode(event);
        if (segment == null || position + pending + RecordDescriptor.recordLength(length) > segmentLength)
        {
            roll();
            length = encode(event);
        }
        lastChecksum = RecordDescriptor.seal(view, pending, length, segment.id, RecordDescriptor.EVENT,
            appended + 1, timeNs, forced.getAcquire(), crc);
        pending += RecordDescriptor.recordLength(length);
        appended++;
        if (durability == Durability.EVERY_EVENT)
        {
            commit();
        }
        return appended;
    }

    private int encode(final E event)
    {
        final int length = codec.encode(event, view, pending + RecordDescriptor.HEADER_LENGTH);
        if (length <= 0 || length > longestPayload)
        {
            // A longer record may fit into the buffer, but not into the segment or into the buffer of a reader.
            throw failed(new IllegalArgumentException("the codec has no record of 1.." + longestPayload +
                " bytes for event " + (appended + 1) +
                (length == EventCodec.NO_RECORD ? "" : ", or says a wrong maxLengthBytes: it returned " + length)));
        }
        return length;
    }

    /** Ends a batch: writes all appended events, and forces them if the policy requires it. */
    void commit()
    {
        checkOpen();
        if (appended == committed.getPlain())
        {
            return;
        }
        write();
        if (durability.isForced())
        {
            force();
            // Release: pairs with the acquire of the keeper, which writes the mark.
            forced.setRelease(appended);
        }
        committedTimeNs.setOpaque(timeNs);
        // Release: pairs with the acquire of the thread that waits to send an answer.
        committed.setRelease(appended);
    }

    /** Loops: on a full file system a write is short, and only the next one throws. */
    private void write()
    {
        buffer.limit(pending).position(0);
        try
        {
            while (buffer.hasRemaining())
            {
                if (segment.file.write(buffer, position + buffer.position()) <= 0)
                {
                    throw new IOException("nothing could be written to " + segment.path);
                }
            }
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            throw failed(ex);
        }
        position += pending;
        pending = 0;
        keeper.written(appended);
    }

    private void force()
    {
        try
        {
            segment.file.force();
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            throw failed(ex);
        }
    }

    /**
     * Continue in the next segment. Its header waits in the buffer for the first record. Under the forcing policies the
     * segment before is forced first, so at most one segment can have a torn tail.
     */
    private void roll()
    {
        final Segment before = segment;
        if (before != null)
        {
            write();
            if (durability.isForced() && forced.getPlain() < appended)
            {
                force();
                forced.setRelease(appended);
            }
            before.lastSequence = appended;
            segmentBefore = before.id;
        }
        try
        {
            segment = keeper.take();
            keeper.rolled(before, segment);
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            throw failed(ex);
        }
        SegmentDescriptor.seal(view, 0, segment.id, schema, lastChecksum, appended + 1,
            forced.getAcquire(), createdNs, segmentBefore, segmentLength, crc);
        position = 0;
        pending = FIRST_RECORD;
    }

    private void checkOpen()
    {
        final Throwable why = failure != null ? failure : keeper.ended();
        if (why != null)
        {
            throw failed(why);
        }
    }

    private JournalException failed(final Throwable cause)
    {
        // After the close every call fails, which is no failure of the journal.
        if (failure == null && !keeper.isClosed())
        {
            failure = cause;
            keeper.fail(cause);
        }
        return new JournalException(JournalException.Kind.FAILED, "the journal stopped behind record " +
            committed.getPlain() + ", the last one committed: " + cause, cause);
    }

    /** The failure that ended the writer; null for none. Any thread. */
    Throwable failure()
    {
        return failure;
    }

    /** The appending thread. */
    long appended()
    {
        return appended;
    }

    /** Any thread. */
    long committed()
    {
        return committed.getAcquire();
    }

    /** Any thread, after it has read {@link #committed}: no record up to that one has a later time. */
    long committedTimeNs()
    {
        return committedTimeNs.getOpaque();
    }
}
