package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes a run: report, host, JVM, CPUs of the threads, baselines, settings. Every file of a report begins with
 * these lines. One thread.
 */
public final class RunHeader
{
    private static final String HOST_BASELINES = "host baselines: ";

    private final String title;
    private final HostFiles host;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String loadBefore;
    private final List<String> flagLines = new ArrayList<>();
    private final List<String> details = new ArrayList<>();
    private String placement = "not known";
    private String cores = "";
    private final List<HostBaseline> baselines = new ArrayList<>();

    /**
     * At the start of a run.
     *
     * @param title of the report.
     */
    public RunHeader(final String title)
    {
        this(title, HostFiles.HERE);
    }

    /**
     * For a test.
     *
     * @param title of the report.
     * @param host  where to read the host.
     */
    public RunHeader(final String title, final HostFiles host)
    {
        this.title = title;
        this.host = host;
        loadBefore = host.loadAverage();
    }

    /**
     * Name the CPUs that share a core with the measured ones.
     *
     * @param sourceCpu  CPU of the sending thread, or {@link Pinning#NONE}.
     * @param handlerCpu CPU of the handling thread.
     * @return this.
     */
    public RunHeader cpus(final int sourceCpu, final int handlerCpu)
    {
        cores = sourceCpu == Pinning.NONE ? "" : "; CPUs on the source's core: " + host.siblings(sourceCpu) +
            ", on the handler's: " + host.siblings(handlerCpu);
        return this;
    }

    /**
     * Say how the measured JVMs were started.
     *
     * @param who   whose flags these are.
     * @param flags the flags.
     * @return this.
     */
    public RunHeader flags(final String who, final List<String> flags)
    {
        flagLines.add("JVM flags of " + who + ": " + String.join(" ", flags));
        return this;
    }

    /**
     * Add lines that only this report has; they come last.
     *
     * @param lines of {@code name: value}.
     * @return this.
     */
    public RunHeader add(final List<String> lines)
    {
        details.addAll(lines);
        return this;
    }

    /**
     * Add a line that only this report has.
     *
     * @param line of {@code name: value}.
     * @return this.
     */
    public RunHeader add(final String line)
    {
        details.add(line);
        return this;
    }

    /**
     * Says that a run of few rounds is a preview, in a report whose tables do not.
     *
     * @param rounds of each contender.
     * @return this.
     */
    public RunHeader rounds(final int rounds)
    {
        return rounds >= Series.FULL_ROUNDS ? this : add("PREVIEW: fewer than " + Series.FULL_ROUNDS +
            " rounds (" + rounds + "), not figures to quote");
    }

    /**
     * Measure the baselines of the host: before the rounds, between groups of them and at the end, because a host may
     * move its CPUs nearer to each other or further apart.
     *
     * @param meter measures them.
     * @return the line that says it.
     * @throws IOException when its process fails.
     */
    public String baseline(final HostMeter meter) throws IOException
    {
        return add(meter.baseline());
    }

    /**
     * Add measured baselines of the host.
     *
     * @param baseline the latest.
     * @return the line that says it.
     */
    public String add(final HostBaseline baseline)
    {
        baselines.add(baseline);
        return HOST_BASELINES + baseline;
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
        return host.cpuModel() + ", " + host.onlineCpus() + " CPUs, " + System.getProperty("os.name") + " " +
            System.getProperty("os.version") + ", JDK " + System.getProperty("java.version");
    }

    /**
     * The lines under the title of a picture.
     *
     * @param run description of the rounds.
     * @return the host, and the run in one line.
     */
    public List<String> subtitles(final String run)
    {
        return List.of(hostLine(), started + "; " + placement + "; " + run);
    }

    /**
     * Print the first lines, before anything is measured: the title, the host, and how long it takes.
     *
     * @param out     for people.
     * @param seconds how long the run takes, about.
     */
    public void begin(final PrintStream out, final double seconds)
    {
        out.println(title + " of " + started);
        out.println("host: " + hostLine());
        out.println("takes about " + (seconds < 100 ? Math.round(seconds / 10 + 0.5) * 10 + " s" :
            Math.round(seconds / 60 + 0.5) + " min"));
    }

    /**
     * All that is known.
     *
     * @return lines of {@code name: value}.
     */
    public List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add(title + " of " + started);
        lines.add("host: " + hostLine());
        lines.add("processor: " + host.cpuModel() + "; " + host.onlineCpus() + " CPUs online, this process may use " +
            Pinning.allowed() + "; isolated CPUs: " + host.isolatedCpus() + "; governor: " + host.governor());
        lines.add("pinning: " + placement + cores);
        lines.add("JDK: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", " +
            System.getProperty("java.vendor"));
        lines.addAll(flagLines);
        lines.add("git: " + GitId.of(Path.of("")));
        lines.add("load average before: " + loadBefore + "; now: " + host.loadAverage());
        if (!baselines.isEmpty())
        {
            lines.add(HOST_BASELINES + HostBaseline.text(baselines));
        }
        lines.addAll(details);
        return lines;
    }
}
