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

    /** Two segments, a snapshot, a mark, a skip. */
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
            new Skips(files, FOLDER).add(30, 1);
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
        if ((choice & RESEALED) != 0 && name.startsWith("segment-"))
        {
            reseal(bytes);
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

    /** What an attacker does who knows the format: the records lie where the lengths say, and their checksums fit. */
    private static void reseal(final byte[] bytes)
    {
        if (bytes.length < SegmentDescriptor.HEADER_LENGTH)
        {
            return;
        }
        final ByteView view = new ByteView(bytes);
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, SegmentDescriptor.CHECKSUM_OFFSET);
        view.putInt(SegmentDescriptor.CHECKSUM_OFFSET, (int)crc.getValue());
        int at = SegmentDescriptor.HEADER_LENGTH;
        while (bytes.length - at >= RecordDescriptor.HEADER_LENGTH)
        {
            final int payload = view.getInt(at + RecordDescriptor.LENGTH_OFFSET);
            if (payload < 0 || payload > RecordDescriptor.MAX_PAYLOAD ||
                RecordDescriptor.recordLength(payload) > bytes.length - at)
            {
                return;
            }
            final int length = RecordDescriptor.recordLength(payload);
            view.putInt(at, RecordDescriptor.checksum(view, at, length, crc));
            at += length;
        }
    }
}
