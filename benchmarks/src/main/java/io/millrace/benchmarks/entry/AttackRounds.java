package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * From order to answer of eight clients, in turn without an attacker, with one, and with one that attacks an {@link
 * OtherServer}: what an attack costs the others, and how much of it the exchange. Limits of the exchange are the
 * defaults.
 */
record AttackRounds(Path folder, int rounds, long roundNs)
{
    private static final int CLIENTS = 8;
    private static final long PER_SECOND = 10_000;
    private static final long WARM_UP_RATE = 100_000;

    private static final int LEAD_PART = 10;

    List<String> run() throws IOException
    {
        final TextTable table = new TextTable(1, CLIENTS + " clients, " + PER_SECOND + "/s, beside", "a second",
            "p50", "p90", "p99", "p50 with", "p90 with", "p99 with", "p90 ratio", "aim", "p99 ratio",
            "elsewhere: p90", "ratio", "status without", "with");
        for (final Attack attack : Attack.values())
        {
            final SessionContext sessions = new SessionContext().client(Attack.ACCOUNT);
            try (OrderPath path = new OrderPath(attack.label, EntryMeasurement.fresh(folder), Durability.OS_CACHE, 1,
                CLIENTS, sessions); OtherServer other = new OtherServer())
            {
                path.round(WARM_UP_RATE, roundNs);
                measure(attack, path, other, table);
            }
        }
        return table.lines();
    }

    private void measure(final Attack attack, final OrderPath path, final OtherServer other, final TextTable table)
        throws IOException
    {
        // Attacked in turn: nobody, the exchange, and the other server if the attacker does the same there.
        final int port = path.exchange.port();
        final int[] ports = attack.connects ? new int[] {0, port, other.port()} : new int[] {0, port};
        final List<Series<EntryRound>> all = List.of(series(), series(), series());
        long counted = 0;
        for (int round = -1; round < rounds; round++)
        {
            for (int with = 0; with < ports.length; with++)
            {
                final long before = path.exchange.server().counters().value(attack.counter);
                final long elsewhere = other.accepted();
                final EntryRound one = round(path, attack, ports[with]);
                if (round >= 0)
                {
                    final long arrived = path.exchange.server().counters().value(attack.counter) - before;
                    check(attack, path, with == 2 ? other.accepted() - elsewhere : arrived, with > 0);
                    counted += with == 1 ? arrived : 0;
                    all.get(with).add(one);
                }
            }
        }
        final Histogram none = all.get(0).merged(EntryRound::latencies);
        final Histogram attacked = all.get(1).merged(EntryRound::latencies);
        table.add(attack.label, Figure.rate(counted / (rounds * roundNs * (1 + 1.0 / LEAD_PART) / 1e9)),
            Quantile.text(none, 50), Quantile.text(none, 90), Quantile.text(none, 99),
            Quantile.text(attacked, 50), Quantile.text(attacked, 90), Quantile.text(attacked, 99),
            ratio(all, 1, 90), "2.00", ratio(all, 1, 99),
            attack.connects ? Quantile.text(all.get(2).merged(EntryRound::latencies), 90) : "-",
            attack.connects ? ratio(all, 2, 90) : "-", all.get(0).status(), all.get(1).status());
    }

    private static Series<EntryRound> series()
    {
        return EntryRound.series().asked(PER_SECOND, EntryRound::answersPerSecond);
    }

    private static String ratio(final List<Series<EntryRound>> all, final int with, final double percentile)
    {
        // What was not sent has no time.
        return all.get(with).isSaturated() || all.get(0).isSaturated() ? "-" :
            Figure.two(all.get(with).ratioTo(all.get(0), round -> round.ns(percentile)));
    }

    /** @param port that is attacked; 0 for no attack. */
    private EntryRound round(final OrderPath path, final Attack attack, final int port) throws IOException
    {
        if (port == 0)
        {
            return path.round(PER_SECOND, roundNs);
        }
        try (Attack.Attacker attacker = new Attack.Attacker(attack, port))
        {
            attacker.start();
            path.round(PER_SECOND, roundNs / LEAD_PART);
            return path.round(PER_SECOND, roundNs);
        }
    }

    private void check(final Attack attack, final OrderPath path, final long arrived, final boolean with)
        throws IOException
    {
        if (path.exchange.server().failure() != null)
        {
            throw new WrongAnswerException(attack.label + ": the exchange failed: " + path.exchange.server().failure());
        }
        if (with && arrived == 0)
        {
            throw new IOException(attack.label + ": nothing of it arrived in a round of " +
                TimeUnit.NANOSECONDS.toMillis(roundNs) + " ms, which is too short on this host");
        }
    }
}
