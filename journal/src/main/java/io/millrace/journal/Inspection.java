package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Reads a journal for the inspector. */
final class Inspection
{
    private static final long NS_PER_S = 1_000_000_000L;

    private final FileOps files;
    private final Path path;
    private final PrintStream out;

    Inspection(final FileOps files, final Path path, final PrintStream out)
    {
        this.files = files;
        this.path = path;
        this.out = out;
    }

    /** The directory must exist: the inspector creates none. */
    private static void checkDirectory(final Path path)
    {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        {
            throw new JournalException(JournalException.Kind.UNUSABLE, path +
                (Files.isSymbolicLink(path) ? " is a symbolic link: name the directory itself" : " is no directory"));
        }
    }

    static JournalDirectory scan(final FileOps files, final Path path)
    {
        checkDirectory(path);
        final JournalDirectory directory = new JournalDirectory(files, path);
        directory.scan();
        return directory;
    }

    /** Of a journal that may be in use: its keeper may recycle or delete a segment meanwhile. */
    private JournalDirectory scanLive()
    {
        checkDirectory(path);
        final JournalDirectory directory = new JournalDirectory(files, path);
        directory.scanLive();
        return directory;
    }

    static Closeable lock(final FileOps files, final Path path)
    {
        checkDirectory(path);
        return JournalDirectory.lock(files, path);
    }

    int list() throws IOException
    {
        final JournalDirectory directory = scanLive();
        for (final SegmentFile segment : directory.segments())
        {
            out.println(segment.path().getFileName() + "  " + segment.sizeBytes() + " bytes  " +
                (segment.state() != SegmentFile.State.USED ? segment.state().toString().toLowerCase(Locale.ROOT) :
                "from record " + segment.firstSequence() + "  schema " + segment.schema() + "  committed " +
                segment.committed()));
        }
        final Snapshots snapshots = snapshots(files, directory);
        for (final Path snapshot : snapshots.list())
        {
            out.println(snapshot.getFileName() + "  of record " + Snapshots.sequenceOf(snapshot));
        }
        final CommitMark mark = new CommitMark(files, path);
        out.println(mark.read() ? "mark  committed " + mark.sequence() : "no mark");
        new TreeSet<>(new Skips(files, path).read()).forEach(sequence -> out.println("skipped  record " + sequence));
        directory.temporary().forEach(file -> out.println(file.getFileName() + "  unfinished"));
        directory.foreign().forEach(file -> out.println(file.getFileName() + "  not the journal's"));
        return JournalInspector.OK;
    }

    static Snapshots snapshots(final FileOps files, final JournalDirectory directory)
    {
        final SegmentFile first = first(directory);
        return new Snapshots(files, directory.path(), first == null ? 0 : first.schema(), 1);
    }

    /** The first segment with records; null for none. */
    static SegmentFile first(final JournalDirectory directory)
    {
        return directory.segments().stream().filter(each -> each.state() == SegmentFile.State.USED)
            .findFirst().orElse(null);
    }

    int print(final long from, final long to)
    {
        long next = from;
        boolean again = false;
        for (boolean first = true; true; first = false)
        {
            final long begin = next;
            try (JournalReader reader = reader(files, scanLive(), begin, 0))
            {
                if (!first && reader.sequence() >= begin)
                {
                    next = Math.min(reader.sequence(), to) + 1;
                    out.println("records " + begin + ".." + (next - 1) + " are gone: recycled");
                }
                while (reader.sequence() < to && reader.next())
                {
                    out.println(line(reader));
                    next = reader.sequence() + 1;
                }
                return JournalInspector.OK;
            }
            catch (final JournalException ex)
            {
                // While the reader looks for the end, a journal in use goes on behind it: damage is there twice. Or it
                // recycles a segment in front of it, again and again.
                final boolean isGone = ex.getCause() instanceof NoSuchFileException;
                if (!isGone && (ex.kind() != JournalException.Kind.DAMAGED || again && next == begin))
                {
                    throw ex;
                }
                again = !isGone && next == begin;
            }
        }
    }

    private static String line(final JournalReader reader)
    {
        final StringBuilder line = new StringBuilder();
        line.append(reader.sequence()).append("  ").append(time(reader.timeNs())).append("  ")
            .append(reader.segment().id()).append(':')
            .append(reader.position() - RecordDescriptor.recordLength(reader.payloadLength()))
            .append("  ").append(reader.committed()).append("  ");
        for (int i = 0; i < reader.payloadLength(); i++)
        {
            final int value = reader.view().getByte(reader.offset() + i) & 0xFF;
            line.append(Character.forDigit(value >> 4, 16)).append(Character.forDigit(value & 15, 16));
        }
        return line.toString();
    }

    static Instant time(final long timeNs)
    {
        return Instant.ofEpochSecond(Math.floorDiv(timeNs, NS_PER_S), Math.floorMod(timeNs, NS_PER_S));
    }

    /** Begins with the first existing record, if the requested one was recycled. */
    static JournalReader reader(
        final FileOps files, final JournalDirectory directory, final long from, final long proved)
    {
        final SegmentFile first = first(directory);
        return new JournalReader(files, directory.segments(), first == null ? from :
            Math.max(from, first.firstSequence()), proved, CommitMark.NAME);
    }

    int verify() throws IOException
    {
        try (Closeable held = lock(files, path))
        {
            assert held != null;
            final JournalDirectory directory = scan(files, path);
            final CommitMark mark = new CommitMark(files, path);
            final SegmentFile first = first(directory);
            int bad = mark.read() && isForeign(CommitMark.NAME, mark.createdNs(), first) ? 1 : 0;
            bad += foreignSegments(directory, first);
            final Snapshots snapshots = snapshots(files, directory);
            final List<Path> present = snapshots.list();
            long newest = 0;
            for (final Path snapshot : present)
            {
                final boolean good = isGood(snapshots, snapshot, first);
                bad += good ? 0 : 1;
                newest = good ? Math.max(newest, Snapshots.sequenceOf(snapshot)) : newest;
            }
            final Skips skips = new Skips(files, path);
            skips.read();
            skips.attempts();
            final long proved =
                Math.max(mark.sequence(), present.isEmpty() ? 0 : Snapshots.sequenceOf(present.get(0)));
            try (JournalReader reader = reader(files, directory, 1, proved))
            {
                final long before = reader.sequence();
                while (reader.next())
                {
                    // Every record is checked.
                }
                if (reader.segment() == null && proved > 0)
                {
                    throw new JournalException(JournalException.Kind.DAMAGED,
                        path + ": no segment has records, but records up to " + proved + " were committed");
                }
                out.println("records " + (before + 1) + ".." + reader.sequence() + " are good" +
                    (reader.tornBytes() > 0 ? "; " + reader.tornBytes() + " bytes behind them are no records" : ""));
                if (before > newest)
                {
                    out.println("records 1.." + before + " are gone, and no good snapshot has them");
                    bad++;
                }
            }
            return bad == 0 ? JournalInspector.OK : JournalInspector.DAMAGED;
        }
    }

    private int foreignSegments(final JournalDirectory directory, final SegmentFile first)
    {
        int foreign = 0;
        for (final SegmentFile segment : directory.segments())
        {
            if (segment.state() == SegmentFile.State.USED)
            {
                final String name = segment.path().getFileName().toString();
                foreign += isForeign(name, segment.createdNs(), first) ? 1 : 0;
                if (segment.schema() != first.schema())
                {
                    out.println(name + " has schema " + segment.schema() + ", not " + first.schema());
                    foreign++;
                }
            }
        }
        return foreign;
    }

    private boolean isForeign(final String file, final long createdNs, final SegmentFile first)
    {
        final boolean foreign = first != null && createdNs != first.createdNs();
        if (foreign)
        {
            out.println(file + " belongs to another journal: made " + createdNs + ", not " + first.createdNs() +
                " ns after 1970");
        }
        return foreign;
    }

    private boolean isGood(final Snapshots snapshots, final Path snapshot, final SegmentFile first)
    {
        try
        {
            final Snapshots.Found found = snapshots.check(snapshot);
            if (isForeign(snapshot.getFileName().toString(), found.createdNs(), first))
            {
                return false;
            }
            out.println(snapshot.getFileName() + " is good, state hash " +
                String.format(Locale.ROOT, "%016x", found.stateHash()));
            return true;
        }
        catch (final IOException ex)
        {
            out.println(snapshot.getFileName() + " is damaged: " + JournalException.reason(ex));
            return false;
        }
    }

    int compare(final Path other) throws IOException
    {
        try (Closeable own = lock(files, path); Closeable theirs = lock(files, other))
        {
            assert own != null && theirs != null;
            return compareLocked(other);
        }
    }

    private int compareLocked(final Path other)
    {
        final JournalDirectory own = scan(files, path);
        final JournalDirectory their = scan(files, other);
        try (JournalReader mine = reader(files, own, 1, 0);
            JournalReader theirs = reader(files, their, mine.sequence() + 1, 0))
        {
            while (mine.sequence() < theirs.sequence() && mine.next())
            {
                // The other journal begins later.
            }
            final long first = mine.sequence() + 1;
            while (true)
            {
                final boolean more = mine.next();
                if (more != theirs.next() || mine.sequence() != theirs.sequence())
                {
                    final long last = Math.min(mine.sequence(), theirs.sequence());
                    out.println((last < first ? "no record is in both: " : "the same from record " + first +
                        " on, but ") + (mine.sequence() > last ? other : path) + " ends before record " +
                        Math.max(mine.sequence(), theirs.sequence()));
                    return JournalInspector.DAMAGED;
                }
                if (!more)
                {
                    out.println("records " + first + ".." + mine.sequence() + " are the same");
                    return JournalInspector.OK;
                }
                if (!samePayload(mine, theirs))
                {
                    out.println("record " + mine.sequence() + " differs");
                    return JournalInspector.DAMAGED;
                }
            }
        }
    }

    private static boolean samePayload(final JournalReader mine, final JournalReader theirs)
    {
        boolean same = mine.sequence() == theirs.sequence() && mine.payloadLength() == theirs.payloadLength();
        for (int i = 0; same && i < mine.payloadLength(); i++)
        {
            same = mine.view().getByte(mine.offset() + i) == theirs.view().getByte(theirs.offset() + i);
        }
        return same;
    }

    int skip(final long sequence) throws IOException
    {
        try (Closeable held = lock(files, path))
        {
            assert held != null;
            final Skips skips = new Skips(files, path);
            skips.add(sequence, System.currentTimeMillis() * 1_000_000L);
            final Set<Long> all = skips.read();
            out.println("recovery leaves out " + all.size() + " records: " + all);
            return JournalInspector.OK;
        }
    }

    int retry() throws IOException
    {
        try (Closeable held = lock(files, path))
        {
            assert held != null;
            final Skips skips = new Skips(files, path);
            final Skips.Attempts failed = skips.attempts();
            skips.forgetAttempts();
            out.println(failed.count() == 0 ? "no start has failed on a record" :
                "the next start replays record " + failed.sequence() + " again; " + failed.count() + " had failed");
            return JournalInspector.OK;
        }
    }
}
