package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The files of a report, and the line that names them. */
class ReportFolderTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldNameTheFilesThatAPersonReadsAndCountTheOthers() throws IOException
    {
        final ReportFolder folder = new ReportFolder(dir);
        for (final String rate : List.of("1k", "50k"))
        {
            folder.write("latency_" + rate + "_mps.hgrm", "");
            folder.write("latency_" + rate + "_mps.hlog", "");
        }
        folder.write("run.txt", "");
        folder.write("latency.svg", "");
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        folder.print(new PrintStream(out, true, StandardCharsets.UTF_8), List.of("text"));
        final List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(
            "Written: " + dir.toAbsolutePath().normalize() + " (run.txt, latency.svg and 4 files of percentiles)",
            lines.get(lines.size() - 1));
    }

    @Test
    void shouldSayAboveTheTablesWhatTheRunWas() throws IOException
    {
        final RunHeader header = new RunHeader("A report", new HostFiles(dir)).add("rounds: 3");
        new ReportFolder(dir).finish(new PrintStream(OutputStream.nullOutputStream()), List.of("p50", "7 ns"), header);
        final List<String> lines = Files.readAllLines(dir.resolve("table.txt"));
        assertTrue(lines.get(0).startsWith("A report of "), lines::toString);
        assertEquals(List.of("rounds: 3", "", "p50", "7 ns"), lines.subList(lines.size() - 4, lines.size()));
    }
}
