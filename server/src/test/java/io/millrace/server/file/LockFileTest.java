package io.millrace.server.file;

import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LockFileTest
{
    private static final Set<FileChannel> OPEN = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    private static FileChannel open(final Path file) throws IOException
    {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static LockFile lock(final Path file) throws IOException
    {
        return LockFile.of(
            file, OPEN, () -> open(file), opened -> new IOException(opened == null ? "mine" : "another's"));
    }

    private static void assertRefused(final String why, final Path file)
    {
        assertEquals(why, assertThrows(IOException.class, () -> lock(file)).getMessage());
    }

    @Test
    void shouldBeHeldOnceUntilItIsClosed() throws IOException
    {
        final Path file = folder.resolve("a.lock");
        final Properties before = (Properties)System.getProperties().clone();
        for (int round = 0; round < 2; round++)
        {
            final LockFile lock = lock(file);
            assertTrue(lock.channel().isOpen());
            assertRefused("mine", file);
            lock(folder.resolve("b.lock")).close();
            lock.close();
            try (LockFile next = lock(file))
            {
                lock.close();
                assertTrue(next.channel().isOpen());
                assertRefused("mine", file);
            }
            assertEquals(before, System.getProperties());
        }
        assertEquals(0, Descriptors.countOf(file));
    }

    @Test
    void shouldBeFreeWhenItCouldNotBeOpened() throws IOException
    {
        final Path file = folder.resolve("missing").resolve("a.lock");
        assertThrows(NoSuchFileException.class, () -> lock(file));
        Files.createDirectory(file.getParent());
        lock(file).close();
    }

    /** The channel that was opened stays open: its close would end the lock of the holder. */
    @Test
    void shouldBeHeldAlsoWhenTheApplicationReplacesTheSystemProperties() throws IOException
    {
        final Path file = folder.resolve("a.lock");
        final Properties before = System.getProperties();
        final Properties others = (Properties)before.clone();
        try (LockFile held = lock(file))
        {
            System.setProperties(others);
            assertRefused("another's", file);
            assertEquals(2, Descriptors.countOf(file));
            assertTrue(held.channel().isOpen());
        }
        finally
        {
            System.setProperties(before);
        }
        lock(file).close();
    }
}
