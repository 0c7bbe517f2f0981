package io.millrace.benchmarks.exchange;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.RunHeader;
import io.millrace.benchmarks.rate.WireLine;

/**
 * What a run was: host, JVMs, settings, floors. The same lines go on top of every file. One thread.
 */
final class ExchangeHeader
{
    private final String title;
    private final ExchangeOptions options;
    private final HostFiles host;
    private final ExchangeRival rival;
    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final String loadBefore;
    private String placement = "not known";
    private String floors = "not measured";

    /**
     * @param rival null when there is none.
     */
    ExchangeHeader(
        final String title, final ExchangeOptions options, final HostFiles host, final ExchangeRival rival)
    {
        this.title = title;
        this.options = options;
        this.host = host;
        this.rival = rival;
        loadBefore = host.loadAverage();
    }

    /** As our rounds report it. */
    void placement(final String newPlacement)
    {
        placement = newPlacement;
    }

    /** Take the answer to the question for the host's floors, and say it. */
    String floors(final WireLine answer)
    {
        floors = "cache line to the other core and back " + Quantile.text(answer.fraction("lineNs")) +
            " (p50), clock reading " + String.format(Locale.ROOT, "%.1f ns", answer.fraction("clockNs"));
        return floors;
    }

    /** The host in one line. */
    String hostLine()
    {
        return RunHeader.hostLine(host);
    }

    /** The run in one line. */
    String runLine()
    {
        return started + "; " + placement + "; set-up " +
            options.setups().stream().map(ExchangeSetup::label).collect(Collectors.joining(", "));
    }

    /** All that is known: lines of name and value. */
    List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add(title + " of " + started);
        lines.add("host: " + hostLine());
        lines.add(RunHeader.processorLine(host));
        lines.add("pinning: " + placement);
        lines.add(RunHeader.jdkLine());
        options.setups().forEach(setup -> lines.add("JVM of " + ExchangeContender.OURS + " for " + setup.label() +
            ": " + ExchangeContender.flagLine(setup)));
        lines.addAll(rival == null ? List.of(ExchangeContender.RIVAL + ": not in this build") : rival.lines());
        lines.add(RunHeader.gitLine());
        lines.add("load average before: " + loadBefore + "; now: " + host.loadAverage());
        lines.add("host floors: " + floors);
        options.setups().forEach(setup -> lines.add(String.format(Locale.ROOT, "set-up %s: %,d symbol%s, %,d " +
            "accounts of %,d users in %d currencies, %,d orders placed first, %,d commands, ring %,d", setup.label(),
            setup.symbols(), setup.symbols() == 1 ? "" : "s", setup.accounts(), setup.users(), setup.currencies(),
            setup.resting(), options.commands(setup), setup.ring())));
        lines.add("journal: none, so no set-up is run a second time with it");
        return lines;
    }
}
