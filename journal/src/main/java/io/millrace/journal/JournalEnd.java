package io.millrace.journal;

/**
 * End of a journal, where its writer continues.
 *
 * @param segment       the segment in use, open; null when the next record begins a new one.
 * @param position      offset of the next record in it.
 * @param segmentBefore id of the last segment that has records; 0 if there is none.
 * @param sequence      of the last record; 0 if there is none.
 * @param lastChecksum  of the last record.
 * @param timeNs        of the last record.
 * @param createdNs     when the journal was made.
 */
record JournalEnd(
    Segment segment,
    long position,
    int segmentBefore,
    long sequence,
    int lastChecksum,
    long timeNs,
    long createdNs)
{
}
