package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads facts about the host from the system's files (under {@code /proc} and {@code /sys} of Linux). Elsewhere, and
 * where a file is missing, the answer is empty, zero or not a number, never an error. Stateless; any thread; allocates.
 *
 * @param root {@code /}, or what a test puts in its place.
 */
public record HostFiles(Path root)
{
    /**
     * This machine's files.
     */
    public static final HostFiles HERE = new HostFiles(Path.of("/"));

    private static final String NOT_KNOWN = "not known";
    private static final int STEAL_COLUMN = 8;

    /**
     * Processor ticks since the start of the machine, summed over some CPUs.
     *
     * @param total all ticks.
     * @param steal ticks in which the host ran other guests.
     */
    public record Ticks(long total, long steal)
    {
        /**
         * The part of the time that was stolen since an earlier reading.
         *
         * @param earlier the earlier reading.
         * @return 0 to 1; not a number when nothing can be said.
         */
        public double stealSince(final Ticks earlier)
        {
            final long passed = total - earlier.total;
            return passed <= 0 ? Double.NaN : (double)(steal - earlier.steal) / passed;
        }
    }

    /**
     * Processor ticks so far.
     *
     * @param cpus the CPUs to sum over; empty means all.
     * @return a reading, zero when there is none.
     */
    public Ticks ticks(final List<Integer> cpus)
    {
        long total = 0;
        long steal = 0;
        for (final String line : lines("proc/stat"))
        {
            final String[] words = line.split(" +");
            if (cpus.isEmpty() ? "cpu".equals(words[0]) : isOneOf(words[0], cpus))
            {
                // Guest time, behind the steal column, is contained in user time.
                for (int i = 1; i <= STEAL_COLUMN && i < words.length; i++)
                {
                    total += number(words[i], 0);
                }
                steal += words.length > STEAL_COLUMN ? number(words[STEAL_COLUMN], 0) : 0;
            }
        }
        return new Ticks(total, steal);
    }

    private static boolean isOneOf(final String word, final List<Integer> cpus)
    {
        return word.startsWith("cpu") && cpus.contains((int)number(word.substring(3), -1));
    }

    /**
     * Threads of the whole machine that run or could run at this moment, the asking one included.
     *
     * @return a count; 0 when not known.
     */
    public int runnable()
    {
        final String[] words = first("proc/loadavg").split(" ");
        return words.length < 4 ? 0 : (int)number(words[3].split("/")[0], 0);
    }

    /**
     * The three load averages.
     *
     * @return as the system writes them.
     */
    public String loadAverage()
    {
        final String[] words = first("proc/loadavg").split(" ");
        return words.length < 3 ? NOT_KNOWN : words[0] + " " + words[1] + " " + words[2];
    }

    /**
     * CPUs of the machine that are online, whether this process may use them or not.
     *
     * @return a count, at least 1.
     */
    public int onlineCpus()
    {
        final long online = lines("proc/stat").stream().filter(line -> line.matches("cpu\\d+ .*")).count();
        return online > 0 ? (int)online : Runtime.getRuntime().availableProcessors();
    }

    /**
     * Name of the processor.
     *
     * @return as the system writes it.
     */
    public String cpuModel()
    {
        return orNotKnown(valueOf(root.resolve("proc/cpuinfo"), "model name"));
    }

    /**
     * CPUs that the scheduler keeps clear.
     *
     * @return a list, or {@code none}.
     */
    public String isolatedCpus()
    {
        final String list = first("sys/devices/system/cpu/isolated");
        return list.isBlank() ? "none" : list;
    }

    /**
     * Frequency governor of the first CPU.
     *
     * @return the governor's name; {@code not known} on most virtual machines.
     */
    public String governor()
    {
        return orNotKnown(first("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    }

    /**
     * CPUs that share a core with a CPU.
     *
     * @param cpu the CPU.
     * @return a list, the CPU itself included.
     */
    public String siblings(final int cpu)
    {
        return orNotKnown(first("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list"));
    }

    /**
     * The value behind a key in a file of {@code key: value} lines.
     *
     * @param file the file, or null.
     * @param key  the key.
     * @return the value without blanks around it; empty when there is no such file or key.
     */
    public static String valueOf(final Path file, final String key)
    {
        if (file != null)
        {
            for (final String line : readLines(file))
            {
                final int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).trim().equals(key))
                {
                    return line.substring(colon + 1).trim();
                }
            }
        }
        return "";
    }

    /**
     * Read a number without failing.
     *
     * @param text      the text.
     * @param otherwise what to say when it is not a number.
     * @return the number.
     */
    public static long number(final String text, final long otherwise)
    {
        try
        {
            return Long.parseLong(text.trim());
        }
        catch (final NumberFormatException ex)
        {
            return otherwise;
        }
    }

    private List<String> lines(final String file)
    {
        return readLines(root.resolve(file));
    }

    private String first(final String file)
    {
        final List<String> lines = lines(file);
        return lines.isEmpty() ? "" : lines.get(0).trim();
    }

    private static List<String> readLines(final Path file)
    {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8))
        {
            return lines.collect(Collectors.toList());
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return List.of();
        }
    }

    private static String orNotKnown(final String text)
    {
        return text.isBlank() ? NOT_KNOWN : text;
    }
}
