package io.millrace.gateway.serial;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Receiver;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.SystemCommand;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Allocations;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class SerialSourceTest
{
    private static final String LINE =
        "[BBO:AAPL    ]Bid:0x0016CFD8 (0x00000064) | Ask:0x0016D99C (0x000000C8) | Spr:0x000009C4\n";
    private static final String NO_DATA = "[BBO:NODATA  ]\r\n";

    @TempDir
    private Path folder;

    private Path file(final String text) throws IOException
    {
        return Files.writeString(folder.resolve("lines"), text, StandardCharsets.ISO_8859_1);
    }

    private static void append(final Path file, final String text) throws IOException
    {
        Files.writeString(file, text, StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
    }

    @Test
    @Tag("server")
    void shouldFollowAFileAsItGrows() throws IOException
    {
        final Path file = file(LINE + "\n" + NO_DATA + LINE.substring(0, 50));
        final SerialSource source = new SerialSource(file);
        try (Receiver receiver = new Receiver(source))
        {
            receiver.until("two lines", () -> receiver.count() == 2);
            assertEquals(0, receiver.invoke());
            append(file, LINE.substring(50) + "garbage\r\n\r\n" + LINE);
            receiver.until("four lines", () -> receiver.count() == 4);
            final BboEvent first = receiver.events().get(0);
            assertEquals("AAPL", Symbols.text(first.symbol()));
            assertEquals(2_500, first.spread());
            assertTrue(first.receiveTimeNs() != 0);
            assertFalse(receiver.events().get(1).hasData());
            assertEquals(5, receiver.counter("lines"));
            assertEquals(1, receiver.counter("malformed"));
            assertEquals(4, receiver.counter("published"));
            assertEquals(1, receiver.counter("isOpen"));
            assertEquals(file + ": regular file", source.describe());
        }
        assertFalse(source.isOpen());
    }

    @Test
    void shouldCountEachLineThatTheFlowHasNotTakenWhenItCloses() throws IOException
    {
        final SerialSource source = new SerialSource(file(LINE.repeat(6) + "\r\n" + LINE.stripTrailing()));
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(BboEvent::new, 4, source).through(Pipelines.ring())
                .to("keep", (event, sequence, endOfBatch) ->
                {
                })));
        try (server)
        {
            server.control().pause("keep");
            Await.until("the flow is full", () -> server.invoke() >= 0 && source.published() == 4);
        }
        assertEquals(7, source.lines());
        assertEquals(4, source.published());
        assertEquals(1, source.malformed());
        assertEquals(2, server.counters().value("quotes-source.untaken"));
    }

    @Test
    void shouldCountALineThatHasNoEndWhenItCloses() throws IOException
    {
        final SerialSource source = new SerialSource(file(LINE + LINE.stripTrailing()));
        try (Receiver receiver = new Receiver(source))
        {
            receiver.until("one line", () -> receiver.count() == 1);
            receiver.drain();
            assertEquals(1, source.lines());
        }
        assertEquals(2, source.lines());
        assertEquals(1, source.malformed());
    }

    @Test
    @Tag("server")
    void shouldReadAPseudoTerminalInRawMode() throws IOException
    {
        try (Pty pty = new Pty())
        {
            final SerialSource source = new SerialSource(pty.device());
            try (Receiver receiver = new Receiver(source))
            {
                assertEquals(pty.device() + ": raw -echo min 0 time 0, 115200 baud", source.describe());
                final String settings = SystemCommand.run("stty", "-F", pty.device().toString(), "-a");
                assertTrue(settings.contains("-icanon") && settings.contains("-echo ") &&
                    settings.contains("min = 0; time = 0"), settings);
                assertEquals(0, receiver.invoke());
                for (int i = 0; i < 200; i++)
                {
                    pty.write(LINE);
                }
                pty.write("x" + LINE + NO_DATA);
                receiver.until("all", () -> receiver.counter("lines") == 202);
                assertEquals(1, receiver.counter("malformed"));
                assertEquals(201, receiver.count());
                assertEquals(0, receiver.counter("closes"));
            }
        }
    }

    @Test
    void shouldReportAClosedDeviceAndOpenItAgain() throws IOException
    {
        final Path link = folder.resolve("device");
        final SerialSource source;
        final long[] nowNs = {0};
        try (Pty pty = new Pty())
        {
            Files.createSymbolicLink(link, pty.device());
            source = new SerialSource(link, 0, () -> nowNs[0]);
            try (Receiver receiver = new Receiver(source))
            {
                pty.write(LINE + LINE.substring(0, 20));
                receiver.until("a line and a part", () -> receiver.counter("bytes") == LINE.length() + 20);
                pty.pull();
                receiver.until("the close", () ->
                {
                    nowNs[0] += 10_000_000;
                    return receiver.counter("closes") == 1;
                });
                assertEquals(0, receiver.counter("isOpen"));
                assertFalse(source.lastError().isEmpty());
                receiver.until("some attempts", () ->
                {
                    nowNs[0] += 10_000_000;
                    return receiver.counter("failedOpens") == 4;
                });
                final long attempts = nowNs[0];
                receiver.until("a later attempt", () ->
                {
                    nowNs[0] += 1_000_000;
                    return receiver.counter("failedOpens") == 5;
                });
                assertTrue(nowNs[0] - attempts >= 100_000_000, "each wait is twice the last: " + nowNs[0]);
                assertEquals(2, receiver.counter("lines"), "the part has no end");
                assertEquals(1, receiver.counter("malformed"));
                try (Pty next = new Pty())
                {
                    Files.delete(link);
                    Files.createSymbolicLink(link, next.device());
                    receiver.until("the opening", () ->
                    {
                        nowNs[0] += 100_000_000;
                        return source.isOpen();
                    });
                    assertEquals(2, source.opens());
                    next.write(LINE);
                    receiver.until("a line", () -> receiver.count() == 2);
                    next.pull();
                    checkFirstWait(receiver, nowNs);
                }
            }
        }
    }

    /** After a close the first wait is short, however long those before the opening were. */
    private static void checkFirstWait(final Receiver receiver, final long[] nowNs)
    {
        receiver.until("the next close", () ->
        {
            nowNs[0] += 1_000_000;
            return receiver.counter("closes") == 2;
        });
        final long closed = nowNs[0];
        final long failed = receiver.counter("failedOpens");
        receiver.until("the next attempt", () ->
        {
            nowNs[0] += 1_000_000;
            return receiver.counter("failedOpens") > failed;
        });
        assertTrue(nowNs[0] - closed < 100_000_000, "the wait is short again: " + (nowNs[0] - closed));
    }

    @Test
    void shouldKeepADeviceThatIsSilent() throws IOException
    {
        final long[] nowNs = {0};
        try (Pty pty = new Pty())
        {
            final SerialSource source = new SerialSource(pty.device(), 0, () -> nowNs[0]);
            try (Receiver receiver = new Receiver(source))
            {
                for (int i = 0; i < 20; i++)
                {
                    pty.write(LINE);
                    receiver.until("a line", () -> receiver.count() > 0);
                    nowNs[0] += 2_000_000_000;
                    receiver.invoke();
                }
                assertEquals(0, source.closes());
                assertEquals(1, source.opens());
            }
        }
    }

    @Test
    void shouldFollowAFileThatWasReplaced() throws IOException
    {
        final Path file = file(LINE);
        final long[] nowNs = {0};
        final SerialSource source = new SerialSource(file, 0, () -> nowNs[0]);
        try (Receiver receiver = new Receiver(source))
        {
            receiver.until("a line", () -> receiver.count() == 1);
            Files.move(file, folder.resolve("old"));
            file(LINE + LINE);
            receiver.until("the lines of the new file", () ->
            {
                nowNs[0] += 100_000_000;
                return receiver.count() == 3;
            });
            assertEquals(1, source.closes());
        }
    }

    @Test
    void shouldReadAFileFromItsBeginningAfterItWasEmptied() throws IOException
    {
        final Path file = file(LINE + LINE + LINE.substring(0, 20));
        final long[] nowNs = {0};
        final SerialSource source = new SerialSource(file, 0, () -> nowNs[0]);
        try (Receiver receiver = new Receiver(source))
        {
            receiver.until("two lines", () -> receiver.count() == 2);
            file(NO_DATA);
            receiver.until("the new line", () ->
            {
                nowNs[0] += 100_000_000;
                return receiver.count() == 3;
            });
            assertEquals(1, receiver.counter("malformed"));
            assertEquals(1, source.closes());
            assertTrue(source.lastError().contains("shorter"), source::lastError);
        }
    }

    @Test
    void shouldWaitLongerEachTimeWhileADeviceOpensAndFailsAtTheFirstRead() throws IOException
    {
        // Nothing is mapped at address 0, so each read fails.
        final Path failing = Path.of("/proc/self/mem");
        assumeTrue(Files.isReadable(failing), "no /proc here");
        final long[] nowNs = {0};
        try (Receiver receiver = new Receiver(new SerialSource(failing, 0, () -> nowNs[0])))
        {
            for (int ms = 0; ms < 1_000; ms++)
            {
                nowNs[0] += 1_000_000;
                receiver.invoke();
            }
            // At once, and after 10, 20, 40 ... 320 ms.
            assertEquals(7, receiver.counter("closes"));
        }
    }

    @Test
    void shouldNotStartWithoutADevice()
    {
        for (final Path path : new Path[]{folder.resolve("missing"), folder})
        {
            final Exception e = assertThrows(Exception.class, () -> new Receiver(new SerialSource(path)).close());
            assertTrue((e + " " + e.getCause()).contains(path.toString()), e::toString);
        }
        assertThrows(IllegalArgumentException.class, () -> new SerialSource(folder, 49));
        assertThrows(IllegalArgumentException.class, () -> new SerialSource(folder, 4_000_001));
    }

    @Test
    void shouldNotStartAtASpeedThatTheDeviceRefuses() throws IOException
    {
        try (Pty pty = new Pty())
        {
            final Exception e = assertThrows(Exception.class,
                () -> new Receiver(new SerialSource(pty.device(), 115_201)).close());
            assertTrue((e + " " + e.getCause()).contains("115201"), e::toString);
        }
    }

    /** The leader of a session without a terminal would get the device as its terminal, and SIGHUP with its end. */
    @Test
    @Tag("faults")
    void shouldNotOpenADeviceWhoseEndWouldEndTheJvm() throws Exception
    {
        try (Pty pty = new Pty())
        {
            final String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            // Also where the tests themselves were started by nohup.
            final Process process = new ProcessBuilder("env", "--default-signal=HUP", "setsid", "--wait", java, "-cp",
                System.getProperty("java.class.path"), Opening.class.getName(), pty.device().toString())
                .redirectErrorStream(true).start();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), output);
            assertTrue(output.contains("start it by nohup"), output);
        }
    }

    /** A program that opens a device. */
    static final class Opening
    {
        private Opening()
        {
        }

        public static void main(final String[] args)
        {
            try
            {
                new SerialSource(Path.of(args[0]), 0).onStart();
            }
            catch (final IOException ex)
            {
                System.out.println(ex.getMessage());
            }
        }
    }

    @Test
    @Tag("normal")
    void shouldAllocateNothingForALine() throws Exception
    {
        final StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1_000; i++)
        {
            lines.append(LINE).append(NO_DATA).append("garbage\n").append(LINE.replace('9', 'x')).append("\r\n");
        }
        final String text = lines.append(" ".repeat(5_000)).append('\n').toString();
        final Path file = file(text.repeat(10));
        final SerialSource source = new SerialSource(file);
        try (Receiver receiver = new Receiver(source).countOnly())
        {
            final int[] window = {0};
            Allocations.shouldBeNone(() ->
            {
                final long until = 4_001L * ++window[0];
                while (source.lines() < until)
                {
                    receiver.invoke();
                }
            });
            receiver.until("all", () -> source.lines() == 40_010);
            assertEquals(20_000, receiver.count());
            assertEquals(20_010, source.malformed());
        }
    }
}
