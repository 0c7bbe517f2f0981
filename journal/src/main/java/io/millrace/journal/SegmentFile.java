package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A segment as it was found in the directory, with its header.
 *
 * @param id            of the file's name.
 * @param path          of the file.
 * @param sizeBytes     of the file.
 * @param state         of the header; the fields below are valid if it is USED.
 * @param schema        number for the format of the payloads.
 * @param lastChecksum  of the last record before it.
 * @param firstSequence of its first record.
 * @param committed     last record that was forced when the header was encoded.
 * @param createdNs     when the journal was made.
 * @param before        id of the segment before.
 * @param lengthBytes   of the segment; the file of a used one may be shorter when somebody cut it.
 */
record SegmentFile(
    int id,
    Path path,
    long sizeBytes,
    State state,
    int schema,
    int lastChecksum,
    long firstSequence,
    long committed,
    long createdNs,
    int before,
    int lengthBytes)
{
    enum State
    {
        /** A good header. */
        USED,
        /** Zeros where the header goes. */
        PREPARED,
        /** Neither used nor prepared: a torn first batch, or damage. */
        BROKEN
    }

    /** Offset after the last byte that may belong to a record. */
    long end()
    {
        return state == State.USED ? Math.min(sizeBytes, lengthBytes) : sizeBytes;
    }

    static SegmentFile of(final int id, final Path path, final long sizeBytes, final ByteView header, final CRC32C crc)
    {
        final boolean whole = sizeBytes >= SegmentDescriptor.HEADER_LENGTH;
        if (!whole || !SegmentDescriptor.isHeader(header, 0, crc))
        {
            boolean zero = whole;
            for (int i = 0; i < SegmentDescriptor.HEADER_LENGTH && zero; i++)
            {
                zero = header.getByte(i) == 0;
            }
            return new SegmentFile(
                id, path, sizeBytes, zero ? State.PREPARED : State.BROKEN, 0, 0, 0, 0, 0, 0, (int)sizeBytes);
        }
        if (SegmentDescriptor.version(header) != SegmentDescriptor.VERSION)
        {
            throw new JournalException(JournalException.Kind.WRONG_FORMAT, path + ": version " +
                SegmentDescriptor.version(header) + " is not " + SegmentDescriptor.VERSION +
                ", which this release reads");
        }
        final int written = header.getInt(SegmentDescriptor.SEGMENT_OFFSET);
        if (written != id)
        {
            throw new JournalException(JournalException.Kind.DAMAGED,
                path + ": the file has segment " + written + ": it was renamed, copied or swapped");
        }
        return new SegmentFile(id, path, sizeBytes, State.USED,
            header.getInt(SegmentDescriptor.SCHEMA_OFFSET),
            header.getInt(SegmentDescriptor.LAST_CHECKSUM_OFFSET),
            header.getLong(SegmentDescriptor.FIRST_SEQUENCE_OFFSET),
            header.getLong(SegmentDescriptor.COMMITTED_OFFSET),
            header.getLong(SegmentDescriptor.CREATED_OFFSET),
            header.getInt(SegmentDescriptor.BEFORE_OFFSET),
            header.getInt(SegmentDescriptor.LENGTH_OFFSET));
    }
}
