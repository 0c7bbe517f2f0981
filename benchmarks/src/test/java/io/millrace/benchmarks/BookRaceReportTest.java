package io.millrace.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.MixFlow;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.jmh.book.RaceSetup;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The race as a separate process, as a user starts it.
 */
@Tag("slow")
class BookRaceReportTest
{
    @TempDir
    Path dir;

    @Test
    void shouldRefuseAnImpossibleSettingBeforeAnythingIsStarted() throws IOException, InterruptedException
    {
        run("-Dreport.rounds=0").shouldHaveRefused("book-race: report.rounds '0' is not a whole number in 1..99");
    }

    @Test
    void shouldRefuseABookReportThatThereIsNot() throws IOException, InterruptedException
    {
        final ReportProcess outcome = run("-Dreport.book=cook");
        assertEquals(2, outcome.exitCode());
        assertEquals(List.of(), outcome.out());
        assertEquals(1, outcome.err().size());
        assertTrue(outcome.err().get(0).startsWith("book-race: report.book 'cook' is not one of [flow, mix"),
            outcome.err()::toString);
    }

    @Test
    void shouldRefuseAFileOfCommandsWhereItIsNotRead() throws IOException, InterruptedException
    {
        for (final String book : List.of("depth", "hostile"))
        {
            run("-Dreport.book=" + book, "-Dreport.input=some.csv").shouldHaveRefused(
                "book-race: report.input 'some.csv' is not possible here: report.book " + book +
                " has its own commands");
        }
    }

    @Test
    void shouldRefuseADurationOfRounds() throws IOException, InterruptedException
    {
        for (final String book : List.of("flow", "mix", "depth", "hostile", "suite"))
        {
            run("-Dreport.book=" + book, "-Dreport.roundMs=50").shouldHaveRefused(
                "book-race: report.roundMs '50' is not possible here: a round of this report is as long as its " +
                "commands; use fewer of them to shorten it");
        }
    }

    @Test
    void shouldRefuseASuiteWithoutItsFolder() throws IOException, InterruptedException
    {
        run("-Dreport.book=suite", "-Dreport.input=nowhere").shouldHaveRefused(
            "book-race: report.input 'nowhere' is not the folder of the suite's flows");
    }

    @Test
    void shouldLeaveNoResultOfAnotherRunBehindWhenItFails() throws IOException, InterruptedException
    {
        final Path flows = Files.createDirectory(dir.resolve("flows"));
        final Path file = Files.writeString(flows.resolve("orders_static_s1_n1.bin.gz"), "no flow");
        final Path table = Files.createDirectories(dir.resolve("report/book-suite")).resolve("table.txt");
        Files.writeString(table, "of yesterday");
        final ReportProcess outcome = run("-Dreport.book=suite", "-Dreport.input=" + flows);
        assertEquals(1, outcome.exitCode());
        final String last = outcome.err().get(outcome.err().size() - 1);
        assertTrue(last.startsWith("book-race: broke off: "), last);
        assertTrue(last.contains(file.toString()), last);
        assertTrue(Files.notExists(table));
    }

    @Test
    void shouldRunToItsEndOnARecordedFile() throws IOException, InterruptedException
    {
        final ReportProcess outcome =
            run("-Dreport.rounds=1", "-Dreport.input=" + recording(OrderFlow.of(OrderFlow.SYMBOL, 1, 5_000)));
        assertEquals(0, outcome.exitCode(), () -> String.join("\n", outcome.err()));
        assertEquals(List.of(), outcome.err());
        final List<String> table = Files.readAllLines(dir.resolve("report/book/table.txt"));
        for (final String name : RaceSetup.FLOW.contenders())
        {
            assertTrue(table.stream().anyMatch(line -> line.startsWith(name + " ")), table::toString);
            assertTrue(outcome.out().stream().anyMatch(line -> line.startsWith("verified: " + name)),
                outcome.out()::toString);
        }
        assertTrue(table.stream().anyMatch(line -> line.startsWith("bench.MOVE_ORDER ")), table::toString);
        assertTrue(table.stream().anyMatch(line -> line.startsWith("commands: 5,000 timed after 1,000")),
            table::toString);
        assertEquals(1 + RaceSetup.FLOW.contenders().size(),
            Files.readAllLines(dir.resolve("report/book/rounds.csv")).size());
    }

    @Test
    @Tag("faults")
    void shouldRunTheMixToItsEnd() throws IOException, InterruptedException
    {
        final ReportProcess outcome = run("-Dreport.book=mix", "-Dreport.rounds=2",
            "-Dreport.input=" + recording(MixFlow.of(1, 5_000)));
        assertEquals(0, outcome.exitCode(), () -> String.join("\n", outcome.err()));
        final List<String> table = Files.readAllLines(dir.resolve("report/book-mix/table.txt"));
        for (final String name : RaceSetup.MIX.contenders())
        {
            assertTrue(table.stream().anyMatch(line -> line.startsWith(name + " ")), table::toString);
        }
        assertTrue(table.stream().anyMatch(line -> line.startsWith("commands: 5,000 timed after 10,000")),
            table::toString);
    }

    @Test
    void shouldRefuseToMixCommandsThatNotAllBooksKnow() throws IOException, InterruptedException
    {
        final Path file = recording(OrderFlow.of(OrderFlow.SYMBOL, 1, 1_000));
        final ReportProcess outcome = run("-Dreport.book=mix", "-Dreport.input=" + file);
        assertEquals(2, outcome.exitCode());
        assertEquals(1, outcome.err().size());
        assertTrue(outcome.err().get(0).startsWith("book-race: " + file + ": command "), outcome.err()::toString);
    }

    private Path recording(final CommandColumns flow) throws IOException
    {
        final Path file = dir.resolve("commands.csv");
        CommandFile.write(flow, file);
        return file;
    }

    private ReportProcess run(final String... settings) throws IOException, InterruptedException
    {
        return ReportProcess.run("book-race", dir, settings);
    }
}
