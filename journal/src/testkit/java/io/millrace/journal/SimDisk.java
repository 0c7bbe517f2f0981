package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A disk that loses what a disk may lose. Every file has bytes that are durable and bytes that only the operating
 * system has; so has the directory. A kill of the process keeps both. A power failure keeps, drops, reorders or tears
 * each write that was not forced, a sector of 512 bytes at a time, and drops creations, renames and deletions that were
 * not forced. One directory, one thread.
 */
final class SimDisk implements FileOps
{
    private static final long SLOW_FORCE_NS = 500_000_000L;

    /** What happens to one of the next operations. */
    enum Fault
    {
        /** The process ends within the operation. */
        CRASH,
        /** The operation fails. A failed force loses what it should have forced, and a later one does not notice. */
        EIO,
        /** A read fails, or has no bytes. */
        READ,
        /** The disk is full until {@link #free()}. */
        FULL
    }

    private final SimTrace trace;
    private Map<String, SimInode> names = new TreeMap<>();
    private Map<String, SimInode> durableNames = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private int epoch;
    private boolean locked;
    private boolean crashed;
    private boolean full;
    private Fault fault;
    private int countdown;
    private boolean faulted;
    private String rotten;
    /** Gets control before an operation: as if another thread ran while this one is in the operating system. */
    Runnable between = () ->
    {
    };
    /** One in so many writes is short; 0 for none. */
    int shortWrites;
    /** Each force with a multiple of this number takes 500 ms; 0 for none. */
    int slowForces;
    /** Whether forces do something: false is a disk that lies. */
    boolean forcesDirectory = true;
    boolean forcesFiles = true;
    long operations;
    long forces;

    /** A creation (from is null), rename or deletion (to is null) since the directory was forced. */
    private record Change(String from, String to, SimInode inode)
    {
        void applyTo(final Map<String, SimInode> directory)
        {
            if (from != null)
            {
                directory.remove(from);
            }
            if (to != null)
            {
                directory.put(to, inode);
            }
        }
    }

    SimDisk(final SimTrace trace)
    {
        this.trace = trace;
    }

    private static String nameOf(final Path file)
    {
        return file.getFileName().toString();
    }

    /** One of the next operations fails. Reads do not count for writing faults, and the other way round. */
    void failIn(final int ofTheNext, final Fault kind)
    {
        fault = kind;
        countdown = 1 + trace.below(ofTheNext);
        faulted = false;
    }

    /** No more faults. */
    void heal()
    {
        fault = null;
        faulted = false;
        full = false;
        shortWrites = 0;
        slowForces = 0;
    }

    /** There is space again. What has failed before stays a reason to stop. */
    void free()
    {
        faulted |= full;
        full = false;
    }

    boolean isCrashed()
    {
        return crashed;
    }

    /** Whether the planned fault has happened, or the disk is full. */
    boolean isFaulted()
    {
        return faulted || full;
    }

    Fault fault()
    {
        return fault;
    }

    /** The process ends here: every operation fails from now on, until {@link #restart}. */
    void crash()
    {
        crashed = true;
        trace.add("crash", "", operations);
    }

    /** The next process begins, after a power failure or not. */
    void restart(final boolean powerFailed)
    {
        trace.add("restart", "", powerFailed ? 1 : 0);
        epoch++;
        locked = false;
        crashed = false;
        fault = null;
        faulted = false;
        if (powerFailed)
        {
            loseChanges();
            names.values().forEach(inode -> inode.loseWrites(trace));
        }
    }

    /** Keeps some of the changes; one that depends on a lost one is lost, too. */
    private void loseChanges()
    {
        final int mode = trace.below(4);
        final int first = trace.below(changes.size() + 1);
        final Set<Object> lost = new HashSet<>();
        for (int i = 0; i < changes.size(); i++)
        {
            final Change change = changes.get(i);
            final boolean kept = mode == 0 ? i < first : mode == 1 ? trace.oneIn(2) : mode == 2;
            final boolean depends = change.from != null && lost.contains(change.from) ||
                change.to != null && lost.contains(change.to) || lost.contains(change.inode);
            if (kept && !depends)
            {
                change.applyTo(durableNames);
            }
            else
            {
                lost.addAll(Arrays.asList(change.from, change.to, change.inode));
                lost.remove(null);
            }
        }
        changes.clear();
        names = new TreeMap<>(durableNames);
    }

    /** A bit of a forced file changes; says in which file, null when there is none. */
    String rot()
    {
        final List<String> candidates = new ArrayList<>();
        names.forEach((name, inode) ->
        {
            if (inode.isForced())
            {
                candidates.add(name);
            }
        });
        if (candidates.isEmpty() || rotten != null)
        {
            return null;
        }
        rotten = candidates.get(trace.below(candidates.size()));
        trace.add("rot", rotten, names.get(rotten).rot(trace));
        return rotten;
    }

    List<String> names()
    {
        return List.copyOf(names.keySet());
    }

    /** Counts an operation; true when it is the one that fails. */
    private boolean at(final String operation, final String name, final int since, final boolean reads)
        throws IOException
    {
        if (since == epoch && !crashed)
        {
            between.run();
        }
        if (since != epoch || crashed)
        {
            throw new IOException("crashed");
        }
        operations++;
        trace.add(operation, name, 0);
        if (fault == null || faulted || reads != (fault == Fault.READ) && fault != Fault.CRASH)
        {
            return false;
        }
        countdown--;
        faulted = countdown == 0;
        full |= faulted && fault == Fault.FULL;
        if (faulted)
        {
            trace.add(fault.name(), name, operations);
        }
        return faulted && fault != Fault.FULL;
    }

    /** An operation on the directory: a crash may come before or after it. */
    private void change(final String operation, final Change change) throws IOException
    {
        final String name = change.to != null ? change.to : change.from;
        final boolean fails = at(operation, name, epoch, false);
        if (full && change.from == null)
        {
            throw new IOException("No space left on device");
        }
        if (!fails || fault == Fault.CRASH && trace.oneIn(2))
        {
            change.applyTo(names);
            changes.add(change);
        }
        failed(fails);
    }

    private void failed(final boolean fails) throws IOException
    {
        if (fails)
        {
            if (fault == Fault.CRASH)
            {
                crash();
            }
            throw new IOException(fault == Fault.CRASH ? "crashed" : "Input/output error");
        }
    }

    @Override
    public void prepareDirectory(final Path directory)
    {
    }

    @Override
    public List<String> list(final Path directory) throws IOException
    {
        failed(at("list", "", epoch, true));
        return names();
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        if (names.containsKey(nameOf(file)))
        {
            throw new FileAlreadyExistsException(file.toString());
        }
        final SimInode inode = new SimInode();
        change("create", new Change(null, nameOf(file), inode));
        return new File(nameOf(file), inode);
    }

    @Override
    public JournalFile open(final Path file, final boolean writable) throws IOException
    {
        failed(at("open", nameOf(file), epoch, true));
        final SimInode inode = names.get(nameOf(file));
        if (inode == null)
        {
            throw new NoSuchFileException(file.toString());
        }
        return new File(nameOf(file), inode);
    }

    @Override
    public void rename(final Path from, final Path to) throws IOException
    {
        final SimInode inode = names.get(nameOf(from));
        if (inode == null)
        {
            throw new NoSuchFileException(from.toString());
        }
        change("rename", new Change(nameOf(from), nameOf(to), inode));
    }

    @Override
    public void delete(final Path file) throws IOException
    {
        final SimInode inode = names.get(nameOf(file));
        if (inode != null)
        {
            change("delete", new Change(nameOf(file), null, inode));
        }
    }

    @Override
    public void forceDirectory(final Path directory) throws IOException
    {
        failed(at("force", "directory", epoch, false));
        if (forcesDirectory)
        {
            durableNames = new TreeMap<>(names);
            changes.clear();
        }
    }

    @Override
    public long usableBytes(final Path directory)
    {
        return full ? 0 : Long.MAX_VALUE;
    }

    @Override
    public Closeable lock(final Path file, final String owner)
    {
        if (locked)
        {
            throw new JournalException(JournalException.Kind.LOCKED, file + " is locked");
        }
        locked = true;
        final int since = epoch;
        return () -> locked = locked && since != epoch;
    }

    private final class File implements JournalFile
    {
        private final String name;
        private final SimInode inode;
        private final int since = epoch;

        private File(final String name, final SimInode inode)
        {
            this.name = name;
            this.inode = inode;
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            final boolean fails = at("write", name, since, false);
            int length = source.remaining();
            if (fails)
            {
                length = trace.below(length + 1);
            }
            else if (full && position + length > inode.length())
            {
                length = (int)Math.max(0, inode.length() - position);
                if (length == 0)
                {
                    throw new IOException("No space left on device");
                }
            }
            else if (shortWrites > 0 && length > 1 && trace.oneIn(shortWrites))
            {
                length = 1 + trace.below(length - 1);
            }
            final byte[] bytes = new byte[length];
            source.get(bytes);
            inode.write((int)position, bytes);
            failed(fails);
            return length;
        }

        @Override
        public int read(final ByteBuffer target, final long position) throws IOException
        {
            if (at("read", name, since, true))
            {
                if (fault == Fault.READ && trace.oneIn(2))
                {
                    return -1;
                }
                failed(true);
            }
            final int length = (int)Math.min(target.remaining(), inode.length() - position);
            if (length <= 0)
            {
                return -1;
            }
            target.put(inode.bytes(), (int)position, length);
            return length;
        }

        @Override
        public void force() throws IOException
        {
            final boolean fails = at("force", name, since, false);
            forces++;
            if (slowForces > 0 && forces % slowForces == 0)
            {
                trace.pass(SLOW_FORCE_NS);
            }
            // A process that ends in a force has forced nothing or everything; the operating system goes on.
            final boolean forgets = fails && fault == Fault.EIO;
            if (inode.hasWrites() && forcesFiles && (!fails || forgets || trace.oneIn(2)))
            {
                inode.force(forgets ? trace : null);
            }
            failed(fails);
        }

        @Override
        public long size() throws IOException
        {
            return inode.length();
        }

        @Override
        public void close()
        {
        }
    }
}
