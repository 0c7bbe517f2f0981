package io.millrace.benchmarks.rate;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run was: host, JVM, settings, floors. The same lines go on top of every file. One thread.
 */
public final class RunHeader
{
    private final ReportOptions options;
    private final HostFiles host;
    private final List<String> inputLines;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String loadBefore;
    private String placement = "not known";
    private double clockNs = Double.NaN;
    private double lineNs = Double.NaN;

    /**
     * At the start of a run.
     *
     * @param options    the settings.
     * @param inputLines the input, lines of {@code name: value}.
     * @param host       where to read the host.
     */
    public RunHeader(final ReportOptions options, final List<String> inputLines, final HostFiles host)
    {
        this.options = options;
        this.host = host;
        this.inputLines = List.copyOf(inputLines);
        loadBefore = host.loadAverage();
    }

    /**
     * Set the floors of the host.
     *
     * @param newClockNs cost of a clock reading.
     * @param newLineNs  a cache line's round trip.
     */
    public void floors(final double newClockNs, final double newLineNs)
    {
        clockNs = newClockNs;
        lineNs = newLineNs;
    }

    /**
     * Set where the threads ran.
     *
     * @param newPlacement as a round reported it.
     */
    public void placement(final String newPlacement)
    {
        placement = newPlacement;
    }

    /**
     * The host in one line.
     *
     * @return processor, CPUs, system, JDK.
     */
    public String hostLine()
    {
        return hostLine(host);
    }

    /**
     * A host in one line.
     *
     * @param host where to read it.
     * @return processor, CPUs, system, JDK.
     */
    public static String hostLine(final HostFiles host)
    {
        return host.cpuModel() + ", " + host.onlineCpus() + " CPUs, " + System.getProperty("os.name") + " " +
            System.getProperty("os.version") + ", JDK " + System.getProperty("java.version");
    }

    /**
     * The run in one line.
     *
     * @return when, where the threads ran, how long.
     */
    public String runLine()
    {
        return started + "; " + placement + "; ring " + options.capacity() + ", handler " + options.handler() + ", " +
            options.rounds() + " rounds of " + options.roundMs() + " ms";
    }

    /**
     * The input.
     *
     * @return lines of {@code name: value}.
     */
    public List<String> inputLines()
    {
        return inputLines;
    }

    /**
     * The floors in one line.
     *
     * @return cache line and clock.
     */
    public String floorLine()
    {
        return "cache line to the other core and back " + Quantile.text(lineNs) + " (p50), clock reading " +
            String.format(Locale.ROOT, "%.1f ns", clockNs);
    }

    /**
     * All that is known.
     *
     * @return lines of {@code name: value}.
     */
    public List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add("Millrace message-rate report of " + started);
        lines.add("host: " + hostLine());
        lines.add(processorLine(host));
        lines.add("pinning: " + placement + siblings());
        lines.add(jdkLine());
        lines.add("JVM flags of every contender: " + String.join(" ", ContenderProcess.flags()));
        lines.add("GC: Serial (contenders)");
        lines.add(gitLine());
        lines.add("load average before: " + loadBefore + "; now: " + host.loadAverage());
        lines.add("host floors: " + floorLine());
        lines.addAll(inputLines);
        lines.add("handler: " + options.handler() + "; ring capacity: " + options.capacity() + "; rounds: " +
            options.rounds() + " of " + options.roundMs() + " ms, all paths in turns");
        return lines;
    }

    /**
     * What the measured threads could run on.
     *
     * @param host where to read it.
     * @return a line of {@code name: value}.
     */
    public static String processorLine(final HostFiles host)
    {
        return "processor: " + host.cpuModel() + "; " + host.onlineCpus() + " CPUs online, this process may use " +
            Pinning.allowed() + "; isolated CPUs: " + host.isolatedCpus() + "; governor: " + host.governor();
    }

    /**
     * The JVM of this process and of its children.
     *
     * @return a line of {@code name: value}.
     */
    public static String jdkLine()
    {
        return "JDK: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", " +
            System.getProperty("java.vendor");
    }

    /**
     * The commit that was measured.
     *
     * @return a line of {@code name: value}.
     */
    public static String gitLine()
    {
        return "git: " + GitId.of(Path.of(""));
    }

    private String siblings()
    {
        return options.sourceCpu() == Pinning.NONE ? "" : "; CPUs on the source's core: " +
            host.siblings(options.sourceCpu()) + ", on the handler's: " + host.siblings(options.handlerCpu());
    }
}
