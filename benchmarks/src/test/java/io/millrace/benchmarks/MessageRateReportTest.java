package io.millrace.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The report as a separate process, as a user starts it.
 */
class MessageRateReportTest
{
    @TempDir
    Path dir;

    @Test
    void shouldRefuseAnImpossibleSettingBeforeAnythingIsStarted() throws IOException, InterruptedException
    {
        run("-Dreport.rounds=0").shouldHaveRefused("message-rate: report.rounds '0' is not a whole number in 1..99");
    }

    @Test
    void shouldRefuseAMalformedInputFileByItsLine() throws IOException, InterruptedException
    {
        final Path input = Files.writeString(dir.resolve("bad.csv"),
            "seq,phase,cmd,orderId,uid,price,size,action,orderType,reserveBidPrice\n0,F,PLACE_ORDER,x\n");
        run("-Dreport.input=" + input).shouldHaveRefused(
            "message-rate: " + input + ":2: 4 columns instead of 10: '0,F,PLACE_ORDER,x'");
    }

    // Busy-spins on two threads for about a second, so not in the default build.
    @Tag("stress")
    @Test
    void shouldRunToItsEndAndNameItsFiles() throws IOException, InterruptedException
    {
        final ReportProcess outcome =
            run("-Dreport.rates=1k,50k", "-Dreport.rounds=2", "-Dreport.roundMs=20", "-Dreport.budgetSeconds=1");
        assertEquals(0, outcome.exitCode(), () -> String.join("\n", outcome.err()));
        assertEquals(List.of(), outcome.err());
        assertTrue(outcome.out().stream().anyMatch(line -> line.startsWith("Written: ") &&
            line.matches(".*\\(run\\.txt, .* and \\d+ files of percentiles\\)")), outcome.out()::toString);
        for (final String name : List.of("latency_1k_mps.hgrm", "raw_latency_50k_mps.hlog", "run.txt", "latency.svg"))
        {
            assertTrue(Files.size(dir.resolve("report").resolve(name)) > 0, name);
        }
    }

    private ReportProcess run(final String... settings) throws IOException, InterruptedException
    {
        return ReportProcess.run("message-rate", dir, settings);
    }
}
