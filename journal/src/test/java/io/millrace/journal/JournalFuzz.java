package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * J7: a fuzzer calls it with bytes. The first byte says which file of a small journal they change, and whether the
 * checksums are made right afterwards. Recovery ends with a report or a refusal, nothing else. Compiles and runs
 * without a fuzzer.
 */
public final class JournalFuzz
{
    private static final Path FOLDER = Path.of("/memory/journal");
    private static final int RESEALED = 4;
    private static final MemoryFiles WRITTEN = written();

    private JournalFuzz()
    {
    }

    private static JournalContext<Command> context(final MemoryFiles files)
    {
        return Journals.context(FOLDER).fileOps(files).segmentBytes(4_096).bufferBytes(4_096).preparedSegments(1);
    }

    /** Two segments, a snapshot, a mark, a skip, a failed start. */
    private static MemoryFiles written()
    {
        final MemoryFiles files = new MemoryFiles();
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(files)))
        {
            journal.recover(accounts);
            Journals.append(journal, 1, 20, 5);
            for (long value = 1; value <= 20; value++)
            {
                accounts.apply(value);
            }
            journal.snapshot(accounts, 20);
            Journals.append(journal, 21, 60, 5);
            final Skips skips = new Skips(files, FOLDER);
            skips.add(30, 1);
            skips.attempts(new Skips.Attempts(40, 1), 1);
            return files;
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /**
     * Entry point of Jazzer.
     *
     * @param data what to change: triples of offset, offset and value; or, behind 0xFF, the whole file.
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 2)
        {
            return;
        }
        final MemoryFiles files = WRITTEN.copy();
        final String[] names = files.files.keySet().toArray(new String[0]);
        final int choice = data[0] & 0xFF;
        final String name = names[(choice >> 3) % names.length];
        final byte[] bytes = changed(files.files.get(name), data);
        if ((choice & RESEALED) != 0)
        {
            reseal(name, new ByteView(bytes));
        }
        files.files.put(name, bytes);
        try (Journal<Command> journal = Journal.open(context(files)))
        {
            if (journal.recover(new Accounts()).sequence() > 0)
            {
                Journals.append(journal, 1, 3, 1);
            }
        }
        catch (final JournalException ex)
        {
            if (ex.getMessage() == null || ex.kind() == JournalException.Kind.FAILED)
            {
                throw new AssertionError(ex);
            }
        }
    }

    private static byte[] changed(final byte[] whole, final byte[] data)
    {
        if (data[1] == -1)
        {
            return Arrays.copyOfRange(data, 2, data.length);
        }
        final byte[] bytes = whole.clone();
        for (int i = 1; i + 2 < data.length; i += 3)
        {
            bytes[Math.floorMod(data[i] << 8 | data[i + 1] & 0xFF, bytes.length)] = data[i + 2];
        }
        return bytes;
    }

    /** An attacker who knows the formats: records are where the lengths say, and all checksums are right. */
    private static void reseal(final String name, final ByteView view)
    {
        if (name.startsWith("segment-"))
        {
            seal(view, 0, SegmentDescriptor.CHECKSUM_OFFSET);
            resealRecords(view, SegmentDescriptor.HEADER_LENGTH);
        }
        else if (name.startsWith("snapshot-"))
        {
            seal(view, 0, view.capacity() - SnapshotDescriptor.TRAILER_LENGTH +
                SnapshotDescriptor.TRAILER_CHECKSUM_OFFSET);
        }
        else if (name.equals(CommitMark.NAME))
        {
            for (int slot = 0; slot < CommitMark.SLOTS; slot++)
            {
                seal(view, slot * CommitMark.SLOT_LENGTH, CommitMark.CHECKSUM_OFFSET);
            }
        }
        else
        {
            resealRecords(view, 0);
        }
    }

    /** Puts the checksum of some bytes behind them. */
    private static void seal(final ByteView view, final int from, final int length)
    {
        if (length >= 0 && view.contains(from, length + Integer.BYTES))
        {
            final CRC32C crc = new CRC32C();
            view.updateChecksum(crc, from, length);
            view.putInt(from + length, (int)crc.getValue());
        }
    }

    private static void resealRecords(final ByteView view, final int from)
    {
        final CRC32C crc = new CRC32C();
        int at = from;
        while (view.contains(at, RecordDescriptor.HEADER_LENGTH))
        {
            final int payload = view.getInt(at + RecordDescriptor.LENGTH_OFFSET);
            if (payload < 0 || payload > RecordDescriptor.MAX_PAYLOAD ||
                RecordDescriptor.recordLength(payload) > view.capacity() - at)
            {
                return;
            }
            final int length = RecordDescriptor.recordLength(payload);
            view.putInt(at, RecordDescriptor.checksum(view, at, length, crc));
            at += length;
        }
    }
}
