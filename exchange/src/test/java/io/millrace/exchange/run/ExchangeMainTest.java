package io.millrace.exchange.run;

import io.millrace.exchange.Exchange;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.Service;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** How the program ends: its last line and its exit code. */
class ExchangeMainTest
{
    @TempDir
    private Path folder;

    private Path config() throws IOException
    {
        return Files.writeString(folder.resolve("x.yaml"), String.join("\n",
            "directory: " + folder.resolve("x"),
            "port: 0",
            "symbols: [{id: 1, min-price: 1, max-price: 1000}]",
            "clients: [{number: 1, name: alice, token: alice-demo, role: trader}]"));
    }

    @Test
    void shouldPrintItsLastLineBeforeASignalEndsTheJvm() throws Exception
    {
        final ChildJvm child = new ChildJvm().run(SlowLastLineProgram.class, config());
        assertEquals(0, child.exitCode, child::toString);
        assertEquals("exchange: ended", child.out.get(child.out.size() - 1), child::toString);
    }

    @Test
    void shouldEndWithCode74AndTheReasonWhenTheJournalCannotWrite() throws Exception
    {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell here");
        // A file may have 100 KiB, or half of that: the first segment needs more.
        final ChildJvm child = new ChildJvm().under("/bin/sh", "-c", "ulimit -f 100 && exec \"$0\" \"$@\"")
            .flags("-XX:-UsePerfData").run(FullDiskProgram.class, config());
        assertEquals(74, child.exitCode, child::toString);
        final String why = "stage 'journal' failed on event 0: " + folder.resolve("x/journal/segment-");
        assertTrue(child.err.stream().anyMatch(line -> line.contains(why) && line.endsWith(".tmp: File too large")),
            child::toString);
    }

    @Test
    void shouldSayThatTheHeapIsTooSmall() throws Exception
    {
        final ChildJvm child = new ChildJvm().flags("-Xmx16m").run(ExchangeMain.class, "--config", config());
        assertEquals(1, child.exitCode, child::toString);
        assertEquals(1, child.err.size(), child::toString);
        final String line = child.err.get(0);
        assertTrue(line.startsWith("exchange: no memory for SymbolSpec[symbol=1, "), line);
        assertTrue(line.endsWith("]: Java heap space: the heap may have 16 MiB; raise -Xmx, or lower order-capacity, " +
            "window-ticks, window or ring"), line);
    }

    @Test
    void shouldPrintTheWarningsOfTheRecovery() throws IOException
    {
        final Path note = Files.createDirectories(folder.resolve("x/journal")).resolve("note.txt");
        Files.createFile(note);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertEquals(0, ExchangeMain.run(null, new PrintStream(out, true, StandardCharsets.UTF_8), System.err,
            "--config", config().toString(), "--seconds", "1"));
        assertTrue(out.toString(StandardCharsets.UTF_8).lines().anyMatch(line ->
            line.equals("exchange: warning: " + note + " is not the journal's: ignored")), out::toString);
    }

    /** Nobody sends a command meanwhile. */
    @Test
    void shouldSayAtOnceAndAtTheNextCommandThatTheJournalIsGone() throws IOException
    {
        final String err = runWithoutJournal(FullDiskProgram::order);
        assertTrue(err.contains("stage 'journal' failed on event 1: " +
            NoSuchFileException.class.getName() + ": " + folder.resolve("x/journal")), err);
    }

    @Tag("slow")
    @Test
    void shouldEndWithCode74WhenNoCommandFollowsTheFailureOfTheJournal() throws IOException
    {
        final String err = runWithoutJournal(exchange ->
        {
        });
        assertTrue(err.contains("degraded: service 'journal': the journal has failed and takes no records: "), err);
    }

    /** The journal is deleted, and its keeper has failed. Returns what the exchange prints as errors. */
    private String runWithoutJournal(final Consumer<Exchange> then) throws IOException
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int code = ExchangeMain.run(exchange ->
        {
            Await.until("nothing is left to write or prepare", () -> exchange.journal().committedSequence() == 1 &&
                exchange.server().counters().value("journal.prepared") == 2 &&
                Files.exists(folder.resolve("x/journal/committed.mark")));
            deleteJournal();
            Await.until("the keeper has failed", () -> exchange.journal().failure() != null);
            assertEquals(List.of("service 'journal': the journal has failed and takes no records: " +
                exchange.journal().failure()), exchange.server().health().reasons());
            then.accept(exchange);
        }, new PrintStream(new ByteArrayOutputStream()), new PrintStream(err, true, StandardCharsets.UTF_8),
            "--seconds", "1", "--config",
            Files.writeString(config(), "\nsegment-bytes: 65536", StandardOpenOption.APPEND).toString());
        assertEquals(74, code, err::toString);
        return err.toString(StandardCharsets.UTF_8);
    }

    private void deleteJournal()
    {
        final Path journal = folder.resolve("x/journal");
        try (Stream<Path> files = Files.list(journal))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
            Files.delete(journal);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    @Tag("slow")
    void shouldEndWithCodeOneWhenAPartHangsAtTheClose() throws IOException
    {
        final CountDownLatch resume = new CountDownLatch(1);
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int code = ExchangeMain.run(exchange -> exchange.server().control().addService(new Service()
        {
            @Override
            public String name()
            {
                return "hanging";
            }

            @Override
            public void close()
            {
                Await.until("continue", () -> resume.getCount() == 0);
            }
        }), new PrintStream(new ByteArrayOutputStream()), new PrintStream(err, true, StandardCharsets.UTF_8),
            "--config", config().toString(), "--seconds", "1");
        resume.countDown();
        assertEquals(1, code, err::toString);
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("closing service 'hanging' hangs"), err::toString);
    }
}
