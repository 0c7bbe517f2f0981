package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The mark is written into its two slots in turn: whatever happens to one, the other says what was there before. */
class CommitMarkTest
{
    private static final Path FOLDER = Path.of("/memory/journal");

    private final MemoryFiles disk = new MemoryFiles();

    private long sequence() throws IOException
    {
        final CommitMark mark = new CommitMark(disk, FOLDER);
        final boolean proves = mark.read();
        assertEquals(proves, mark.sequence() > 0);
        return mark.sequence();
    }

    @Test
    void shouldKeepTheOtherSlotAlsoAfterARestart() throws IOException
    {
        for (int sequence = 1; sequence <= 6; sequence++)
        {
            final CommitMark mark = new CommitMark(disk, FOLDER);
            assertEquals(sequence > 1, mark.read());
            mark.open();
            mark.write(sequence);
            mark.close();
            final byte[] whole = disk.files.get(CommitMark.NAME).clone();
            long least = Long.MAX_VALUE;
            for (int slot = 0; slot < CommitMark.SLOTS; slot++)
            {
                final byte[] torn = whole.clone();
                torn[slot * CommitMark.SLOT_LENGTH] ^= 1;
                disk.files.put(CommitMark.NAME, torn);
                least = Math.min(least, sequence());
            }
            assertEquals(sequence - 1, least);
            disk.files.put(CommitMark.NAME, whole);
            assertEquals(sequence, sequence());
        }
    }

    @Test
    void shouldProveNothingByADamagedSlot() throws IOException
    {
        final CommitMark mark = new CommitMark(disk, FOLDER);
        mark.createdNs(3);
        mark.open();
        mark.write(5);
        mark.write(1_000);
        mark.close();
        final byte[] whole = disk.files.get(CommitMark.NAME).clone();
        for (int bit = 0; bit < whole.length * Byte.SIZE; bit++)
        {
            final byte[] flipped = whole.clone();
            flipped[bit / Byte.SIZE] ^= (byte)(1 << bit % Byte.SIZE);
            disk.files.put(CommitMark.NAME, flipped);
            final long found = sequence();
            assertTrue(found == 5 || found == 1_000, "bit " + bit + ": " + found);
        }
    }

    @Test
    void shouldRefuseTheMarkOfAnotherRelease() throws IOException
    {
        final CommitMark mark = new CommitMark(disk, FOLDER);
        mark.open();
        mark.write(5);
        mark.close();
        final byte[] file = disk.files.get(CommitMark.NAME);
        final ByteView view = new ByteView(file);
        for (int at = 0; at < file.length; at += CommitMark.SLOT_LENGTH)
        {
            view.putInt(at + CommitMark.VERSION_OFFSET, CommitMark.VERSION + 1);
            final CRC32C crc = new CRC32C();
            crc.update(file, at, CommitMark.CHECKSUM_OFFSET);
            view.putInt(at + CommitMark.CHECKSUM_OFFSET, (int)crc.getValue());
        }
        final JournalException refusal = assertThrows(JournalException.class, this::sequence);
        assertEquals(JournalException.Kind.WRONG_FORMAT, refusal.kind());
        assertEquals(FOLDER.resolve(CommitMark.NAME) + ": version 2 is not 1, which this release reads",
            refusal.getMessage());
    }
}
