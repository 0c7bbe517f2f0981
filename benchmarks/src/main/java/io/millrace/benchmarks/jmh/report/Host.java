package io.millrace.benchmarks.jmh.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Says what the report ran on.
 */
final class Host
{
    private final long[] cpuTimes = HostWatch.cpuTimes();
    private final String loadBefore = load();
    private final String started = ZonedDateTime.now().format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss xxx"));

    /** Lines for the head of the report, at its end: with what happened meanwhile. */
    List<String> describe(final Settings settings, final long elapsedSeconds)
    {
        return List.of(
            "started  " + started + ", took " + elapsedSeconds + " s, git " + git(),
            "host     " + cpuModel() + ", " + Runtime.getRuntime().availableProcessors() + " CPUs, isolated " +
                orNone(firstLine("/sys/devices/system/cpu/isolated")) + ", governor " +
                orNone(firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")) + ", " +
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
            "during   load " + loadBefore + " before, " + load() + " after; steal " + percent(
                HostWatch.stealPercent(cpuTimes, HostWatch.cpuTimes())) + " of all CPU time",
            "JVM      " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
            "flags    " + String.join(" ", Fork.JVM_ARGS),
            "rounds   " + settings.rounds() + " per line, interleaved within a group, each in a JVM of its own: " +
                settings.warmUpMs() + " ms warm-up, " + settings.roundMs() + " ms measured",
            "pinning  benchmarks with two busy threads, to CPUs " +
                (settings.cpus().isEmpty() ? "that are the first two allowed" : settings.cpus()) + "; others not");
    }

    static String percent(final double value)
    {
        return Double.isNaN(value) ? "unknown" : String.format(Locale.ROOT, "%.1f %%", value);
    }

    private static String orNone(final String text)
    {
        return text.isEmpty() ? "none" : text;
    }

    private static String load()
    {
        final String[] words = firstLine("/proc/loadavg").split(" ");
        return words.length < 3 ? "unknown" : words[0] + " " + words[1] + " " + words[2];
    }

    private static String cpuModel()
    {
        try
        {
            final TreeSet<String> models = new TreeSet<>();
            for (final String line : Files.readAllLines(Path.of("/proc/cpuinfo")))
            {
                if (line.startsWith("model name"))
                {
                    models.add(line.substring(line.indexOf(':') + 1).trim());
                }
            }
            return models.isEmpty() ? System.getProperty("os.arch") : String.join(" + ", models);
        }
        catch (final IOException ex)
        {
            return System.getProperty("os.arch");
        }
    }

    private static String firstLine(final String file)
    {
        try
        {
            final List<String> lines = Files.readAllLines(Path.of(file));
            return lines.isEmpty() ? "" : lines.get(0).trim();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    private static String git()
    {
        try
        {
            final Process process = new ProcessBuilder("git", "describe", "--always", "--dirty")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            final String id = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return id.isEmpty() ? "unknown" : id;
        }
        catch (final IOException ex)
        {
            return "unknown";
        }
    }
}
