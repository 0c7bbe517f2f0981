package io.millrace.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A report in a process of its own, as a user starts it; it has ended.
 */
record ReportProcess(int exitCode, List<String> out, List<String> err)
{
    /** Runs a report in a folder: its files are in {@code report}, its output in {@code out} and {@code err}. */
    static ReportProcess run(final String report, final Path dir, final String... settings)
        throws IOException, InterruptedException
    {
        return run(Map.of(), report, dir, settings);
    }

    /** The same with other environment variables. */
    static ReportProcess run(
        final Map<String, String> environment, final String report, final Path dir, final String... settings)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        final String folder = report.equals("report-race") ? "race.dir" : "report.dir";
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-D" + folder + "=" + dir.resolve("report"),
            "-Dmillrace.childFlags=" + System.getProperty("millrace.childFlags", "")));
        command.addAll(List.of(settings));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Report.class.getName(), report));
        final Path out = dir.resolve("out");
        final Path err = dir.resolve("err");
        final ProcessBuilder builder =
            new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        final Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(2, TimeUnit.MINUTES))
        {
            process.destroyForcibly();
        }
        return new ReportProcess(process.waitFor(), Files.readAllLines(out, StandardCharsets.UTF_8),
            Files.readAllLines(err, StandardCharsets.UTF_8));
    }

    /** It measured nothing and said why, in one line. */
    void shouldHaveRefused(final String why)
    {
        assertEquals(2, exitCode);
        assertEquals(List.of(), out);
        assertEquals(List.of(why), err);
    }
}
