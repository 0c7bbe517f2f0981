package io.millrace.gateway.sink;

import io.millrace.gateway.Symbols;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The CSV file and the console. */
@Tag("server")
class LineSinksTest
{
    private static final String ROW = "0,AAPL,149.5000,300,152.0000,301,2.5000";

    @TempDir
    private Path folder;
    private long nowNs;

    private SinkRig csv(final Path file)
    {
        return new SinkRig(ThreadingMode.INVOKER)
            .add("csv", new CsvSink(file, SinkRig.backoff(1), () -> nowNs), SinkQueue.dropNewest(1_024)).launch();
    }

    private static void publishOne(final SinkRig rig)
    {
        rig.publish(event -> event.quote(Symbols.of("AAPL"), 1_495_000, 300, 1_520_000, 301));
        rig.server.invoke();
        rig.server.invoke();
    }

    @Test
    void shouldWriteHeaderAndRows() throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            rig.publish(event -> event.quote(0x2C_22_0A_FF_41_20_20_20L, 10_000, 1, 0, 0).times(9, 0));
            rig.server.invoke();
            rig.server.invoke();
            rig.end();
            rig.checkSums("csv");
        }
        assertEquals(List.of(CsvSink.HEADER, ROW, "9,????A,1.0000,1,0.0000,0,0.0000"), Files.readAllLines(file));
    }

    @Test
    void shouldAppendBehindTheLastWholeRow() throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        for (int i = 0; i < 2; i++)
        {
            try (SinkRig rig = csv(file))
            {
                publishOne(rig);
            }
            Files.writeString(file, "17,TORN,1.00", StandardOpenOption.APPEND);
        }
        // As after a power failure: the size was on the disk, the rows were not.
        Files.write(file, new byte[4_096], StandardOpenOption.APPEND);
        csv(file).close();
        assertEquals(List.of(CsvSink.HEADER, ROW, ROW), Files.readAllLines(file));
        Files.writeString(file, "x".repeat(4_096), StandardOpenOption.APPEND);
        assertTrue(refusal(file).endsWith("more than a torn row and zeros behind its last line end"), refusal(file));
        Files.writeString(file, CsvSink.HEADER + "\n");
        Files.write(file, new byte[65_535], StandardOpenOption.APPEND);
        csv(file).close();
        assertEquals(List.of(CsvSink.HEADER), Files.readAllLines(file));
        Files.write(file, new byte[65_536], StandardOpenOption.APPEND);
        assertTrue(refusal(file).endsWith(" has no line end in its last 65536 bytes"), refusal(file));
        Files.writeString(file, CsvSink.HEADER.substring(0, 9));
        csv(file).close();
        assertEquals(List.of(CsvSink.HEADER), Files.readAllLines(file));
    }

    @Test
    void shouldBeginANewFileWhenTheOldOneIsGoneAtTheReopening() throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            // The thread's interrupt closes the channel in the middle of a write.
            Thread.currentThread().interrupt();
            publishOne(rig);
            Thread.interrupted();
            Files.delete(file);
            nowNs += 1_000_000_000;
            publishOne(rig);
        }
        assertEquals(List.of(CsvSink.HEADER, ROW), Files.readAllLines(file));
    }

    /** Emptied, as by a rotation that copies and truncates; or with the header, as after a start without events. */
    @ParameterizedTest
    @ValueSource(strings = {"", CsvSink.HEADER + "\n"})
    void shouldBeginAnewInAFileWithoutRows(final String text) throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        Files.writeString(file, text);
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            Files.writeString(file, text);
            publishOne(rig);
            assertEquals(2, rig.counter("csv.delivered"));
        }
        assertEquals(List.of(CsvSink.HEADER, ROW), Files.readAllLines(file));
    }

    @Test
    void shouldLeaveAForeignFileAlone() throws IOException
    {
        final Path file = folder.resolve("foreign.csv");
        Files.writeString(file, "something else\n");
        final Exception failure = assertThrows(IllegalStateException.class, () -> csv(file));
        assertTrue(failure.getCause().getMessage().contains("has another first line than " + CsvSink.HEADER),
            failure.getCause().getMessage());
        assertEquals("something else\n", Files.readString(file));
    }

    private String refusal(final Path file)
    {
        Throwable cause = assertThrows(IllegalStateException.class, () -> csv(file));
        while (cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        return cause.getMessage();
    }

    private void assertRefused(final Path file)
    {
        assertEquals("cannot write " + file + ": this program or another one writes it", refusal(file));
    }

    /** Two writers of one file would overwrite each other's rows. */
    @Test
    void shouldRefuseAFileThatAnotherSinkWrites() throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            assertRefused(file);
            publishOne(rig);
        }
        csv(file).close();
        assertEquals(List.of(CsvSink.HEADER, ROW, ROW), Files.readAllLines(file));
    }

    /** Another sink may have written the file between two starts: its rows are not cut off. */
    @Test
    void shouldKeepRowsThatAnotherSinkWroteBetweenTwoStarts() throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            rig.server.stop();
            try (SinkRig other = csv(file))
            {
                publishOne(other);
            }
            rig.server.start();
            publishOne(rig);
        }
        assertEquals(List.of(CsvSink.HEADER, ROW, ROW, ROW), Files.readAllLines(file));
    }

    /** After the back-off the sink cuts the file: another sink's rows would go. */
    @Test
    void shouldKeepTheFileDuringTheBackOff() throws IOException
    {
        final Path file = folder.resolve("bbo.csv");
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            Thread.currentThread().interrupt();
            publishOne(rig);
            Thread.interrupted();
            assertRefused(file);
            nowNs += 1_000_000_000;
            publishOne(rig);
        }
        assertEquals(List.of(CsvSink.HEADER, ROW, ROW), Files.readAllLines(file));
    }

    /** A refused sink closes what it has opened; that must not end the lock of the first one. */
    @Test
    void shouldRefuseAnotherProgramAfterASinkOfItsOwn() throws Exception
    {
        final Path file = folder.resolve("bbo.csv");
        try (SinkRig rig = csv(file))
        {
            publishOne(rig);
            refusal(file);
            final ChildJvm child = new ChildJvm().run(CsvProgram.class, file);
            assertEquals(1, child.exitCode, child::toString);
            assertTrue(child.toString().contains("this program or another one writes it"), child::toString);
        }
        final ChildJvm next = new ChildJvm().run(CsvProgram.class, file);
        assertEquals(0, next.exitCode, next::toString);
        assertEquals(List.of(CsvSink.HEADER, ROW), Files.readAllLines(file));
    }

    /** The second sink must not close the lock file that it has opened: that would end the lock of the first one. */
    @Test
    void shouldRefuseAnotherProgramAfterTheApplicationHasReplacedTheSystemProperties() throws Exception
    {
        final Path file = folder.resolve("bbo.csv");
        final Properties before = System.getProperties();
        final Properties others = (Properties)before.clone();
        try (SinkRig rig = csv(file))
        {
            // Taken before the sink: they lack its entry.
            System.setProperties(others);
            assertRefused(file);
            final ChildJvm child = new ChildJvm().run(CsvProgram.class, file);
            assertEquals(1, child.exitCode, child::toString);
            publishOne(rig);
        }
        finally
        {
            System.setProperties(before);
        }
        csv(file).close();
        assertEquals(List.of(CsvSink.HEADER, ROW), Files.readAllLines(file));
    }

    /** A descriptor of the lock file that the other classes open and close would end the lock of the first ones. */
    @Test
    void shouldRefuseAnotherProgramAfterASinkOfAnotherClassLoader() throws Exception
    {
        final Path file = folder.resolve("bbo.csv");
        final List<URL> classPath = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        try (SinkRig rig = csv(file);
            URLClassLoader loader = new URLClassLoader(
                classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()))
        {
            publishOne(rig);
            final Method program = loader.loadClass(CsvProgram.class.getName()).getMethod("main", String[].class);
            program.setAccessible(true);
            final Object arguments = new String[] {file.toString()};
            final Throwable refusal =
                assertThrows(InvocationTargetException.class, () -> program.invoke(null, arguments)).getCause();
            assertTrue(refusal.getMessage().contains("this program or another one writes it"), refusal::toString);
            assertEquals(1, Descriptors.countOf(folder.resolve("bbo.csv.lock")));
            final ChildJvm child = new ChildJvm().run(CsvProgram.class, file);
            assertEquals(1, child.exitCode, child::toString);
        }
        assertEquals(List.of(CsvSink.HEADER, ROW), Files.readAllLines(file));
    }

    @Test
    void shouldSayWhyTheFileCannotBeOpened()
    {
        final Path orphan = folder.resolve("missing/bbo.csv");
        assertEquals("cannot write " + orphan + ": the folder " + orphan.getParent() + " does not exist",
            refusal(orphan));
        assertEquals("cannot write " + folder + ": " + folder + ": Is a directory", refusal(folder));
    }

    @Test
    void shouldNotStartWhenTheFileCannotBeWritten()
    {
        final Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no /dev/full here");
        final Exception failure = assertThrows(IllegalStateException.class, () -> csv(full));
        assertTrue(failure.getMessage().contains(": cannot write /dev/full: "), failure.toString());
    }

    @Test
    void shouldPrintALineWhenAQuoteChanges()
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("console",
            new ConsoleSink(out, 16, SinkRig.backoff(1), () -> nowNs), SinkQueue.conflate(64)).launch())
        {
            publishOne(rig);
            publishOne(rig);
            rig.publish(event -> event.quote(Symbols.of("ABCDEFGH"), 10_000, 1, 10_001, 2));
            rig.publish(event -> event.quote(Symbols.of("AAPL"), 1_495_000, 300, 1_520_000, 302));
            rig.server.invoke();
            rig.server.invoke();
            rig.end();
            rig.checkSums("console");
            assertEquals(4, rig.counter("console.delivered"));
        }
        assertEquals(
            "AAPL      bid 149.5000 x 300  ask 152.0000 x 301  spread 2.5000 (1.658%)\n" +
            "ABCDEFGH  bid 1.0000 x 1  ask 1.0001 x 2  spread 0.0001 (0.010%)\n" +
            "AAPL      bid 149.5000 x 300  ask 152.0000 x 302  spread 2.5000 (1.658%)\n",
            out.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldKeepTheEventsWhileTheConsoleIsBroken()
    {
        final boolean[] broken = {true};
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final OutputStream sometimes = new OutputStream()
        {
            @Override
            public void write(final int oneByte) throws IOException
            {
                if (broken[0])
                {
                    throw new IOException("broken pipe");
                }
                out.write(oneByte);
            }
        };
        final ConsoleSink sink = new ConsoleSink(sometimes, 16, SinkRig.backoff(1), () -> nowNs);
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("console", sink, SinkQueue.conflate(128)).launch())
        {
            publishOne(rig);
            assertEquals("DOWN: broken pipe", sink.status().describe());
            assertEquals("console DOWN: broken pipe\n", rig.fanOut.describe());
            rig.publish(100);
            for (int i = 0; i < 10; i++)
            {
                rig.server.invoke();
            }
            assertEquals(1, rig.counter("console.handled"), "before the back-off is over");
            broken[0] = false;
            nowNs += 1_000_000_000;
            rig.invokeUntil("all", () -> rig.counter("console.handled") == 1 + SinkRig.SYMBOLS);
            assertEquals(SinkHealth.UP, sink.status().health());
            assertEquals(1, sink.status().reconnects());
            assertEquals(1, sink.status().failures());
            rig.end();
            rig.checkSums("console");
            assertEquals(1, rig.counter("console.unknown"));
            assertEquals(100 - SinkRig.SYMBOLS, rig.counter("console.displaced"));
        }
        assertEquals(SinkRig.SYMBOLS, out.toString(StandardCharsets.US_ASCII).lines().count());
    }

    @Test
    void shouldNoticeThatAPrintStreamHasFailed()
    {
        final PrintStream failing = new PrintStream(new OutputStream()
        {
            @Override
            public void write(final int oneByte) throws IOException
            {
                throw new IOException("broken pipe");
            }
        });
        final ConsoleSink sink = new ConsoleSink(failing, 16, SinkRig.backoff(1), () -> nowNs);
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("console", sink, SinkQueue.conflate(128)).launch())
        {
            publishOne(rig);
            assertEquals(SinkHealth.DOWN, sink.status().health());
            assertEquals(0, sink.status().delivered());
            rig.end();
            rig.checkSums("console");
        }
    }

    @Test
    void shouldDoubleTheBackOffWhileEachWriteFails()
    {
        final OutputStream failing = new OutputStream()
        {
            @Override
            public void write(final int oneByte) throws IOException
            {
                throw new IOException("no space left");
            }
        };
        final ConsoleSink sink = new ConsoleSink(failing, 16, SinkRig.backoff(1), () -> nowNs);
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("console", sink, SinkQueue.conflate(128))
            .drainTimeoutNs(0).launch())
        {
            for (int ms = 0; ms < 1_000; ms++)
            {
                nowNs += 1_000_000;
                rig.publish(1);
                rig.server.invoke();
            }
            // 1, 2, 4 ... 64 ms, then 100, each reduced by up to a half.
            final long failures = sink.status().failures();
            assertTrue(failures <= 7 + 2 * 10, () -> failures + " failures");
        }
    }

    @Test
    void shouldLeaveNoRefusedRowInAFileThatCannotGrow() throws Exception
    {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell here");
        // 64 KiB, and no file of the JVM itself.
        final ChildJvm child = new ChildJvm().flags("-XX:-UsePerfData")
            .under("/bin/sh", "-c", "ulimit -f 128 && exec \"$0\" \"$@\"")
            .run(FullDiskProgram.class, folder.resolve("bbo.csv"));
        assertEquals(0, child.exitCode, child::toString);
    }
}
