package io.millrace.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The report as a separate process, as a user starts it.
 */
@Timeout(120)
class OptionCostReportTest
{
    @TempDir
    Path dir;

    @Test
    void shouldRefuseAnImpossibleSettingBeforeAnythingIsStarted() throws IOException, InterruptedException
    {
        assertEquals(2, run("-Dreport.cost=("));
        assertEquals("report-cost: report.cost '(' is not a regular expression: Unclosed group",
            Files.readString(dir.resolve("err"), StandardCharsets.UTF_8).trim());
        assertEquals("", Files.readString(dir.resolve("out"), StandardCharsets.UTF_8));
    }

    // Busy-spins on two threads for some seconds, so not in the default build.
    @Tag("stress")
    @Test
    void shouldRunToItsEndAndWriteItsTables() throws IOException, InterruptedException
    {
        assertEquals(0,
            run("-Dreport.cost=option checked|idle back|fanout lmax", "-Dreport.rounds=2", "-Dreport.roundMs=20"));
        assertEquals("", Files.readString(dir.resolve("err"), StandardCharsets.UTF_8));
        final List<String> table = Files.readAllLines(dir.resolve("report/cost/table.txt"), StandardCharsets.UTF_8);
        assertTrue(table.stream().anyMatch(line -> line.startsWith("checked  base")), table::toString);
        assertTrue(table.stream().anyMatch(line -> line.startsWith("back off")), table::toString);
        assertEquals(2, table.stream().filter(line -> line.startsWith("lmaxFused ")).count(), table::toString);
        assertTrue(Files.size(dir.resolve("report/cost/rounds.txt")) > 0);
    }

    private int run(final String... settings) throws IOException, InterruptedException
    {
        return ReportProcess.run("report-cost", dir, settings).exitCode();
    }
}
