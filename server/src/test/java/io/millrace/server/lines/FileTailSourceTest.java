package io.millrace.server.lines;

import io.millrace.server.BackPressure;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Real files that grow, are rotated and truncated. */
class FileTailSourceTest extends LinesFixture
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final CachedNanoClock clock = new CachedNanoClock();

    private Path file()
    {
        return folder.resolve("app.log");
    }

    /** Looks in each poll, so that no test waits. */
    private FileTailSource<LineEvent> tail()
    {
        return new FileTailSource<>(file(), format()).intervalsNs(1, 1, 1);
    }

    private FileTailSource<LineEvent> committedTail()
    {
        return tail().fromCommitted(folder.resolve("position"));
    }

    private void launchCommitted(final ThreadingMode mode)
    {
        final FileTailSource<LineEvent> source = committedTail();
        launch(mode, source, Pipelines.ring(), source.commits());
    }

    private void rotate(final String to) throws IOException
    {
        Files.move(file(), folder.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    private void copyTruncate(final String to) throws IOException
    {
        Files.copy(file(), folder.resolve(to));
        Files.newOutputStream(file()).close();
    }

    @Test
    void shouldReadAFileThatAppearsAndIsRotatedBetweenTwoLooks() throws IOException
    {
        append(folder.resolve("app.log.1"), "before the start\n");
        launch(ThreadingMode.INVOKER, tail());
        step();
        append(file(), "1\n");
        Files.setLastModifiedTime(file(), FileTime.fromMillis(1_000));
        rotate("app.log.2");
        append(file(), "2\n");
        Files.setLastModifiedTime(file(), FileTime.fromMillis(2_000));
        rotate("app.log.3");
        append(file(), "3\n");
        awaitLines("1", "2", "3");
        assertEquals(2, counter("rotations"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldPublishAnyUtf8HoweverItIsSplit(final ThreadingMode mode) throws IOException
    {
        launch(mode, tail());
        final String text = "plain\nzwölf\r\n\u20ac \u65e5\u672c\n\n\ud83d\ude00 end\u0000\u2028x\nunfinished";
        for (final byte each : text.getBytes(StandardCharsets.UTF_8))
        {
            append(file(), each);
            step();
        }
        awaitLines("plain", "zwölf", "\u20ac \u65e5\u672c", "\ud83d\ude00 end\u0000\u2028x");
        append(file(), "\n");
        await("the last line", () -> lines.size() == 5);
        assertEquals("unfinished", lines.get(4));
        assertEquals(1, counter("empty"));
        assertEquals(6, counter("lines"));
        assertEquals(5, counter("published"));
    }

    /** Against String's own decoder and a naive splitter; pieces of any length, a queue of two. */
    @Test
    void shouldCountEachBadLineOnce() throws IOException
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        launch(ThreadingMode.INVOKER, tail(), Pipelines.spsc(2), null);
        final StringBuilder expected = new StringBuilder();
        final int[] counts = new int[4];
        for (int i = 0; i < 2_000; i++)
        {
            final byte[] line = line(random);
            final String text = new String(line, StandardCharsets.UTF_8);
            if (line.length >= LINE_BYTES)
            {
                counts[0]++;
            }
            else if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), line))
            {
                counts[1]++;
            }
            else if (line.length == 0)
            {
                counts[2]++;
            }
            else
            {
                counts[3]++;
                expected.append(text).append('\n');
            }
            final int cut = random.nextInt(line.length + 1);
            append(file(), Arrays.copyOf(line, cut));
            server.invoke();
            append(file(), Arrays.copyOfRange(line, cut, line.length));
            append(file(), "\n");
        }
        await("all lines", () -> counter("lines") == 2_000 && lines.size() == counts[3]);
        assertEquals(expected.toString(), String.join("\n", lines) + "\n", "seed " + seed);
        assertEquals(List.of(counts[0], counts[1], counts[2]),
            List.of((int)counter("tooLong"), (int)counter("malformedUtf8"), (int)counter("empty")), "seed " + seed);
    }

    private static byte[] line(final Random random)
    {
        final int kind = random.nextInt(20);
        final StringBuilder text = new StringBuilder();
        final int length = kind == 0 ? 0 : kind == 1 ? LINE_BYTES + random.nextInt(300) : 1 + random.nextInt(30);
        while (text.length() < length)
        {
            final int point = random.nextBoolean() ? ' ' + random.nextInt(90) : random.nextInt(0x11_0000);
            text.appendCodePoint(point == '\n' || point == '\r' || point >= 0xD800 && point < 0xE000 ? 'x' : point);
        }
        final byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (kind == 2 || kind == 3)
        {
            final byte bad = (byte)random.nextInt(256);
            bytes[random.nextInt(bytes.length)] = bad == '\n' || bad == '\r' ? -1 : bad;
        }
        return bytes;
    }

    @Test
    void shouldGiveOtherEncodingsToTheCodecOnRequest() throws IOException
    {
        append(file(), new byte[]{'a', (byte)0xE4, '\n'});
        launch(ThreadingMode.INVOKER, new FileTailSource<>(file(), format().acceptMalformedUtf8()));
        awaitLines("a\ufffd");
        assertEquals(1, counter("malformedUtf8"));
    }

    @Test
    void shouldStartAtTheEndIfAskedTo() throws IOException
    {
        append(file(), "old\n");
        launch(ThreadingMode.INVOKER, tail().fromLatest());
        server.invoke();
        append(file(), "new\n");
        awaitLines("new");
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldFollowRenamesAlsoSeveralBetweenTwoLooks(final ThreadingMode mode) throws IOException
    {
        append(file(), "1\n");
        launch(mode, tail());
        awaitLines("1");
        rotate("app.log.1");
        // The writer has the old file open for a while.
        append(folder.resolve("app.log.1"), "2\n");
        awaitLines("1", "2");
        append(file(), "3\n");
        awaitLines("1", "2", "3");
        assertEquals(1, counter("rotations"));
        if (mode == ThreadingMode.INVOKER)
        {
            Files.setLastModifiedTime(file(), FileTime.fromMillis(1_000_000));
            rotate("app.log.2");
            append(folder.resolve("app.log.2"), "4\nlost");
            append(file(), "5\n");
            Files.setLastModifiedTime(file(), FileTime.fromMillis(System.currentTimeMillis() + 1_000_000));
            rotate("app.log-20260101");
            append(folder.resolve("app.log-20260101.gz"), "compressed\n");
            append(file(), "6\n");
            Files.setLastModifiedTime(file(), FileTime.fromMillis(System.currentTimeMillis() + 2_000_000));
            awaitLines("1", "2", "3", "4", "5", "6");
            assertEquals(3, counter("rotations"));
            assertEquals(1, counter("incomplete"));
        }
    }

    @Test
    void shouldReadARenamedFileUntilItsWriterIsSilent() throws IOException
    {
        append(file(), "1\n");
        launch(ThreadingMode.INVOKER, new FileTailSource<>(file(), format(), clock).intervalsNs(10 * MS, 50 * MS, MS));
        awaitLines("1");
        rotate("app.log.1");
        append(file(), "3\n");
        for (int i = 0; i < 9; i++)
        {
            clock.advance(10 * MS);
            server.invoke();
            server.invoke();
            if (i == 2)
            {
                append(folder.resolve("app.log.1"), "2\n");
            }
            assertEquals(i < 2 ? 1 : Math.min(2, lines.size()), lines.size());
        }
        clock.advance(100 * MS);
        awaitLines("1", "2", "3");
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldReadATruncatedFileFromItsBegin(final ThreadingMode mode) throws IOException
    {
        append(file(), "first line\nsecond");
        launch(mode, tail());
        awaitLines("first line");
        copyTruncate("app.log.1");
        append(file(), "a\n");
        awaitLines("first line", "a");
        // As long as before, and longer: the first bytes show it.
        Files.writeString(file(), "b\n");
        awaitLines("first line", "a", "b");
        Files.writeString(file(), "c and more\n");
        awaitLines("first line", "a", "b", "c and more");
        assertEquals(3, counter("truncations"));
        assertTrue(counter("incomplete") <= 1);
        assertEquals(0, counter("rotations"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldContinueAtTheCommittedPosition(final ThreadingMode mode) throws IOException
    {
        append(file(), "1\n2\n");
        launchCommitted(mode);
        awaitLines("1", "2");
        append(file(), "begin of 3");
        await("bytes", () -> counter("bytes") == 14);
        // Start and stop of the same source.
        server.stop();
        append(file(), " and its end\n");
        server.start();
        awaitLines("1", "2", "begin of 3 and its end");
        close();
        append(file(), "4\n");
        rotate("app.log.1");
        append(file(), "5\n");
        Files.setLastModifiedTime(folder.resolve("app.log.1"), FileTime.fromMillis(1_000));
        launchCommitted(mode);
        awaitLines("1", "2", "begin of 3 and its end", "4", "5");
        close();
        append(file(), "6\n");
        copyTruncate("app.log.2");
        append(file(), "7\n");
        Files.setLastModifiedTime(folder.resolve("app.log.2"), FileTime.fromMillis(2_000));
        launchCommitted(mode);
        awaitLines("1", "2", "begin of 3 and its end", "4", "5", "6", "7");
        assertEquals(0, counter("lostPositions"));
        close();
        lines.clear();
        rotate("app.log.3");
        Files.delete(folder.resolve("app.log.3"));
        Files.delete(folder.resolve("app.log.2"));
        Files.delete(folder.resolve("app.log.1"));
        append(file(), "other file\n");
        launchCommitted(mode);
        awaitLines("other file");
        assertEquals(1, counter("lostPositions"));
    }

    /** The position never passes an event that is not handled, and is written before the close as well. */
    @Test
    void shouldCommitOnlyWhatWasHandled() throws IOException
    {
        append(file(), "1\n2\n3\n4\n");
        final FileTailSource<LineEvent> source = committedTail();
        final List<Throwable> failures = new ArrayList<>();
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(failures::add)
            .flow("lines", f -> f.from(() -> new LineEvent(LINE_BYTES), 64, source).to("collect", (event, s, end) ->
            {
                if (event.text().equals("3"))
                {
                    throw new IllegalStateException("not now");
                }
                lines.add(event.text());
            }).to("commit", source.commits(), "collect")));
        for (int i = 0; i < 10; i++)
        {
            server.invoke();
        }
        server.close();
        assertFalse(failures.isEmpty());
        server = null;
        launchCommitted(ThreadingMode.INVOKER);
        await("the rest", () -> lines.contains("4"));
        assertEquals("3", lines.get(lines.size() - 2));
    }

    @Test
    void shouldCountDroppedLinesAsHandled() throws IOException
    {
        append(file(), "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        final FileTailSource<LineEvent> source = committedTail();
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("lines", f -> f.from(() -> new LineEvent(LINE_BYTES), 4, source).onFull(BackPressure.DROP_NEWEST)
                .to("collect", (event, s, end) -> lines.add(event.text()))
                .to("commit", source.commits(), "collect")));
        await("all", () -> counter("lines") == 9 &&
            server.counters().value("commit.handled") + server.counters().value("lines.dropped") == 9);
        close();
        lines.clear();
        append(file(), "10\n");
        launchCommitted(ThreadingMode.INVOKER);
        awaitLines("10");
    }

    @Test
    void shouldLeaveNoDescriptorOpenWhenItsStartFails() throws IOException
    {
        final Path position = folder.resolve("position");
        final Path missing = folder.resolve("missing/file");
        assertTrue(leftOpen(() -> new FileTailSource<>(missing, format()).fromCommitted(position)) < STARTS / 2);
        Files.writeString(position, "x".repeat(2_000));
        assertTrue(leftOpen(this::committedTail) < STARTS / 2);
    }

    @Test
    void shouldRefuseWhatCannotWork() throws IOException
    {
        final FileTailSource<LineEvent> source = committedTail();
        launch(ThreadingMode.INVOKER, source);
        server.invoke();
        assertTrue(server.failure().getCause().getMessage().contains("add .to(\"commit\", source.commits()"),
            server.failure().toString());
        close();
        errors.clear();
        assertEquals("lookNs 0 is not in 1..3600000000000",
            assertThrows(IllegalArgumentException.class, () -> source.intervalsNs(0, 1, 1)).getMessage());
        assertEquals("maxLineBytes 15 is not in 16..16777216",
            assertThrows(IllegalArgumentException.class, () -> format().maxLineBytes(15)).getMessage());
        Files.writeString(folder.resolve("position"), "x".repeat(2_000));
        assertTrue(assertThrows(IllegalStateException.class, () -> launchCommitted(ThreadingMode.INVOKER))
            .getCause().getMessage().contains("is no position of a tailed file"));
        assertThrows(IllegalStateException.class, () -> launch(ThreadingMode.INVOKER,
            new FileTailSource<>(folder.resolve("missing/file"), format())));
    }
}
