package io.millrace.ipc;

import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * The files of an exchange: only our own user may open them, and no link is followed.
 */
final class ExchangeFiles
{
    private static final Set<PosixFilePermission> OF_DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OF_FILE = PosixFilePermissions.fromString("rw-------");
    private static final int CHUNK_BYTES = 1 << 16;

    private ExchangeFiles()
    {
    }

    /** The user of this process. */
    static UserPrincipal self() throws IOException
    {
        final Path process = Path.of("/proc/self");
        if (Files.exists(process))
        {
            return Files.getOwner(process);
        }
        final Path file = Files.createTempFile("millrace", null);
        try
        {
            return Files.getOwner(file);
        }
        finally
        {
            Files.delete(file);
        }
    }

    /** Creates the folder if it is missing; refuses one that others could change. */
    static void prepare(final Path directory) throws IOException
    {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS))
        {
            try
            {
                Files.createDirectories(directory.toAbsolutePath().getParent());
                Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OF_DIRECTORY));
            }
            catch (final java.nio.file.FileAlreadyExistsException ignored)
            {
                // Created by another process just now; checked below.
            }
        }
        check(directory, OF_DIRECTORY);
    }

    /** Refuses a folder that no host has created, or that others could change. */
    static void checkDirectoryOfHost(final Path directory) throws IOException
    {
        try
        {
            check(directory, OF_DIRECTORY);
        }
        catch (final NoSuchFileException ex)
        {
            throw noHost(directory, ex);
        }
    }

    private static void check(final Path path, final Set<PosixFilePermission> permissions) throws IOException
    {
        final PosixFileAttributes found =
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (found.isSymbolicLink())
        {
            throw new ExchangeException(path + " is a symbolic link");
        }
        if (!found.owner().equals(self()))
        {
            throw new ExchangeException(path + " belongs to user " + found.owner() + ", this process to " + self());
        }
        if (!permissions.containsAll(found.permissions()))
        {
            throw new ExchangeException(path + " has permissions " +
                PosixFilePermissions.toString(found.permissions()) + "; at most " +
                PosixFilePermissions.toString(permissions) + " are safe");
        }
    }

    private static FileChannel open(final Path path, final OpenOption... options) throws IOException
    {
        final FileAttribute<?> attribute = PosixFilePermissions.asFileAttribute(OF_FILE);
        try
        {
            return FileChannel.open(path, Set.of(options), attribute);
        }
        catch (final IOException ex)
        {
            // The JDK's message names no file.
            if (Files.isSymbolicLink(path) && !(ex instanceof FileAlreadyExistsException))
            {
                throw new ExchangeException(path + " is a symbolic link", ex);
            }
            throw ex;
        }
    }

    static FileChannel lock(final Path path) throws IOException
    {
        return open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates and maps the file; its bytes are 0 and have memory, so no later store can fail for want of it. */
    static ByteBuffer create(final Path path, final int lengthBytes) throws IOException
    {
        try (FileChannel channel = open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))
        {
            fill(channel, path, lengthBytes);
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes);
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            if (!(ex instanceof FileAlreadyExistsException))
            {
                Files.deleteIfExists(path);
            }
            throw ex;
        }
    }

    private static void fill(final FileChannel channel, final Path path, final int lengthBytes) throws IOException
    {
        final ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
        try
        {
            for (int written = 0; written < lengthBytes;)
            {
                written += channel.write(zeros.clear().limit(Math.min(CHUNK_BYTES, lengthBytes - written)));
            }
        }
        catch (final IOException ex)
        {
            // In a container /dev/shm often has 64 MB; the JDK's message names no file.
            throw new IOException(path + " of " + lengthBytes + " bytes cannot be written: " + ex.getMessage(), ex);
        }
    }

    /** Maps the file of a host, whole. */
    static ByteBuffer map(final Path path) throws IOException
    {
        try (FileChannel channel = openOfHost(path))
        {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, checkedLength(path, channel));
        }
    }

    /**
     * Reads and checks the header of a host's file. Maps nothing: only the garbage collector ends a mapping.
     *
     * @param header receives it: direct memory, whose address is a multiple of 8.
     */
    static void checkHeader(final Path path, final ByteBuffer header) throws IOException
    {
        try (FileChannel channel = openOfHost(path))
        {
            final long length = checkedLength(path, channel);
            if (channel.read(header.clear(), 0) < ExchangeLayout.HEADER_BYTES)
            {
                throw new ExchangeException(path + " is shorter than its header");
            }
            ExchangeLayout.read(new SharedMemory(header.clear()), length);
        }
    }

    private static FileChannel openOfHost(final Path path) throws IOException
    {
        try
        {
            return open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        }
        catch (final NoSuchFileException ex)
        {
            throw noHost(path, ex);
        }
    }

    private static ExchangeException noHost(final Path missing, final NoSuchFileException cause)
    {
        return new ExchangeException("no host: " + missing + " is missing", cause);
    }

    private static long checkedLength(final Path path, final FileChannel channel) throws IOException
    {
        check(path, OF_FILE);
        final long length = channel.size();
        if (length < ExchangeLayout.HEADER_BYTES || length > Integer.MAX_VALUE)
        {
            throw new ExchangeException(path + " has " + length + " bytes, not " + ExchangeLayout.HEADER_BYTES +
                ".." + Integer.MAX_VALUE);
        }
        return length;
    }

    /** Refuses the peer of a connection that belongs to another user. */
    static void checkPeer(final SocketChannel channel) throws IOException
    {
        final SocketOption<UnixDomainPrincipal> credentials = ExtendedSocketOptions.SO_PEERCRED;
        final UserPrincipal peer = channel.getOption(credentials).user();
        if (!peer.equals(self()))
        {
            throw new ExchangeException("the peer belongs to user " + peer + ", this process to " + self());
        }
    }

    /** Whether a process accepts connections at a socket's path. */
    static boolean isServed(final Path socket) throws IOException
    {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS))
        {
            return false;
        }
        try (SocketChannel probe = connect(socket))
        {
            return probe == null || probe.isConnected();
        }
        catch (final IOException ex)
        {
            if (isRefused(ex, socket))
            {
                return false;
            }
            // For example without a free descriptor: then nothing is known about a host.
            throw ex;
        }
    }

    /** Whether no process has the socket. */
    static boolean isRefused(final IOException failure, final Path socket)
    {
        return failure instanceof ConnectException || !Files.exists(socket);
    }

    /**
     * A channel that does not block; a blocking one would wait while the queue of the process is full, as it is when
     * the process is stopped. Null then.
     */
    static SocketChannel connect(final Path socket) throws IOException
    {
        final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean isConnected = false;
        try
        {
            channel.configureBlocking(false);
            isConnected = channel.connect(UnixDomainSocketAddress.of(socket));
        }
        catch (final SocketException ex)
        {
            // For a full queue its text is the system's: "Resource temporarily unavailable".
            if (ex instanceof ConnectException || !Files.isWritable(socket))
            {
                throw ex;
            }
        }
        finally
        {
            if (!isConnected)
            {
                CloseHelper.quietClose(channel);
            }
        }
        return isConnected ? channel : null;
    }
}
