package io.millrace.server.lines;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
            final ByteBuffer text = ByteBuffer.allocate(10);
            file.channel().read(text, 0);
            assertEquals(String.valueOf(i), new String(text.array(), 0, text.position(), StandardCharsets.UTF_8));
            Files.deleteIfExists(folder.resolve("in.log." + (i - 1)));
        }
        rotator.get();
        file.close();
    }

    private static boolean openNext(final TailedFile file)
    {
        try
        {
            return file.isReplaced() && file.openNext();
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
