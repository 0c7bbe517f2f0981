package io.millrace.exchange;

import io.millrace.engine.book.Side;
import io.millrace.exchange.ExchangeRig.Trader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The key of the order ids in the directory of an exchange. */
@Tag("server")
class OrderIdKeyTest
{
    private static final int FIRST_STARTS = 100;

    @TempDir
    private Path folder;

    @Test
    void shouldRefuseAJournalWithoutItsKey() throws IOException
    {
        try (Exchange exchange = ExchangeRig.launch(folder); Trader one = new Trader(exchange, "trader1"))
        {
            one.limit(7, Side.ASK, 100, 10);
        }
        final Path key = folder.resolve("order-ids.key");
        final byte[] bytes = Files.readAllBytes(key);
        Files.delete(key);
        final Exception failure = assertThrows(RuntimeException.class, () -> ExchangeRig.launch(folder).close());
        assertTrue(failure.toString().contains(key + " is missing: put it back"), failure::toString);
        assertFalse(Files.exists(key), "a new key would hide that the old one is lost");
        Files.write(key, new byte[bytes.length]);
        final Exception other = assertThrows(RuntimeException.class, () -> ExchangeRig.launch(folder).close());
        assertTrue(other.toString().contains("schema"), other::toString);
        Files.write(key, bytes);
        try (Exchange exchange = ExchangeRig.launch(folder); Trader one = new Trader(exchange, "trader1"))
        {
            assertEquals(List.of("1 r1 ACCEPTED order 7 10@100 open 10"), one.lines(1));
        }
    }

    /** One start, or both, has the key that is in the file; the other one fails. */
    @Test
    void shouldGiveTwoFirstStartsNoDifferentKeys() throws Exception
    {
        for (int i = 0; i < FIRST_STARTS; i++)
        {
            final Path directory = folder.resolve("d" + i);
            final CyclicBarrier both = new CyclicBarrier(2);
            final CompletableFuture<Long> other = CompletableFuture.supplyAsync(() -> keyOf(directory, both));
            final Long mine = keyOf(directory, both);
            final Long theirs = other.get();
            final long key = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("order-ids.key"))).getLong();
            assertTrue(mine != null || theirs != null, "no start has a key");
            assertTrue(mine == null || mine == key, () -> mine + " is not " + key);
            assertTrue(theirs == null || theirs == key, () -> theirs + " is not " + key);
            try (Stream<Path> files = Files.list(directory))
            {
                assertEquals(1, files.count());
            }
        }
    }

    /** Null if another exchange starts. */
    private static Long keyOf(final Path directory, final CyclicBarrier both)
    {
        try
        {
            both.await();
            return OrderIdKey.readOrCreate(directory);
        }
        catch (final UncheckedIOException ex)
        {
            assertEquals("another exchange starts in " + directory, ex.getMessage());
            return null;
        }
        catch (final InterruptedException | BrokenBarrierException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldRemoveTheUnfinishedKeyOfAStartThatWasKilled() throws IOException
    {
        OrderIdKey.readOrCreate(folder);
        final Path unfinished = Files.createFile(folder.resolve("order-ids.key123.tmp"));
        OrderIdKey.readOrCreate(folder);
        assertFalse(Files.exists(unfinished));
    }

    /** Of an operator whose data are on another disk. */
    @Test
    void shouldTakeASymbolicLinkToItsDirectory() throws IOException
    {
        final Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("x")));
        ExchangeRig.launch(link).close();
        assertTrue(Files.exists(folder.resolve("x/order-ids.key")));
    }

    /** Also on a full or read-only disk. */
    @Test
    void shouldSayThatItCannotCreateItsDirectory() throws IOException
    {
        final Path loop = folder.resolve("loop");
        final Path inside = Files.createSymbolicLink(loop, loop).resolve("x");
        final Exception failure = assertThrows(RuntimeException.class, () -> ExchangeRig.launch(inside).close());
        assertTrue(failure.getMessage().startsWith("cannot create the directory " + inside + ": "), failure::toString);
    }

    /** For example a disk that is not mounted. */
    @Test
    void shouldSayThatItsDirectoryIsNone() throws IOException
    {
        for (final Path place : List.of(Files.createFile(folder.resolve("file")),
            Files.createSymbolicLink(folder.resolve("link"), folder.resolve("gone"))))
        {
            final Exception failure = assertThrows(RuntimeException.class, () -> ExchangeRig.launch(place).close());
            assertEquals(place + " is a file, or a symbolic link to no directory", failure.getMessage());
        }
    }

    /** Also of a journal that has lost its segments: a new key would not fit those of the backup. */
    @Test
    void shouldMakeNoKeyBesideAnyFileOfAJournal() throws IOException
    {
        try (Exchange exchange = ExchangeRig.launch(folder); Trader one = new Trader(exchange, "trader1"))
        {
            // An answer is sent after its command is committed, so there is a mark.
            one.limit(7, Side.ASK, 100, 10);
        }
        final Path key = folder.resolve("order-ids.key");
        Files.delete(key);
        for (final String name : folder.resolve("journal").toFile().list())
        {
            if (name.startsWith("segment-"))
            {
                Files.delete(folder.resolve("journal").resolve(name));
            }
        }
        final Exception failure = assertThrows(RuntimeException.class, () -> ExchangeRig.launch(folder).close());
        assertTrue(failure.toString().contains(key + " is missing: put it back"), failure::toString);
        assertFalse(Files.exists(key));
    }
}
