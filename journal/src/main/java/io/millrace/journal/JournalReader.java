package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.Closeable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads the records of a journal in order. At the first place without a record, decides whether the journal ends.
 * <p>
 * The journal ends if no proof shows that the missing record was committed: no later record or header, no mark and no
 * snapshot. The bytes after the end are then a torn tail, which is not an error. With a proof, bytes are damaged or
 * files are missing, and {@link #next} throws.
 */
final class JournalReader implements Closeable
{
    /** Length at the start of a prepared segment that is searched for a torn first batch. */
    private static final long PREPARED_TRACE = RecordDescriptor.MAX_LENGTH;

    private final SegmentInput input;
    private final List<SegmentFile> all;
    private final List<SegmentFile> used;
    private final long proved;
    private final String proof;
    private int index;
    private long position;
    private long sequence;
    private long timeNs;
    /** Of the record before the one that {@link #next} has gone to. */
    private long timeBeforeNs;
    private int checksum;
    private int offset;
    private int payloadLength;
    private boolean atEnd;
    private long tornBytes;

    /**
     * @param from   sequence of the first requested record; earlier records of its segment are read but not delivered.
     * @param proved every record up to this one was committed.
     * @param proof  says who proves it.
     */
    JournalReader(
        final FileOps files, final List<SegmentFile> segments, final long from, final long proved, final String proof)
    {
        this.proved = proved;
        this.proof = proof;
        all = segments;
        used = segments.stream().filter(each -> each.state() == SegmentFile.State.USED).collect(Collectors.toList());
        input = new SegmentInput(files);
        index = -1;
        for (int i = 0; i < used.size() && (i == 0 || used.get(i).firstSequence() <= from); i++)
        {
            index = i;
        }
        sequence = from - 1;
        try
        {
            if (index >= 0)
            {
                begin(from);
            }
            else
            {
                end();
            }
        }
        catch (final Throwable ex)
        {
            close();
            throw ex;
        }
    }

    private void begin(final long from)
    {
        final SegmentFile first = used.get(index);
        if (first.firstSequence() > from)
        {
            endBefore(first, from);
            return;
        }
        input.open(first);
        position = SegmentDescriptor.HEADER_LENGTH;
        sequence = first.firstSequence() - 1;
        checksum = first.lastChecksum();
        while (sequence < from - 1 && next())
        {
            // On to the first one that is wanted. A journal that is proved to have it throws if it ends before.
        }
    }

    /** The first segments are missing. A power failure may lose segments that were not forced, but leave later ones. */
    private void endBefore(final SegmentFile first, final long from)
    {
        index = -1;
        try
        {
            end();
        }
        catch (final JournalException ex)
        {
            throw ex.kind() != JournalException.Kind.DAMAGED ? ex : new JournalException(
                JournalException.Kind.DAMAGED, "records " + from + ".." + (first.firstSequence() - 1) +
                " are missing: the journal begins with " + first.path(), ex);
        }
    }

    /**
     * Go to the next record.
     *
     * @return false at the end of the journal.
     * @throws JournalException when a committed record is damaged or missing, or a read fails.
     */
    boolean next()
    {
        while (!atEnd && index >= 0)
        {
            final int length = input.record(position);
            if (length > 0 && input.view().getLong(input.offset(position) + RecordDescriptor.SEQUENCE_OFFSET) ==
                sequence + 1)
            {
                take(length);
                return true;
            }
            if (!follows())
            {
                end();
            }
        }
        return false;
    }

    private void take(final int length)
    {
        final ByteView view = input.view();
        final int at = input.offset(position);
        offset = at + RecordDescriptor.HEADER_LENGTH;
        payloadLength = view.getInt(at + RecordDescriptor.LENGTH_OFFSET);
        timeBeforeNs = timeNs;
        timeNs = view.getLong(at + RecordDescriptor.TIME_OFFSET);
        checksum = view.getInt(at + RecordDescriptor.CHECKSUM_OFFSET);
        sequence++;
        position += length;
    }

    /** Whether the next segment says that it begins exactly here; then it is open. */
    private boolean follows()
    {
        if (index + 1 == used.size())
        {
            return false;
        }
        final SegmentFile next = used.get(index + 1);
        final boolean chained = next.firstSequence() == sequence + 1 && next.lastChecksum() == checksum &&
            next.before() == used.get(index).id();
        if (chained)
        {
            index++;
            input.open(next);
            position = SegmentDescriptor.HEADER_LENGTH;
        }
        return chained;
    }

    /** No record and no further segment begins here: the journal ends, unless a proof shows that it continued. */
    private void end()
    {
        final SegmentFile last = segment();
        if (proved > sequence)
        {
            throw damaged(proved, proof);
        }
        tornBytes = last == null ? 0 : input.tornLength(position);
        if (tornBytes > 0)
        {
            lookForProof(last, position, last.end());
        }
        for (final SegmentFile later : all)
        {
            if (last == null || later.id() > last.id())
            {
                if (later.state() == SegmentFile.State.USED && later.committed() > sequence)
                {
                    throw damaged(later.committed(), "the header of " + later.path().getFileName());
                }
                lookForProof(later, SegmentDescriptor.HEADER_LENGTH,
                    later.state() == SegmentFile.State.PREPARED ? PREPARED_TRACE : later.end());
            }
        }
        atEnd = true;
    }

    private void lookForProof(final SegmentFile segment, final long from, final long limit)
    {
        input.open(segment);
        long at = input.find(from, limit);
        while (at >= 0)
        {
            final int record = input.offset(at);
            final long committed = input.view().getLong(record + RecordDescriptor.COMMITTED_OFFSET);
            if (committed > sequence)
            {
                throw damaged(committed, "record " + input.view().getLong(record + RecordDescriptor.SEQUENCE_OFFSET) +
                    " at offset " + at + " of " + segment.path().getFileName());
            }
            at = input.find(at + input.record(at), limit);
        }
    }

    private JournalException damaged(final long committed, final String by)
    {
        final SegmentFile last = segment();
        return new JournalException(JournalException.Kind.DAMAGED,
            (last == null ? "no segment has a good header" : last.path().toString()) + ": record " + (sequence + 1) +
            " at offset " + position + " is damaged or missing, but records up to " + committed +
            " were committed, as " + by + " proves. Nothing was changed");
    }

    /** Skip the record that {@link #next} has gone to. No read may follow. */
    void stepBack()
    {
        sequence--;
        position -= RecordDescriptor.recordLength(payloadLength);
        timeNs = timeBeforeNs;
        atEnd = true;
    }

    /** Where the record is that {@link #next} has gone to. */
    String place()
    {
        return segment().path() + ": record " + sequence + " that ends at offset " + position;
    }

    /** At the end of the journal, the number of bytes of a torn tail: see {@link SegmentInput#tornLength}. */
    long tornBytes()
    {
        return tornBytes;
    }

    /** Of the record that {@link #next} has gone to, or the one before the first. */
    long sequence()
    {
        return sequence;
    }

    /** Of the same record; 0 if it is the one before the first and in no segment that was read. */
    long timeNs()
    {
        return timeNs;
    }

    /** Committed position in the current record: everything up to it was forced before. */
    long committed()
    {
        return input.view().getLong(offset - RecordDescriptor.HEADER_LENGTH + RecordDescriptor.COMMITTED_OFFSET);
    }

    /** Checksum of the last record. */
    int checksum()
    {
        return checksum;
    }

    /** Has the payload until the next call. */
    ByteView view()
    {
        return input.view();
    }

    int offset()
    {
        return offset;
    }

    int payloadLength()
    {
        return payloadLength;
    }

    /** Offset after the last record, in its segment. */
    long position()
    {
        return position;
    }

    /** The segment that the reader is in; null when none is used. */
    SegmentFile segment()
    {
        return index < 0 ? null : used.get(index);
    }

    @Override
    public void close()
    {
        input.close();
    }
}
