package io.millrace.benchmarks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a report does not take, although another one does, is refused before anything is started. */
class ReportTest
{
    @TempDir
    private Path dir;

    /** The second setting is impossible, so that a report that overlooks the first one ends as well. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "report-race | report.rounds=1 | race.rounds=0 | report.rounds '1' is for another report; this one takes " +
            "race.disciplines, race.only, race.rounds, race.roundMs, race.cpus, race.budgetSeconds, race.dir",
        "report-race | report.dir=x | race.rounds=0 | report.dir 'x' is for another report; this one takes " +
            "race.disciplines, race.only, race.rounds, race.roundMs, race.cpus, race.budgetSeconds, race.dir",
        "report-ipc | race.rounds=1 | report.rounds=0 | race.rounds '1' is for another report; this one takes " +
            "report.rounds, report.roundMs, report.cpus, report.budgetSeconds, report.dir",
        "report-ipc | race.dir=x | report.rounds=0 | race.dir 'x' is for another report; this one takes " +
            "report.rounds, report.roundMs, report.cpus, report.budgetSeconds, report.dir",
        "book-race | report.depth=1k/1k | report.rounds=0 | report.rounds '0' is not a whole number in 1..99",
        "book-race | report.depth=1k/1k | report.input=none | report.depth '1k/1k' is not possible here: it is for " +
            "report.book depth, not for flow",
        "report-nothing | report.cpus=0 | report.rounds=0 | there is no such report"})
    void shouldRefuseWhatIsForAnotherReport(
        final String report, final String first, final String second, final String why)
        throws IOException, InterruptedException
    {
        ReportProcess.run(report, dir, "-D" + first, "-D" + second).shouldHaveRefused(report + ": " + why);
    }

    /** The other parts of the report, which take minutes, are not lost. */
    @Test
    void shouldLeaveOutTheSerialLineWithoutPython() throws IOException, InterruptedException
    {
        final ReportProcess outcome =
            ReportProcess.run(Map.of("PATH", ""), "report-gateway", dir, "-Dreport.cost=serial", "-Dreport.rounds=1");
        assertEquals(0, outcome.exitCode(), outcome.err()::toString);
        assertTrue(outcome.out().contains("serial: left out, python3 makes its pseudo-terminal, and is not here"),
            outcome.out()::toString);
    }
}
