package io.millrace.journal;

import io.millrace.server.file.LockFile;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The file operations of the operating system. Files are opened without following symbolic links and created for their
 * owner alone. No state; any thread.
 */
public final class SystemFiles implements FileOps
{
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_DIRECTORY =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final int MAX_OWNER_BYTES = 256;
    private static final String ONE_PROCESS = ": one process for each journal";
    /** Channels of lock files: one that is collected as garbage is closed. */
    private static final Set<FileChannel> OPEN = ConcurrentHashMap.newKeySet();

    /** The operations. */
    public SystemFiles()
    {
    }

    @Override
    public void prepareDirectory(final Path directory) throws IOException
    {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS))
        {
            final Path parent = directory.toAbsolutePath().getParent();
            if (parent != null && !Files.exists(parent))
            {
                throw new NoSuchFileException(directory.toString(), null, "the directory above it does not exist");
            }
            Files.createDirectory(directory, OWNER_DIRECTORY);
            if (parent != null)
            {
                forceDirectory(parent);
            }
        }
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS))
        {
            throw new NotDirectoryException(directory + " is a symbolic link or a file");
        }
    }

    @Override
    public List<String> list(final Path directory) throws IOException
    {
        try (Stream<Path> entries = Files.list(directory))
        {
            return entries.map(entry -> entry.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        return new ChannelFile(file, channel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE));
    }

    @Override
    public JournalFile open(final Path file, final boolean writable) throws IOException
    {
        return new ChannelFile(file, writable ?
            channel(file, StandardOpenOption.READ, StandardOpenOption.WRITE) :
            channel(file, StandardOpenOption.READ));
    }

    /** An open of a pipe would wait for its other end, and the JDK's refusal of a link names no file. */
    private static FileChannel channel(final Path file, final OpenOption... options) throws IOException
    {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
        {
            throw new FileSystemException(file.toString(), null,
                Files.isSymbolicLink(file) ? "is a symbolic link" : "is not a regular file");
        }
        final Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, all, OWNER_FILE);
    }

    @Override
    public void rename(final Path from, final Path to) throws IOException
    {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(final Path file) throws IOException
    {
        Files.deleteIfExists(file);
    }

    @Override
    public void forceDirectory(final Path directory) throws IOException
    {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ))
        {
            channel.force(true);
        }
        catch (final IOException ex)
        {
            throw named(directory, ex);
        }
    }

    @Override
    public long usableBytes(final Path directory) throws IOException
    {
        // Not by a FileStore: the JDK reads the list of mounts for it, which fails without a free file descriptor.
        final long bytes = directory.toFile().getUsableSpace();
        // 0 also says that the system does not answer: this throws why, as without permission.
        if (bytes == 0 && !Files.readAttributes(directory, BasicFileAttributes.class).isDirectory())
        {
            throw new NotDirectoryException(directory.toString());
        }
        return bytes;
    }

    @Override
    public Closeable lock(final Path file, final String owner) throws IOException
    {
        final Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
        final LockFile lock = LockFile.of(real, OPEN,
            () -> channel(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            opened ->
            {
                throw locked(file, opened != null ? ownerOf(opened) + ONE_PROCESS :
                    owner + ", this process: close the journal that it has open");
            });
        boolean isOurs = false;
        try
        {
            checkOwner(file);
            lock.channel().truncate(0).write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)), 0);
            isOurs = true;
            return lock;
        }
        catch (final IOException ex)
        {
            throw named(file, ex);
        }
        finally
        {
            if (!isOurs)
            {
                lock.close();
            }
        }
    }

    private static JournalException locked(final Path file, final String owner)
    {
        return new JournalException(JournalException.Kind.LOCKED, file + " is locked by " + owner);
    }

    private static String ownerOf(final FileChannel channel) throws IOException
    {
        final ByteBuffer text = ByteBuffer.allocate(MAX_OWNER_BYTES);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).replaceAll("[^ -~]", "?");
    }

    /** The lock file is this process' own: its owner is this process' user. */
    private static void checkOwner(final Path file) throws IOException
    {
        final Path directory = file.toAbsolutePath().getParent();
        final String user = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
        final String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
        if (!user.equals(owner))
        {
            throw new FileSystemException(directory.toString(), null,
                "is owned by " + owner + ", but its lock file by " + user);
        }
    }

    /** A channel reports what the system says, such as a full disk, without the file. */
    private static IOException named(final Path file, final IOException ex)
    {
        if (ex.getClass() != IOException.class)
        {
            return ex;
        }
        final IOException named = new FileSystemException(file.toString(), null, ex.getMessage());
        // Not as its cause: a report may end with the innermost cause.
        named.addSuppressed(ex);
        return named;
    }

    private static final class ChannelFile implements JournalFile
    {
        private final FileChannel channel;
        private Path file;

        private ChannelFile(final Path file, final FileChannel channel)
        {
            this.file = file;
            this.channel = channel;
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            try
            {
                return channel.write(source, position);
            }
            catch (final IOException ex)
            {
                throw named(file, ex);
            }
        }

        @Override
        public int read(final ByteBuffer target, final long position) throws IOException
        {
            try
            {
                return channel.read(target, position);
            }
            catch (final IOException ex)
            {
                throw named(file, ex);
            }
        }

        @Override
        public void force() throws IOException
        {
            try
            {
                channel.force(false);
            }
            catch (final IOException ex)
            {
                throw named(file, ex);
            }
        }

        @Override
        public long size() throws IOException
        {
            return channel.size();
        }

        @Override
        public void close() throws IOException
        {
            channel.close();
        }

        @Override
        public void renamedTo(final Path path)
        {
            file = path;
        }
    }
}
