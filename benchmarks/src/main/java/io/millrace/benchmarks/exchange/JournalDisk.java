package io.millrace.benchmarks.exchange;

import io.millrace.journal.SegmentDescriptor;
import org.agrona.IoUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A directory in which each round finds all its segments prepared: so a round at full speed measures the journal and
 * not its keeper, which prepares 128 MB a second. The files are kept from round to round; only their first page is
 * zeroed again, as the keeper does with a recycled one. One thread.
 */
final class JournalDisk
{
    /** The journal's default. */
    static final int SEGMENT = 64 * 1024 * 1024;
    private static final int PIECE = 1 << 20;

    final Path directory;
    final int segmentBytes;
    private int segments;

    JournalDisk(final Path directory, final int segmentBytes)
    {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
    }

    /** Empties the journal, and leaves prepared segments for so many bytes. */
    void prepare(final long lengthBytes) throws IOException
    {
        segments = (int)(lengthBytes / segmentBytes) + 2;
        Files.createDirectories(directory);
        final List<Path> kept = new ArrayList<>();
        int lastId = 0;
        for (final Path file : files())
        {
            final boolean isSegment = file.toString().endsWith(".log") && Files.size(file) == segmentBytes;
            if (isSegment && kept.size() < segments)
            {
                kept.add(file);
                lastId = Integer.parseInt(file.getFileName().toString().substring(8, 18));
            }
            else
            {
                Files.delete(file);
            }
        }
        for (int i = 0; i < segments; i++)
        {
            final Path file = directory.resolve(String.format(Locale.ROOT, "segment-%010d.log", ++lastId));
            if (i < kept.size())
            {
                // A new id: the file still has records of its old one.
                Files.move(kept.get(i), file);
                zero(file, SegmentDescriptor.PAGE, StandardOpenOption.WRITE);
            }
            else
            {
                zero(file, segmentBytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
        }
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> all = Files.list(directory))
        {
            return all.sorted().toList();
        }
    }

    private static void zero(final Path file, final int length, final StandardOpenOption... options) throws IOException
    {
        final ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(length, PIECE));
        try (FileChannel channel = FileChannel.open(file, options))
        {
            for (long at = 0; at < length; at += zeros.capacity())
            {
                zeros.clear();
                while (zeros.hasRemaining())
                {
                    channel.write(zeros, at + zeros.position());
                }
            }
            channel.force(true);
        }
    }

    int segments()
    {
        return segments;
    }

    /** One of the prepared files, for the baseline. */
    Path first() throws IOException
    {
        return files().get(0);
    }

    /** Deletes everything. */
    void delete()
    {
        IoUtil.delete(directory.toFile(), false);
    }
}
