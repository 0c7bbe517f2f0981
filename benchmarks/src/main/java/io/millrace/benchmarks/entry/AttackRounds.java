package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * From order to answer of eight clients, in turn without an attacker, with one, and with one that attacks an {@link
 * OtherServer}: what an attack costs the others, and how much of it the exchange. Limits of the exchange are the
 * defaults.
 */
final class AttackRounds
{
    private static final int CLIENTS = 8;
    private static final long PER_SECOND = 10_000;
    private static final long WARM_UP_RATE = 100_000;

    private static final int LEAD_PART = 10;

    private final Path folder;
    private final int rounds;
    private final long roundNs;

    AttackRounds(final Path folder, final int rounds, final long roundNs)
    {
        this.folder = folder;
        this.rounds = rounds;
        this.roundNs = roundNs;
    }

    List<String> run() throws IOException
    {
        final TextTable table = new TextTable(1, CLIENTS + " clients, " + PER_SECOND + "/s, beside", "a second",
            "p50", "p90", "p99", "p50 with", "p90 with", "p99 with", "p90 ratio", "aim", "p99 ratio",
            "elsewhere: p90", "ratio");
        for (final Attack attack : Attack.values())
        {
            final SessionContext sessions = new SessionContext().client(Attack.ACCOUNT);
            try (OrderPath path = new OrderPath(attack.label, EntryMeasurement.fresh(folder), Durability.OS_CACHE, 1,
                CLIENTS, sessions); OtherServer other = new OtherServer())
            {
                path.round(WARM_UP_RATE, roundNs, newHistogram());
                measure(attack, path, other, table);
            }
        }
        return table.lines();
    }

    private static Histogram newHistogram()
    {
        return new Histogram(EntryMeasurement.MAX_NS, 3);
    }

    private void measure(final Attack attack, final OrderPath path, final OtherServer other, final TextTable table)
        throws IOException
    {
        // Attacked in turn: nobody, the exchange, and the other server if the attacker does the same there.
        final int port = path.exchange.port();
        final int[] ports = attack.connects ? new int[] {0, port, other.port()} : new int[] {0, port};
        final Histogram[] all = {newHistogram(), newHistogram(), newHistogram()};
        final double[][] p90 = new double[all.length][rounds];
        final double[][] p99 = new double[all.length][rounds];
        long counted = 0;
        for (int round = -1; round < rounds; round++)
        {
            for (int with = 0; with < ports.length; with++)
            {
                final Histogram one = newHistogram();
                final long before = path.exchange.server().counters().value(attack.counter);
                final long elsewhere = other.accepted();
                round(path, attack, ports[with], one);
                if (round >= 0)
                {
                    final long arrived = path.exchange.server().counters().value(attack.counter) - before;
                    check(attack, path, with == 2 ? other.accepted() - elsewhere : arrived, with > 0);
                    counted += with == 1 ? arrived : 0;
                    all[with].add(one);
                    p90[with][round] = one.getValueAtPercentile(90);
                    p99[with][round] = one.getValueAtPercentile(99);
                }
            }
        }
        final double attacked = rounds * roundNs * (1 + 1.0 / LEAD_PART) / 1e9;
        table.add(attack.label, Figure.rate(counted / attacked),
            Quantile.text(all[0], 50), Quantile.text(all[0], 90), Quantile.text(all[0], 99),
            Quantile.text(all[1], 50), Quantile.text(all[1], 90), Quantile.text(all[1], 99),
            Figure.two(EntryMeasurement.ratio(p90[1], p90[0])), "2.00",
            Figure.two(EntryMeasurement.ratio(p99[1], p99[0])),
            attack.connects ? Quantile.text(all[2], 90) : "-",
            attack.connects ? Figure.two(EntryMeasurement.ratio(p90[2], p90[0])) : "-");
    }

    /** @param port that is attacked; 0 for no attack. */
    private void round(final OrderPath path, final Attack attack, final int port, final Histogram into)
        throws IOException
    {
        if (port == 0)
        {
            path.round(PER_SECOND, roundNs, into);
            return;
        }
        try (Attack.Attacker attacker = new Attack.Attacker(attack, port))
        {
            attacker.start();
            path.round(PER_SECOND, roundNs / LEAD_PART, newHistogram());
            path.round(PER_SECOND, roundNs, into);
        }
    }

    private static void check(final Attack attack, final OrderPath path, final long arrived, final boolean with)
    {
        if (with && arrived == 0 || path.exchange.server().failure() != null)
        {
            throw new WrongAnswerException(attack.label + ": " + arrived + " have arrived, the exchange's failure is " +
                path.exchange.server().failure());
        }
    }
}
