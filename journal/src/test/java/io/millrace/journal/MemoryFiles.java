package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files in memory: for images by the thousand. One thread. */
final class MemoryFiles implements FileOps
{
    final Map<String, byte[]> files = new TreeMap<>();
    private final List<File> opened = new ArrayList<>();
    private boolean locked;

    MemoryFiles copy()
    {
        final MemoryFiles copy = new MemoryFiles();
        files.forEach((name, bytes) -> copy.files.put(name, bytes.clone()));
        return copy;
    }

    /** Whether all files except the lock are the same. */
    boolean isSame(final MemoryFiles other)
    {
        return files.keySet().equals(other.files.keySet()) &&
            files.keySet().stream().allMatch(name -> Arrays.equals(files.get(name), other.files.get(name)));
    }

    int openFiles()
    {
        return opened.size();
    }

    List<String> used()
    {
        final List<String> used = new ArrayList<>(files.keySet());
        used.removeIf(name -> Segment.idOf(name) == 0 || files.get(name)[0] == 0);
        return used;
    }

    private static String nameOf(final Path file)
    {
        return file.getFileName().toString();
    }

    @Override
    public void prepareDirectory(final Path directory)
    {
    }

    @Override
    public List<String> list(final Path directory)
    {
        return List.copyOf(files.keySet());
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        if (files.putIfAbsent(nameOf(file), new byte[0]) != null)
        {
            throw new FileAlreadyExistsException(file.toString());
        }
        return new File(nameOf(file));
    }

    @Override
    public JournalFile open(final Path file, final boolean writable) throws IOException
    {
        if (!files.containsKey(nameOf(file)))
        {
            throw new NoSuchFileException(file.toString());
        }
        return new File(nameOf(file));
    }

    @Override
    public void rename(final Path from, final Path to)
    {
        final byte[] bytes = files.remove(nameOf(from));
        files.put(nameOf(to), bytes);
        opened.forEach(file ->
        {
            if (file.name.equals(nameOf(from)))
            {
                file.name = nameOf(to);
            }
        });
    }

    @Override
    public void delete(final Path file)
    {
        files.remove(nameOf(file));
    }

    @Override
    public void forceDirectory(final Path directory)
    {
    }

    @Override
    public long usableBytes(final Path directory)
    {
        return Long.MAX_VALUE;
    }

    @Override
    public Closeable lock(final Path file, final String owner)
    {
        if (locked)
        {
            throw new JournalException(JournalException.Kind.LOCKED, file + " is locked");
        }
        locked = true;
        return () -> locked = false;
    }

    private final class File implements JournalFile
    {
        private String name;

        private File(final String name)
        {
            this.name = name;
            opened.add(this);
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            byte[] bytes = files.get(name);
            if (bytes == null)
            {
                return source.remaining();
            }
            final int length = source.remaining();
            if (bytes.length < position + length)
            {
                bytes = Arrays.copyOf(bytes, (int)position + length);
                files.put(name, bytes);
            }
            source.get(bytes, (int)position, length);
            return length;
        }

        @Override
        public int read(final ByteBuffer target, final long position)
        {
            final byte[] bytes = files.get(name);
            final int length = (int)Math.min(target.remaining(), bytes.length - position);
            if (length <= 0)
            {
                return -1;
            }
            target.put(bytes, (int)position, length);
            return length;
        }

        @Override
        public void force()
        {
        }

        @Override
        public long size()
        {
            return files.get(name).length;
        }

        @Override
        public void close()
        {
            opened.remove(this);
        }
    }
}
