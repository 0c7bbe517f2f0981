package io.millrace.journal;

import org.agrona.concurrent.EpochNanoClock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Small journals for tests: segments of 4 to 16 KiB, a clock that counts. */
final class Journals
{
    private Journals()
    {
    }

    static JournalContext<Command> context(final Path directory)
    {
        return new JournalContext<>(directory, new Command.Codec(), Command::new)
            .segmentBytes(16_384).bufferBytes(16_384).watermarkBytes(0).clock(clock())
            .fileOps(new FaultyFiles(new UnforcedFiles()));
    }

    /** A microsecond later at each look. */
    static EpochNanoClock clock()
    {
        return clock(1_000);
    }

    static EpochNanoClock clock(final long stepNs)
    {
        return new EpochNanoClock()
        {
            private long nowNs = 1_700_000_000_000_000_000L;

            @Override
            public synchronized long nanoTime()
            {
                nowNs += stepNs;
                return nowNs;
            }
        };
    }

    /** Appends commands whose values are their sequences; a batch each time. */
    static void append(final Journal<Command> journal, final long first, final long last, final int batch)
    {
        final Command command = new Command();
        for (long value = first; value <= last; value++)
        {
            command.value = value;
            command.extra = (int)(value % 40);
            journal.append(command);
            if ((value - first + 1) % batch == 0 || value == last)
            {
                journal.commit();
            }
        }
    }

    /** A new journal with so many records. Left as a kill would leave it, with an empty mark, unless it is closed. */
    static void write(final JournalContext<Command> context, final long records, final int batch, final boolean closed)
    {
        final Journal<Command> journal = Journal.open(context);
        journal.recover(new Accounts());
        append(journal, journal.committedSequence() + 1, journal.committedSequence() + records, batch);
        if (closed)
        {
            journal.close();
        }
        else
        {
            abandon(journal);
        }
    }

    /** What remains when the process is killed: files as they are, no lock. */
    static void abandon(final Journal<Command> journal)
    {
        ((FaultyFiles)journal.context().fileOps).crash();
        try
        {
            journal.close();
        }
        catch (final JournalException ignored)
        {
            // It cannot write any more.
        }
    }

    static List<Path> segments(final Path directory) throws IOException
    {
        try (Stream<Path> entries = Files.list(directory))
        {
            return entries.filter(path -> path.getFileName().toString().matches("segment-.*\\.log")).sorted()
                .collect(Collectors.toList());
        }
    }

    /** Those whose header is not zero. */
    static List<Path> used(final Path directory) throws IOException
    {
        final List<Path> used = segments(directory);
        used.removeIf(path -> readAll(path)[0] == 0);
        return used;
    }

    /** As the keeper does on a low disk: the segments that no snapshot needs. */
    static void deleteObsolete(final FileOps files, final Path directory) throws IOException
    {
        final List<Path> snapshots = new Snapshots(files, directory, 0, 1).list();
        final JournalDirectory journal = new JournalDirectory(files, directory);
        journal.scan();
        final List<SegmentFile> used = journal.segments();
        used.removeIf(segment -> segment.state() != SegmentFile.State.USED);
        for (int i = 0; i + 1 < used.size() && !snapshots.isEmpty(); i++)
        {
            if (used.get(i + 1).firstSequence() <= Snapshots.sequenceOf(snapshots.get(snapshots.size() - 1)) + 1)
            {
                files.delete(used.get(i).path());
            }
        }
    }

    static byte[] readAll(final Path path)
    {
        try
        {
            return Files.readAllBytes(path);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(path.toString(), ex);
        }
    }

    static void copy(final Path from, final Path to) throws IOException
    {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from))
        {
            for (final Path entry : entries.collect(Collectors.toList()))
            {
                Files.copy(entry, to.resolve(entry.getFileName()));
            }
        }
    }

    static void delete(final Path directory) throws IOException
    {
        if (Files.exists(directory))
        {
            try (Stream<Path> entries = Files.list(directory))
            {
                for (final Path entry : entries.collect(Collectors.toList()))
                {
                    Files.delete(entry);
                }
            }
            Files.delete(directory);
        }
    }

    /** Recovers a copy of the state and closes; throws what recovery throws. */
    static RecoveryReport recover(final Path directory, final Accounts accounts)
    {
        try (Journal<Command> journal = Journal.open(context(directory)))
        {
            return journal.recover(accounts);
        }
    }

    static RecoveryReport recover(final Path directory)
    {
        return recover(directory, new Accounts());
    }
}
