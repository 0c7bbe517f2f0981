package io.millrace.benchmarks.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.RoundResult;
import io.millrace.benchmarks.rate.Verdict;

/**
 * The rounds of one exchange in one set-up, flat out, and which of them count.
 */
final class ThroughputSummary
{
    private final ExchangeSetup setup;
    private final String name;
    private final List<ExchangeRound> rounds;
    private final List<ExchangeRound> kept = new ArrayList<>();
    private final Verdict verdict;

    /**
     * @param rounds at least one.
     * @param plan   of the report, for the verdict.
     */
    ThroughputSummary(
        final ExchangeSetup setup,
        final String name,
        final List<ExchangeRound> rounds,
        final RoundPlan plan,
        final int cores)
    {
        this.setup = setup;
        this.name = name;
        this.rounds = List.copyOf(rounds);
        // No rate: nothing falls short of it.
        final List<RoundResult> results =
            rounds.stream().map(round -> ExchangeJudge.result(round, plan.at(0, plan.roundMs()))).toList();
        verdict = Verdict.of(results, cores);
        for (int i = 0; i < results.size(); i++)
        {
            if (verdict.kept().contains(results.get(i)))
            {
                kept.add(rounds.get(i));
            }
        }
    }

    ExchangeSetup setup()
    {
        return setup;
    }

    String name()
    {
        return name;
    }

    List<ExchangeRound> rounds()
    {
        return rounds;
    }

    boolean counts(final ExchangeRound round)
    {
        return kept.contains(round);
    }

    String status()
    {
        return verdict.valid() ? (verdict.isLook() ? "LOOK " : "ok ") + verdict.clean() + "/" + verdict.rounds() :
            verdict.status();
    }

    /** Why it is no result; empty when it is one. */
    String invalid()
    {
        return verdict.invalid();
    }

    double[] sorted(final ToDoubleFunction<ExchangeRound> what)
    {
        return kept.stream().mapToDouble(what).sorted().toArray();
    }

    double median(final ToDoubleFunction<ExchangeRound> what)
    {
        return Quantile.median(sorted(what));
    }

    /** This to another, round by round: each pair ran back to back. Not a number when no pair counts. */
    double speedTo(final ThroughputSummary other)
    {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++)
        {
            if (counts(rounds.get(i)) && other.counts(other.rounds.get(i)))
            {
                ratios.add(rounds.get(i).achievedPerSecond() / other.rounds.get(i).achievedPerSecond());
            }
        }
        return Quantile.median(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
