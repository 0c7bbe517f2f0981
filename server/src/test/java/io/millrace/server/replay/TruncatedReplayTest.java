package io.millrace.server.replay;

import io.millrace.server.ErrorPolicy;
import io.millrace.server.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Truncated and corrupt files.
 */
class TruncatedReplayTest extends FileReplayFixture
{
    @Test
    void shouldPublishNoIncompleteRowOfATruncatedPlainFile() throws IOException
    {
        final byte[] whole = ReplayFiles.plain(ReplayFiles.numbered(12));
        for (int length = 0; length <= whole.length; length++)
        {
            cut(whole, length);
            final int lines = (int)new String(whole, 0, length).chars().filter(c -> c == '\n').count();
            // The text after the last line end is a row, if it can be read as one.
            assertTrue(numbers.size() == lines || numbers.size() == lines + 1, numbers.size() + " at " + length);
            final String place = folder.resolve("recorded") + ":" + (lines + 1) + ": ";
            errors.forEach(error -> assertTrue(error.startsWith(place), error));
        }
    }

    /** In normal mode only: decompression does not touch events, and the test above cuts rows in both modes. */
    @Test
    @Tag("normal")
    void shouldReportEveryTruncatedCompressedFile() throws IOException
    {
        final byte[] whole = ReplayFiles.gzip(ReplayFiles.numbered(50));
        final Path file = folder.resolve("recorded");
        for (int length = 2; length < whole.length; length++)
        {
            cut(whole, length);
            assertEquals(1, errors.size());
            assertTrue(errors.get(0).contains(file + ":") && errors.get(0).endsWith("the compressed file is truncated"),
                errors.get(0));
        }
        assertNumbersTo(50);
        cut(whole, whole.length);
        assertNumbersTo(50);
        assertEquals(List.of(), errors);
    }

    /** The JDK takes a part of less than 19 bytes, and one with a wrong header, for the end of the file. */
    @Test
    @Tag("normal")
    void shouldReportEveryTruncatedOrWrongPartOfACompressedFile() throws IOException
    {
        final byte[] first = ReplayFiles.gzip(ReplayFiles.numbered(3));
        final byte[] second = ReplayFiles.gzip(ReplayFiles.numbered(5).substring(ReplayFiles.numbered(3).length()));
        final byte[] whole = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, whole, first.length, second.length);
        for (int length = first.length + 1; length < whole.length; length++)
        {
            cut(whole, length);
            assertEquals(1, errors.size(), "at " + (length - first.length));
            assertTrue(errors.get(0).startsWith(folder.resolve("recorded") + ":"), errors.get(0));
        }
        cut(whole, first.length);
        assertNumbersTo(3);
        assertEquals(List.of(), errors);
        cut(whole, whole.length);
        assertNumbersTo(5);
        assertEquals(List.of(), errors);
        whole[first.length] ^= 1;
        cut(whole, whole.length);
        assertNumbersTo(3);
        assertEquals(1, errors.size());
        assertTrue(errors.get(0).contains(second.length + " bytes behind the compressed data"), errors.get(0));
    }

    @Test
    @Tag("normal")
    void shouldReadACompressedFileOnAnInterruptedThread() throws IOException
    {
        // More than a compressed read.
        final byte[] random = new byte[20_000];
        new Random(1).nextBytes(random);
        final Path file = file(ReplayFiles.gzip(new String(random, StandardCharsets.ISO_8859_1)));
        Thread.currentThread().interrupt();
        try (InputStream in = InputFile.open(file))
        {
            assertTrue(in.readAllBytes().length >= random.length);
        }
        finally
        {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void shouldDetectACompressedFileWithChangedContent() throws IOException
    {
        final byte[] damaged = ReplayFiles.gzip(ReplayFiles.numbered(50));
        damaged[damaged.length - 6] ^= 1;
        cut(damaged, damaged.length);
        assertEquals(1, errors.size());
        assertTrue(errors.get(0).startsWith(folder.resolve("recorded") + ":51: "), errors.get(0));
    }

    /** Replays a part of a file. The handled events must be its beginning. */
    private void cut(final byte[] whole, final int length) throws IOException
    {
        numbers.clear();
        errors.clear();
        final byte[] part = new byte[length];
        System.arraycopy(whole, 0, part, 0, length);
        // A last row that lost a part of its last number can still be read: not part of this test.
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file(part), (row, event) ->
            NumberEvent.decode(row, event) && event.number * event.number == event.square);
        final Server server;
        try
        {
            server = Server.launch(context(source).onError(ErrorPolicy.SKIP_AND_RECORD));
        }
        catch (final IllegalStateException ex)
        {
            errors.add(ex.getMessage());
            return;
        }
        drive(server, source);
        assertTrue(source.isExhausted());
        assertNumbersTo(numbers.size());
    }

    @Test
    void shouldEndExhaustedAtAnUnreadableFileUnderASkippingPolicy() throws IOException
    {
        final byte[] whole = ReplayFiles.gzip(ReplayFiles.numbered(200));
        final byte[] part = new byte[whole.length - 1];
        System.arraycopy(whole, 0, part, 0, part.length);
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file(part), NumberEvent::decode);
        final Server server = Server.launch(context(source).onError(ErrorPolicy.SKIP_AND_RECORD));
        drive(server, source);
        assertTrue(source.isExhausted());
        assertEquals(1, server.counters().value("replay-source.errors"));
        assertEquals(1, errors.size());
    }
}
