package io.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The process halts before or after the nth operation of one kind; it knows which kinds it has met. */
final class HaltingFiles extends PassedFiles
{
    static final int EXIT_CODE = 42;

    private final Failpoint failpoint;
    private final boolean before;
    private int left;
    private final Set<Failpoint> met = EnumSet.noneOf(Failpoint.class);
    private final Map<String, Halting> files = new ConcurrentHashMap<>();

    /** @param what a failpoint, BEFORE or AFTER, and n: "APPEND_FORCE-BEFORE-3". */
    HaltingFiles(final FileOps files, final String what)
    {
        super(files);
        final String[] parts = what.split("-");
        failpoint = Failpoint.valueOf(parts[0]);
        before = parts[1].equals("BEFORE");
        left = Integer.parseInt(parts[2]);
    }

    private interface Operation<T>
    {
        T run() throws IOException;
    }

    private <T> T at(final Failpoint point, final Operation<T> operation) throws IOException
    {
        synchronized (this)
        {
            left -= point == failpoint ? 1 : 0;
            if (point != null)
            {
                met.add(point);
            }
        }
        final boolean here = point == failpoint && left == 0;
        if (here && before)
        {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        final T result = operation.run();
        if (here)
        {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        return result;
    }

    synchronized Set<Failpoint> met()
    {
        return Set.copyOf(met);
    }

    private static String nameOf(final Path file)
    {
        return file.getFileName().toString();
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        return at(Failpoint.of(nameOf(file), "CREATE"), () -> new Halting(file, super.create(file)));
    }

    @Override
    public JournalFile open(final Path file, final boolean writable) throws IOException
    {
        return new Halting(file, super.open(file, writable));
    }

    @Override
    public void rename(final Path from, final Path to) throws IOException
    {
        at(Failpoint.ofRename(nameOf(from), nameOf(to)), () ->
        {
            super.rename(from, to);
            final Halting renamed = files.remove(nameOf(from));
            if (renamed != null)
            {
                renamed.name = nameOf(to);
                files.put(renamed.name, renamed);
            }
            return null;
        });
    }

    @Override
    public void delete(final Path file) throws IOException
    {
        at(Failpoint.of(nameOf(file), "DELETE"), () ->
        {
            super.delete(file);
            return null;
        });
    }

    @Override
    public void forceDirectory(final Path directory) throws IOException
    {
        at(Failpoint.DIRECTORY_FORCE, () ->
        {
            super.forceDirectory(directory);
            return null;
        });
    }

    private final class Halting extends PassedFile
    {
        private volatile String name;

        private Halting(final Path file, final JournalFile next)
        {
            super(next);
            name = nameOf(file);
            files.put(name, this);
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            return at(Failpoint.of(name, "WRITE"), () -> super.write(source, position));
        }

        @Override
        public void force() throws IOException
        {
            at(Failpoint.of(name, "FORCE"), () ->
            {
                super.force();
                return null;
            });
        }
    }
}
