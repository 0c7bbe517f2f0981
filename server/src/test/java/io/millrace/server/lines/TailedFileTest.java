package io.millrace.server.lines;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class TailedFileTest
{
    private static final int FILES = 200;

    @TempDir
    private Path folder;

    @Test
    void shouldOpenEachFileInTurnWhileTheyAreRotated() throws Exception
    {
        final Path path = folder.resolve("in.log");
        Files.writeString(path, "0");
        final TailedFile file = new TailedFile(path);
        file.open();
        final CompletableFuture<Void> rotator = CompletableFuture.runAsync(this::rotateAll);
        for (int i = 0; i < FILES; i++)
        {
            while (i > 0 && !openNext(file))
            {
                assertFalse(rotator.isCompletedExceptionally(), "the rotator failed");
                Thread.yield();
            }
            assertEquals(String.valueOf(i), text(file, 0));
            Files.deleteIfExists(folder.resolve("in.log." + (i - 1)));
        }
        rotator.get();
        file.close();
    }

    private static String text(final TailedFile file, final long from) throws IOException
    {
        final ByteBuffer text = ByteBuffer.allocate(1_000);
        file.channel().read(text, from);
        file.read(file.channel().size());
        return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
    }

    /** Writes the file anew after it was renamed; the time is that of the renamed one. */
    private void rotate(final String to, final long timeMs, final String content) throws IOException
    {
        final Path path = folder.resolve("in.log");
        Files.setLastModifiedTime(path, FileTime.fromMillis(timeMs));
        Files.move(path, folder.resolve(to));
        Files.writeString(path, content);
    }

    private TailedFile opened(final String content) throws IOException
    {
        Files.writeString(folder.resolve("in.log"), content);
        final TailedFile file = new TailedFile(folder.resolve("in.log"));
        file.open();
        assertEquals(content, text(file, 0));
        return file;
    }

    @Test
    void shouldReadEachFileOfTheSameTimeOnce() throws IOException
    {
        Files.writeString(folder.resolve("in.log.0"), "old");
        Files.setLastModifiedTime(folder.resolve("in.log.0"), FileTime.fromMillis(1_000));
        final TailedFile file = opened("a");
        rotate("in.log.1", 1_000, "b");
        rotate("in.log.2", 1_000, "c");
        assertEquals(0, file.openNext(1));
        assertEquals("b", text(file, 0));
        assertEquals(0, file.openNext(1));
        assertEquals("c", text(file, 0));
        assertEquals(-1, file.openNext(1));
        file.close();
    }

    @Test
    void shouldReadOnAFileThatWasWrittenAfterItWasPassed() throws IOException
    {
        final TailedFile file = opened("a".repeat(300));
        rotate("in.log.1", 1_000, "b".repeat(300));
        assertEquals(0, file.openNext(300));
        assertEquals("b".repeat(300), text(file, 0));
        rotate("in.log.2", 2_000, "c");
        Files.writeString(folder.resolve("in.log.1"), "late", StandardOpenOption.APPEND);
        assertEquals(300, file.openNext(300));
        assertEquals("late", text(file, 300));
        assertEquals(0, file.openNext(304));
        assertEquals("c", text(file, 0));
        file.close();
    }

    /** Not from where it was left: that is another content, or behind the end. */
    @ParameterizedTest
    @ValueSource(ints = {260, 300, 400})
    void shouldReadAPassedFileThatWasRewrittenFromItsBeginning(final int length) throws IOException
    {
        final TailedFile file = opened("a".repeat(300));
        rotate("in.log.1", 1_000, "b".repeat(300));
        assertEquals(0, file.openNext(300));
        assertEquals("b".repeat(300), text(file, 0));
        rotate("in.log.2", 2_000, "c");
        Files.writeString(folder.resolve("in.log.1"), "n".repeat(length));
        assertEquals(0, file.openNext(300));
        assertEquals("n".repeat(length), text(file, 0));
        file.close();
    }

    @Test
    void shouldPassNoFileWhenTheOneThatIsReadIsDeleted() throws IOException
    {
        final TailedFile file = opened("a");
        rotate("in.log.1", System.currentTimeMillis() + 1_000, "b");
        rotate("in.log.2", System.currentTimeMillis() + 2_000, "c");
        Files.delete(folder.resolve("in.log.1"));
        assertEquals(0, file.openNext(1));
        assertEquals("b", text(file, 0));
        assertEquals(0, file.openNext(1));
        assertEquals("c", text(file, 0));
        file.close();
    }

    private static boolean openNext(final TailedFile file)
    {
        try
        {
            return file.isReplaced() && file.openNext(file.channel().size()) == 0;
        }
        catch (final IOException ex)
        {
            // Each of its looks was disturbed; a source tries again too.
            return false;
        }
    }

    private void rotateAll()
    {
        try
        {
            for (int i = 0; i < FILES - 1; i++)
            {
                final Path path = folder.resolve("in.log");
                // A new file is complete at once: its content is the number by which the reader knows it.
                final Path next = Files.writeString(folder.resolve("next"), String.valueOf(i + 1));
                Files.setLastModifiedTime(path, FileTime.fromMillis(1_000L * i));
                Files.move(path, folder.resolve("in.log." + i));
                Files.move(next, path);
                LockSupport.parkNanos(i % 10 * 20_000);
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
