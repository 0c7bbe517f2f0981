package io.millrace.exchange;

import io.millrace.exchange.core.OrderIds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/**
 * The key of the {@link OrderIds}: a file of 8 bytes beside the journal, made at the first start. The journal's schema
 * depends on it, so a journal without its key is refused.
 */
final class OrderIdKey
{
    /** The folder of the journal beside the key. */
    static final String JOURNAL = "journal";

    private static final String NAME = "order-ids.key";

    private OrderIdKey()
    {
    }

    static long readOrCreate(final Path directory)
    {
        final Path file = directory.resolve(NAME);
        createDirectory(directory);
        try
        {
            final long key = read(file);
            removeUnfinished(directory);
            return key;
        }
        catch (final NoSuchFileException ex)
        {
            final Path journal = directory.resolve(JOURNAL);
            if (hasRecords(journal))
            {
                throw new UncheckedIOException(journal + " has a journal, but its " + file +
                    " is missing: put it back from the backup; the order ids depend on it", ex);
            }
            return create(file);
        }
        catch (final IOException ex)
        {
            // With the class: the text of some failures is the path alone.
            throw new UncheckedIOException("cannot read " + file + ": " + ex, ex);
        }
    }

    private static void createDirectory(final Path directory)
    {
        try
        {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
        }
        catch (final FileAlreadyExistsException ex)
        {
            throw new UncheckedIOException(ex.getFile() + " is a file, or a symbolic link to no directory", ex);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot create the directory " + directory + ": " + ex, ex);
        }
    }

    /** The key was there before the first of these files. A new one would only hide that it is lost. */
    private static boolean hasRecords(final Path journal)
    {
        try (DirectoryStream<Path> files =
            Files.newDirectoryStream(journal, "{segment-*,snapshot-*,committed.mark}"))
        {
            return files.iterator().hasNext();
        }
        catch (final NoSuchFileException ex)
        {
            // The first start.
            return false;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + journal + ": " + ex, ex);
        }
    }

    private static long read(final Path file) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + 1);
        try (FileChannel channel =
            FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)))
        {
            while (bytes.hasRemaining() && channel.read(bytes) >= 0)
            {
                // Until the end of the file.
            }
        }
        if (bytes.position() != Long.BYTES)
        {
            throw new IOException("it has not " + Long.BYTES + " bytes");
        }
        return bytes.getLong(0);
    }

    /** Of a first start that was killed. A start that still writes one is refused, because the key is there. */
    private static void removeUnfinished(final Path directory) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, NAME + "*.tmp"))
        {
            for (final Path file : files)
            {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Forced with its name before the first record: a journal with another key would be refused. */
    private static long create(final Path file)
    {
        final long key = new SecureRandom().nextLong();
        try
        {
            final Path unfinished = Files.createTempFile(file.getParent(), NAME, ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE))
            {
                channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, key));
                channel.force(true);
                // Not a move: of two first starts at once, one could go on with a key that the other has replaced.
                Files.createLink(file, unfinished);
            }
            finally
            {
                Files.deleteIfExists(unfinished);
            }
            try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ))
            {
                folder.force(true);
            }
            return key;
        }
        catch (final FileAlreadyExistsException ex)
        {
            throw new UncheckedIOException("another exchange starts in " + file.getParent(), ex);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot create " + file + ": " + ex, ex);
        }
        catch (final UnsupportedOperationException ex)
        {
            throw new UncheckedIOException("cannot create " + file, new IOException("it needs hard links", ex));
        }
    }
}
