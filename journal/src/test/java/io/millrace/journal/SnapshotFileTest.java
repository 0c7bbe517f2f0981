package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The file of a snapshot: states of any size, and files of other releases. */
class SnapshotFileTest
{
    private static final Path FOLDER = Path.of("/memory/journal");

    private final MemoryFiles disk = new MemoryFiles();

    private JournalContext<Command> context()
    {
        return Journals.context(FOLDER).fileOps(disk);
    }

    /** Appends five records, and writes a snapshot of the last one. */
    private void write(final Accounts state)
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 5, 5);
            journal.snapshot(state, 5);
        }
    }

    private RecoveryReport recover(final Accounts into)
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            return journal.recover(into);
        }
    }

    /** Bytes, then longs: one byte moves each long across the end of a buffer of 32,768 longs. */
    private static final class SizedState extends Accounts
    {
        final byte[] bytes;
        final long[] longs;

        SizedState(final int bytes, final int longs)
        {
            this.bytes = new byte[bytes];
            this.longs = new long[longs];
        }

        @Override
        public void writeTo(final SnapshotOutput out) throws IOException
        {
            out.putBytes(ByteBuffer.wrap(bytes));
            for (final long each : longs)
            {
                out.putLong(each);
            }
        }

        @Override
        public void readFrom(final SnapshotInput in) throws IOException
        {
            in.getBytes(ByteBuffer.wrap(bytes));
            for (int i = 0; i < longs.length; i++)
            {
                longs[i] = in.getLong();
            }
        }

        @Override
        public long stateHash()
        {
            return 31L * Arrays.hashCode(longs) + Arrays.hashCode(bytes);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "0, 32758", "0, 32759", "1, 32759", "0, 32760", "3, 100000", "600001, 1"})
    void shouldRestoreAStateOfAnySize(final int bytes, final int longs)
    {
        final SizedState state = new SizedState(bytes, longs);
        new Random(bytes).nextBytes(state.bytes);
        Arrays.setAll(state.longs, i -> ~i);
        write(state);
        final SizedState restored = new SizedState(bytes, longs);
        final RecoveryReport report = recover(restored);
        assertEquals(5, report.snapshot(), report::text);
        assertEquals(state.stateHash(), restored.stateHash());
    }

    /** A good one of another release, beside segments of this one. */
    @ParameterizedTest
    @CsvSource({"8, 'version 2 is not 1, which this release reads'", "12, schema 2 is not 1: "})
    void shouldRefuseASnapshotOfAnotherFormat(final int offset, final String why)
    {
        write(new Accounts());
        final byte[] snapshot = disk.files.get(Snapshots.name(5));
        final ByteView view = new ByteView(snapshot);
        view.putInt(offset, view.getInt(offset) + 1);
        final CRC32C crc = new CRC32C();
        crc.update(snapshot, 0, snapshot.length - Long.BYTES);
        view.putInt(snapshot.length - Long.BYTES, (int)crc.getValue());
        final JournalException refusal = assertThrows(JournalException.class, () -> recover(new Accounts()));
        assertEquals(JournalException.Kind.WRONG_FORMAT, refusal.kind());
        assertTrue(refusal.getMessage().startsWith(FOLDER.resolve(Snapshots.name(5)) + ": " + why),
            refusal.getMessage());
    }
}
