package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J3, J4, J5, J6, J7: every cut and every flipped bit of a full segment of 16 KiB. The default build runs each tenth
 * of them.
 */
class JournalImageTest
{
    private static final Path FOLDER = Path.of("/memory/journal");
    private static final int SEGMENT = 16_384;

    private final MemoryFiles image = new MemoryFiles();
    /** Offset of each record, by sequence - 1, and of the end. */
    private final List<Integer> offsets = new ArrayList<>();
    private final long[] hashes = new long[1_000];
    private byte[] segment;
    private String name;
    private int records;

    /** Records of one batch each, until the segment is full. */
    @BeforeEach
    void fillASegment()
    {
        final Journal<Command> journal = Journal.open(context(image));
        journal.recover(new Accounts());
        final Command command = new Command();
        final Accounts reference = new Accounts();
        hashes[0] = reference.stateHash();
        int offset = SegmentDescriptor.HEADER_LENGTH;
        while (true)
        {
            command.value = records + 1;
            command.extra = records * 7 % 100;
            final int length = RecordDescriptor.recordLength(12 + command.extra);
            if (offset + length > SEGMENT)
            {
                break;
            }
            journal.append(command);
            journal.commit();
            records++;
            offsets.add(offset);
            offset += length;
            reference.apply(command.value);
            hashes[records] = reference.stateHash();
        }
        offsets.add(offset);
        // Killed, not closed: the mark is empty.
        assertEquals(List.of(CommitMark.NAME, "segment-0000000001.log"), List.copyOf(image.files.keySet()));
        name = image.used().get(0);
        segment = image.files.get(name);
        assertEquals(SEGMENT, segment.length);
    }

    private static JournalContext<Command> context(final FileOps files)
    {
        return Journals.context(FOLDER).fileOps(files);
    }

    /** The number of records that are recovered, or -1 when recovery refuses; the refusal in {@link #refusal}. */
    private int recovered(final MemoryFiles files)
    {
        refusal = null;
        final Accounts accounts = new Accounts();
        final MemoryFiles fresh = new MemoryFiles();
        fresh.files.putAll(files.files);
        try (Journal<Command> journal = Journal.open(context(fresh)))
        {
            final RecoveryReport report = journal.recoverTo(accounts, Long.MAX_VALUE, Long.MAX_VALUE);
            assertEquals(hashes[(int)report.sequence()], accounts.stateHash());
            return (int)report.sequence();
        }
        catch (final JournalException ex)
        {
            refusal = ex;
            return -1;
        }
    }

    private JournalException refusal;

    private int recordAt(final int offset)
    {
        int record = 0;
        while (record < records && offsets.get(record + 1) <= offset)
        {
            record++;
        }
        return record + 1;
    }

    private void cutAtEveryByte(final int step)
    {
        for (int length = 0; length <= SEGMENT; length += step)
        {
            image.files.put(name, Arrays.copyOf(segment, length));
            int whole = 0;
            while (whole < records && offsets.get(whole + 1) <= length)
            {
                whole++;
            }
            assertEquals(whole, recovered(image), "cut at " + length + ": " + refusal);
        }
    }

    @Test
    void shouldRecoverExactlyTheWholeRecordsBeforeACut()
    {
        cutAtEveryByte(Scale.DEFAULT_STEP);
    }

    @Test
    void shouldRecoverExactlyTheWholeRecordsBeforeACutInTheLastThree()
    {
        for (int length = offsets.get(records - 3); length <= offsets.get(records); length++)
        {
            image.files.put(name, Arrays.copyOf(segment, length));
            assertEquals(recordAt(length) - 1, recovered(image), "cut at " + length);
        }
    }

    /** As a power failure leaves a prepared segment: zeros follow the torn record. */
    private void zeroBehindEveryByte(final int first, final int step)
    {
        for (int length = first; length <= SEGMENT; length += step)
        {
            final byte[] torn = Arrays.copyOf(Arrays.copyOf(segment, length), SEGMENT);
            image.files.put(name, torn);
            int whole = 0;
            // A record may end with zeros.
            final int same = Arrays.mismatch(torn, segment);
            while (whole < records && (same < 0 || offsets.get(whole + 1) <= same))
            {
                whole++;
            }
            assertEquals(whole, recovered(image), "zeros from " + length + ": " + refusal);
        }
    }

    @Test
    void shouldRecoverExactlyTheWholeRecordsBeforeZeros()
    {
        zeroBehindEveryByte(0, Scale.DEFAULT_STEP);
        zeroBehindEveryByte(offsets.get(records - 3), 1);
    }

    @Tag("faults")
    @Test
    void shouldRecoverExactlyTheWholeRecordsBeforeZerosFromEachByteOn()
    {
        zeroBehindEveryByte(0, 1);
    }

    @Tag("faults")
    @Test
    void shouldRecoverExactlyTheWholeRecordsBeforeEveryCut()
    {
        cutAtEveryByte(1);
    }

    /** Every record but the last has a successor that proves it; the last one may be a torn tail. */
    private void flipEveryBit(final int step)
    {
        final byte[] flipped = segment.clone();
        image.files.put(name, flipped);
        int detected = 0;
        int flips = 0;
        for (int bit = 0; bit < offsets.get(records) * 8; bit += step)
        {
            final int offset = bit >> 3;
            flipped[offset] ^= (byte)(1 << (bit & 7));
            final int found = recovered(image);
            flipped[offset] ^= (byte)(1 << (bit & 7));
            flips++;
            detected += found < records ? 1 : 0;
            if (offset >= offsets.get(records - 1))
            {
                assertEquals(records - 1, found, "bit " + bit + " of the last record is flipped: " + refusal);
            }
            else
            {
                assertEquals(-1, found, "bit " + bit + " is flipped");
                final int record = offset < SegmentDescriptor.HEADER_LENGTH ? 1 : recordAt(offset);
                if (offset >= SegmentDescriptor.HEADER_LENGTH)
                {
                    assertTrue(refusal.getMessage().startsWith(FOLDER.resolve(name) + ": record " + record +
                        " at offset " + offsets.get(record - 1) + " is damaged"), refusal.getMessage());
                    assertEquals(JournalException.Kind.DAMAGED, refusal.kind());
                }
                assertNotNull(refusal);
            }
        }
        assertEquals(flips, detected);
    }

    @Test
    void shouldDetectAndLocateAFlippedBit()
    {
        // 11 has no factor in common with 8: all places of a bit are met.
        flipEveryBit(Scale.DEFAULT_STEP + 1);
    }

    @Tag("faults")
    @Test
    void shouldDetectAndLocateEveryFlippedBit()
    {
        flipEveryBit(1);
    }

    /** The file of skips trusts the checksum alone: no other record follows to prove a number wrong. */
    @Test
    void shouldCoverEveryBitOfARecordByItsChecksum()
    {
        final int at = offsets.get(0);
        final int length = offsets.get(1) - at;
        final byte[] record = Arrays.copyOfRange(segment, at, at + length);
        final ByteView view = new ByteView(record);
        assertEquals(length, RecordDescriptor.check(view, 0, length, 1, new CRC32C()));
        for (int bit = 0; bit < length * 8; bit++)
        {
            record[bit >> 3] ^= (byte)(1 << (bit & 7));
            assertEquals(0, RecordDescriptor.check(view, 0, length, 1, new CRC32C()), "bit " + bit);
            record[bit >> 3] ^= (byte)(1 << (bit & 7));
        }
    }

    @Test
    void shouldTakeABadLastRecordForATornTailUnlessTheMarkProvesIt()
    {
        final byte[] bad = segment.clone();
        bad[offsets.get(records - 1) + 50] ^= 1;
        image.files.put(name, bad);
        assertEquals(records - 1, recovered(image));

        image.files.put(name, segment);
        final MemoryFiles marked = image.copy();
        final Journal<Command> journal = Journal.open(context(marked));
        journal.recover(new Accounts());
        journal.close();
        assertFalse(Arrays.equals(image.files.get(CommitMark.NAME), marked.files.get(CommitMark.NAME)), "no mark");
        assertEquals(records, recovered(marked));
        marked.files.put(name, bad);
        assertEquals(-1, recovered(marked));
        assertEquals(JournalException.Kind.DAMAGED, refusal.kind());
        assertTrue(refusal.getMessage().contains(CommitMark.NAME), refusal.getMessage());
    }

    @Test
    void shouldRefuseATailThatIsGoneAsAWhole()
    {
        final MemoryFiles marked = image.copy();
        final Journal<Command> journal = Journal.open(context(marked));
        journal.recover(new Accounts());
        journal.close();
        final byte[] gone = segment.clone();
        Arrays.fill(gone, offsets.get(records / 2), SEGMENT, (byte)0);
        marked.files.put(name, gone);
        assertEquals(-1, recovered(marked));
    }

    @Test
    void shouldNotRefuseATornBatchWhosePartsWereWrittenOutOfOrder()
    {
        final MemoryFiles files = new MemoryFiles();
        final Journal<Command> journal = Journal.open(context(files));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 50, 1);
        final int begin = offsetOf(files, 51);
        Journals.append(journal, 51, 100, 50);
        final byte[] whole = files.files.get(name).clone();
        final Accounts accounts = new Accounts();
        for (int sector = begin / 512 + 1; sector * 512 < offsetOf(files, 101); sector++)
        {
            final byte[] torn = whole.clone();
            Arrays.fill(torn, sector * 512, sector * 512 + 512, (byte)0);
            final MemoryFiles crashed = new MemoryFiles();
            crashed.files.put(name, torn);
            // Nothing of the batch behind the hole may ever come back, whatever is appended now.
            try (Journal<Command> again = Journal.open(context(crashed)))
            {
                final long end = again.recover(accounts).sequence();
                assertTrue(end >= 50 && end < 100, () -> "ends at " + end);
                Journals.append(again, end + 1, end + 3, 1);
            }
            final Accounts last = new Accounts();
            try (Journal<Command> again = Journal.open(context(crashed)))
            {
                final long end = again.recover(last).sequence();
                assertEquals(Accounts.hashAfter(end), last.stateHash());
            }
        }
    }

    /**
     * J6: of the first batch in a prepared segment a power failure loses the header and keeps the records. The next
     * start uses the segment for the same sequences, and its batch ends where a record of the lost one begins.
     */
    @Test
    void shouldNeverReplayATornFirstBatchOfAPreparedSegment()
    {
        final int lost = 20;
        final MemoryFiles files = new MemoryFiles();
        final Journal<Command> journal = Journal.open(context(files));
        journal.recover(new Accounts());
        final int committed = (SEGMENT - SegmentDescriptor.HEADER_LENGTH) / RecordDescriptor.recordLength(12);
        for (int i = 1; i <= committed; i++)
        {
            journal.append(new Command(i, 0));
            journal.commit();
            journal.segmentKeeper().doWork();
        }
        assertEquals(1, files.used().size());
        for (int i = 1; i <= lost; i++)
        {
            journal.append(new Command(committed + i, 0));
        }
        journal.commit();
        final String torn = files.used().get(1);
        Arrays.fill(files.files.get(torn), 0, 512, (byte)0);
        for (int length = 0; length < 3; length++)
        {
            final MemoryFiles crashed = files.copy();
            final Journal<Command> again = Journal.open(context(crashed));
            long end = again.recover(new Accounts()).sequence();
            assertEquals(committed, end);
            for (int i = 0; i < 10 + length; i++)
            {
                again.append(new Command(++end, 0));
            }
            again.commit();
            // Killed, not closed.
            final Journal<Command> last = Journal.open(context(crashed.copy()));
            assertEquals(end, last.recover(new Accounts()).sequence());
        }
    }

    private int offsetOf(final MemoryFiles files, final int sequence)
    {
        final SegmentInput input = new SegmentInput(files);
        final byte[] bytes = files.files.get(name);
        input.open(SegmentFile.of(1, FOLDER.resolve(name), bytes.length,
            new ByteView(bytes), new CRC32C()));
        long at = SegmentDescriptor.HEADER_LENGTH;
        for (int i = 1; i < sequence; i++)
        {
            at += input.record(at);
        }
        return (int)at;
    }

    @Test
    void shouldFindAnyHostileLengthBeforeItReadsOrAllocates()
    {
        final int at = offsets.get(records / 2);
        for (final int length : new int[]{0, -1, 1, 7, Integer.MAX_VALUE, Integer.MIN_VALUE, SEGMENT, SEGMENT - at,
            RecordDescriptor.MAX_PAYLOAD, RecordDescriptor.MAX_PAYLOAD + 1, 1 << 30})
        {
            for (final boolean sealed : new boolean[]{false, true})
            {
                final byte[] hostile = segment.clone();
                final ByteView view = new ByteView(hostile);
                view.putInt(at + RecordDescriptor.LENGTH_OFFSET, length);
                if (sealed && length >= 0 && length < SEGMENT - at - RecordDescriptor.HEADER_LENGTH)
                {
                    view.putInt(at, RecordDescriptor.checksum(
                        view, at, RecordDescriptor.recordLength(length), new CRC32C()));
                }
                image.files.put(name, hostile);
                assertEquals(-1, recovered(image), "length " + length);
                assertNull(refusal.getCause());
            }
        }
    }
}
