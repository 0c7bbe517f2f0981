package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** J6: the journal ends in a segment of several pages, of which all but the first kept records of an earlier use. */
class RecycledSegmentTest
{
    private static final Path FOLDER = Path.of("/memory/journal");
    private static final int SECTOR = 512;
    /** Segment id and type of a record: one word, so no sector has only a part of it. */
    private static final int SEEN_LENGTH = RecordDescriptor.TYPE_OFFSET + Integer.BYTES;

    private static JournalContext<Command> context(final FileOps files)
    {
        return Journals.context(FOLDER).fileOps(files).preparedSegments(1);
    }

    /** Appends up to a sequence in batches, with a snapshot at each 300th record. What the recovery reported. */
    private static RecoveryReport fill(final MemoryFiles disk, final long to, final int batch)
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            final RecoveryReport report = journal.recover(accounts);
            assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash(), report.text());
            for (long value = report.sequence() + 1; value <= to; value++)
            {
                journal.append(new Command(value, (int)(value % 40)));
                accounts.apply(value);
                if (value % batch == 0 || value == to)
                {
                    journal.commit();
                }
                if (value % 300 == 0)
                {
                    journal.commit();
                    journal.snapshot(accounts, value);
                    journal.segmentKeeper().doWork();
                }
            }
            return report;
        }
    }

    private static String fileOf(final RecoveryReport report)
    {
        return report.end().substring(0, report.end().indexOf(':'));
    }

    private static int positionOf(final RecoveryReport report)
    {
        return Integer.parseInt(report.end().substring(report.end().indexOf(':') + 1));
    }

    /** Whether records of an earlier use follow the end. */
    private static boolean isRecycled(final MemoryFiles disk, final RecoveryReport report)
    {
        final byte[] bytes = disk.files.get(fileOf(report));
        final ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        final int id = Segment.idOf(fileOf(report));
        int stale = 0;
        for (int at = positionOf(report); at <= bytes.length - RecordDescriptor.HEADER_LENGTH; at += Long.BYTES)
        {
            final int other = words.getInt(at + RecordDescriptor.SEGMENT_OFFSET);
            stale += words.getInt(at + RecordDescriptor.TYPE_OFFSET) == RecordDescriptor.EVENT && other > 0 &&
                other < id && words.getInt(at + RecordDescriptor.LENGTH_OFFSET) < 100 ? 1 : 0;
        }
        return stale > 2;
    }

    @Test
    void shouldGoOnInARecycledSegmentAfterACleanClose()
    {
        final MemoryFiles disk = new MemoryFiles();
        fill(disk, 5_000, 5);
        int recycled = 0;
        for (int to = 5_007; to < 6_500; to += 7)
        {
            fill(disk, to, 5);
            final MemoryFiles image = disk.copy();
            final RecoveryReport report = fill(image, 0, 5);
            assertEquals(to, report.sequence());
            if (isRecycled(disk, report))
            {
                recycled++;
                assertEquals(0, report.tornBytes(), report.text());
                assertEquals(fileOf(report), fileOf(fill(disk, to + 1, 5)), "before the record");
                assertEquals(fileOf(report), fileOf(fill(disk.copy(), 0, 5)), "the record is in the same segment");
            }
        }
        assertTrue(recycled > 100, recycled + " of 214 ends are in a recycled segment");
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldCloseAndRecycleFullSegmentsWithoutAKeeper(final Durability policy)
    {
        final MemoryFiles disk = new MemoryFiles();
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(
            context(disk).segmentBytes(4_096).bufferBytes(4_096).durability(policy)))
        {
            journal.recover(accounts);
            for (long value = 1; value <= 10_000; value++)
            {
                Journals.append(journal, value, value, 1);
                accounts.apply(value);
                if (value % 300 == 0)
                {
                    journal.snapshot(accounts, value);
                }
                assertTrue(disk.openFiles() < SegmentKeeper.MAX_UNSETTLED + 5, () -> disk.files.keySet().toString());
            }
        }
        assertTrue(disk.files.size() < 2 * SegmentKeeper.MAX_UNSETTLED, () -> disk.files.keySet().toString());
        assertEquals(10_000, Journal.open(context(disk)).recover(new Accounts()).sequence());
    }

    /** A disk that ends in a recycled segment, after its first page or in it. */
    private static MemoryFiles recycled(final boolean inFirstPage)
    {
        final MemoryFiles disk = new MemoryFiles();
        for (long to = 5_000; to < 8_000; to++)
        {
            fill(disk, to, 5);
            final RecoveryReport report = fill(disk.copy(), 0, 5);
            final int position = positionOf(report);
            if (isRecycled(disk, report) && position > 1_000 && position < 10_000 &&
                (inFirstPage ? position < SegmentDescriptor.PAGE - 1_000 : position > SegmentDescriptor.PAGE))
            {
                return disk;
            }
        }
        throw new AssertionError("no such end");
    }

    /** The journal goes on with right records, however much is torn. */
    private static void assertGoesOn(final MemoryFiles torn, final long sequence)
    {
        for (final long more : new long[]{1, 9, 400})
        {
            fill(torn, sequence + more, 3);
        }
        assertEquals(sequence + 400, fill(torn, 0, 1).sequence());
    }

    @Test
    void shouldReportEachTornBatchInARecycledSegmentThatHasThePlaceOfARecord()
    {
        for (final boolean inFirstPage : new boolean[]{false, true})
        {
            final MemoryFiles disk = recycled(inFirstPage);
            final RecoveryReport clean = fill(disk.copy(), 0, 5);
            final int position = positionOf(clean);
            final MemoryFiles whole = disk.copy();
            fill(whole, clean.sequence() + 12, Integer.MAX_VALUE);
            final byte[] batch = whole.files.get(fileOf(clean));
            final int end = positionOf(fill(whole.copy(), 0, 5));
            final List<Integer> ends = ends(batch, position, end);
            assertEquals(12, ends.size());
            for (int cut = position + 1; cut < end; cut++)
            {
                final MemoryFiles torn = disk.copy();
                final byte[] bytes = torn.files.get(fileOf(clean));
                System.arraycopy(batch, position, bytes, position, cut - position);
                // The last bytes of a record may be there already, as zeros of an earlier one.
                final int other = Arrays.mismatch(bytes, position, end, batch, position, end);
                final int same = other < 0 ? end : position + other;
                final long records = ends.stream().filter(each -> each <= same).count();
                final int last = records == 0 ? position : ends.get((int)records - 1);
                int begun = cut - last;
                while (inFirstPage && begun > 0 && bytes[last + begun - 1] == 0)
                {
                    begun--;
                }
                final RecoveryReport report = fill(torn, 0, 5);
                assertEquals(clean.sequence() + records, report.sequence(), "cut at " + cut);
                assertTrue(begun < (inFirstPage ? 1 : SEEN_LENGTH) || report.tornBytes() > 0, "cut at " + cut);
                assertTrue(cut > last || report.tornBytes() == 0, "cut at " + cut);
                if (cut % 13 == 0)
                {
                    assertGoesOn(torn, report.sequence());
                }
            }
        }
    }

    /** Sectors reach the disk in any order. */
    @Test
    void shouldGoOnWhicheverSectorsOfATornBatchAreThere()
    {
        final MemoryFiles disk = recycled(false);
        final RecoveryReport clean = fill(disk.copy(), 0, 5);
        final int position = positionOf(clean);
        final MemoryFiles whole = disk.copy();
        fill(whole, clean.sequence() + 30, Integer.MAX_VALUE);
        final byte[] batch = whole.files.get(fileOf(clean));
        final int end = positionOf(fill(whole.copy(), 0, 5));
        final int first = position / SECTOR;
        final int sectors = (end - 1) / SECTOR - first + 1;
        assertTrue(sectors >= 4 && sectors < 10, sectors + " sectors");
        for (int set = 1; set < 1 << sectors; set++)
        {
            final MemoryFiles torn = disk.copy();
            for (int i = 0; i < sectors; i++)
            {
                if ((set >> i & 1) != 0)
                {
                    System.arraycopy(batch, (first + i) * SECTOR, torn.files.get(fileOf(clean)), (first + i) * SECTOR,
                        SECTOR);
                }
            }
            final RecoveryReport report = fill(torn, 0, 5);
            // Each sector has places of records.
            assertTrue(set == (1 << sectors) - 1 || report.tornBytes() > 0 || report.sequence() > clean.sequence(),
                () -> report.text());
            assertGoesOn(torn, report.sequence());
        }
    }

    private static List<Integer> ends(final byte[] bytes, final int position, final int end)
    {
        final List<Integer> ends = new ArrayList<>();
        final ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = position; at < end;)
        {
            at += RecordDescriptor.recordLength(words.getInt(at + RecordDescriptor.LENGTH_OFFSET));
            ends.add(at);
        }
        return ends;
    }

    /** Renames of a segment that is to be recycled fail so often, or report a failure of what they did. */
    private static FileOps failing(final FileOps disk, final int[] failures, final boolean done)
    {
        return new PassedFiles(disk)
        {
            @Override
            public void rename(final Path from, final Path to) throws IOException
            {
                final boolean fails = from.toString().endsWith(".log") && failures[0] > 0;
                if (!fails || done)
                {
                    super.rename(from, to);
                }
                if (fails)
                {
                    failures[0]--;
                    throw new IOException("planned");
                }
            }
        };
    }

    /** First and last record of the journal, as the inspector reads it. */
    private static List<Long> read(final MemoryFiles disk)
    {
        final JournalDirectory directory = new JournalDirectory(disk, FOLDER);
        directory.scan();
        try (JournalReader reader = Inspection.reader(disk, directory, 1, 0))
        {
            final long before = reader.sequence();
            while (reader.next())
            {
                assertEquals(0, reader.tornBytes());
            }
            return List.of(before + 1, reader.sequence());
        }
    }

    /** A later segment must not be recycled before an older one: the journal would have a gap between the two. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "1, true"})
    void shouldStayWholeWhenASegmentCannotBeRecycled(final int count, final boolean done)
    {
        final int[] failures = {count};
        final MemoryFiles disk = new MemoryFiles();
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(failing(disk, failures, done))
            .clock(Journals.clock(SegmentPreparation.PIECE_INTERVAL_NS))))
        {
            journal.recover(accounts);
            for (long value = 1; value <= 9_000; value++)
            {
                Journals.append(journal, value, value, 1);
                accounts.apply(value);
                if (value % 300 == 0)
                {
                    journal.snapshot(accounts, value);
                    assertEquals(value, read(disk.copy()).get(1));
                }
                journal.segmentKeeper().doWork();
            }
            assertEquals(0, failures[0]);
            assertTrue(journal.segmentKeeper().preparationFailures() > 0);
        }
        final List<Long> records = read(disk.copy());
        assertTrue(records.get(0) > 7_000, "the segment is recycled later: " + records);
        assertEquals(9_000, records.get(1));
        assertEquals(9_000, fill(disk, 0, 1).sequence());
    }
}
