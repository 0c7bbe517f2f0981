package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Series;
import org.HdrHistogram.Histogram;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A contender with its rounds. The figures are of those that count, see {@link Series}. */
final class CallContender
{
    private static final double P50 = 50;
    private static final int DIGITS = 3;
    private static final double NEAR_NS = 250;
    private static final double NEAR_CALLS = 10e6;
    private static final double FAR_CALLS_A_TRIP = 2.5;

    final CallKind kind;
    final int threads;
    final Series<CallRound> rounds = new Series<>(round -> Readings.isClean(round.steal()));

    CallContender(final CallKind kind, final int threads)
    {
        this.kind = kind;
        this.threads = threads;
    }

    void add(final CallRound round)
    {
        rounds.add(round);
    }

    Histogram all()
    {
        final Histogram all = new Histogram(DIGITS);
        rounds.kept().forEach(round -> all.add(round.roundTrip()));
        return all;
    }

    String title()
    {
        return kind.title + (kind.isExchange() ? ", " + threads + (threads == 1 ? " thread" : " threads") : "");
    }

    String fileName()
    {
        return "roundtrip_" + kind.name().toLowerCase(Locale.ROOT) + "_" + threads + ".hgrm";
    }

    private double median(final ToDoubleFunction<CallRound> value)
    {
        return rounds.median(value);
    }

    double perSecond()
    {
        return median(CallRound::perSecond);
    }

    double percentile(final double percentile)
    {
        return median(round -> Quantile.of(round.roundTrip(), percentile));
    }

    /** Median over the rounds of the p50 divided by that of another contender in the same round. */
    double p50To(final CallContender other)
    {
        return rounds.ratioTo(other.rounds, CallContender::p50);
    }

    private static double p50(final CallRound round)
    {
        return round.roundTrip().getValueAtPercentile(P50);
    }

    /** Median over the rounds of the calls per second divided by those that are asked for with such a bare line. */
    double rateTo(final CallContender line)
    {
        return Quantile.median(rounds.pairs(line.rounds, (round, bare) ->
            round.perSecond() / (p50(bare) <= NEAR_NS ? NEAR_CALLS : FAR_CALLS_A_TRIP * 1e9 / p50(bare))));
    }

    double leastToMost()
    {
        return median(round -> (double)round.least() / Math.max(1, round.most()));
    }

    long wrong()
    {
        return rounds.rounds().stream().mapToLong(CallRound::wrong).sum();
    }

    long calls()
    {
        return rounds.rounds().stream().mapToLong(CallRound::calls).sum();
    }
}
