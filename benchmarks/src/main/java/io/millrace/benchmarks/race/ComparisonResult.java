package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.HiccupRound;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Repeats;
import io.millrace.benchmarks.harness.Series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rounds of one comparison and what they say. Rounds of one number, run one after the other, make pairs. One
 * thread.
 */
public final class ComparisonResult implements Repeats.Attempt
{
    /** Of nine pairs, so many won put a contender ahead. */
    private static final double AHEAD_WINS = 8.0 / 9.0;

    private final Comparison comparison;
    private final Map<String, Series<RaceResult>> rounds = new LinkedHashMap<>();
    private final List<HiccupRound> hiccups = new ArrayList<>();

    /**
     * A comparison without rounds.
     *
     * @param comparison which one.
     */
    public ComparisonResult(final Comparison comparison)
    {
        this.comparison = comparison;
        for (final String name : comparison.contenders())
        {
            final Series<RaceResult> series = new Series<>(RaceResult::isClean);
            rounds.put(name, comparison.discipline() == Discipline.ONE_WAY ?
                series.asked(comparison.perSecond(), RaceResult::eventsPerSecond) : series);
        }
    }

    /**
     * Two contenders, round by round.
     *
     * @param ratio median of the ratios of their figures.
     * @param wins  pairs in which the first one was better.
     * @param pairs that count: those in which both rounds do.
     * @param ahead whether the first one's median beats the other's best round, or it won 8 of 9 pairs.
     */
    public record Pairing(double ratio, int wins, int pairs, boolean ahead)
    {
    }

    /**
     * Add a round.
     *
     * @param contender whose.
     * @param round     its next one.
     */
    public void add(final String contender, final RaceResult round)
    {
        rounds.get(contender).add(round);
    }

    /**
     * Add a reading of the host's hiccups.
     *
     * @param round the next one.
     */
    public void add(final HiccupRound round)
    {
        hiccups.add(round);
    }

    /** The comparison. */
    public Comparison comparison()
    {
        return comparison;
    }

    /**
     * The rounds of a contender, and which count.
     *
     * @param contender its name.
     * @return the series.
     */
    public Series<RaceResult> rounds(final String contender)
    {
        return rounds.get(contender);
    }

    @Override
    public String invalid()
    {
        return rounds.entrySet().stream().filter(entry -> !entry.getValue().isValid()).findFirst()
            .map(entry -> entry.getKey() + ": " + entry.getValue().invalid()).orElse("");
    }

    @Override
    public int clean()
    {
        return rounds.values().stream().mapToInt(Series::clean).sum();
    }

    @Override
    public String hopeless()
    {
        return rounds.values().stream().allMatch(Series::isPreview) ? "it is a preview" : "";
    }

    /**
     * A contender's figure.
     *
     * @param contender its name.
     * @return median over the rounds that count.
     */
    public double figure(final String contender)
    {
        return rounds(contender).median(this::figure);
    }

    private double figure(final RaceResult round)
    {
        return round.figure(comparison.discipline());
    }

    /**
     * The best round of a contender.
     *
     * @param contender its name.
     * @return its figure; not a number when there is none.
     */
    public double best(final String contender)
    {
        final double[] known = Arrays.stream(rounds(contender).sorted(this::figure))
            .filter(figure -> !Double.isNaN(figure)).toArray();
        return known.length == 0 ? Double.NaN :
            comparison.discipline().moreIsBetter ? known[known.length - 1] : known[0];
    }

    private boolean isBetter(final double one, final double other)
    {
        return comparison.discipline().moreIsBetter ? one > other : one < other;
    }

    /**
     * Compare two contenders.
     *
     * @param one   the first: its figure is the ratio's upper part.
     * @param other the second.
     * @return the result of the pairs.
     */
    public Pairing pairing(final String one, final String other)
    {
        final double[] ratios =
            rounds(one).pairs(rounds(other), (ours, theirs) -> figure(ours) / figure(theirs));
        final int wins = (int)Arrays.stream(ratios).filter(ratio -> isBetter(ratio, 1)).count();
        final boolean ahead = ratios.length > 0 &&
            (isBetter(figure(one), best(other)) || wins >= AHEAD_WINS * ratios.length);
        return new Pairing(Quantile.median(ratios), wins, ratios.length, ahead);
    }

    /**
     * The rival with the best figure.
     *
     * @param batch among those that publish in batches, or among those that publish singly.
     * @return its name; null when there is none.
     */
    public String bestRival(final boolean batch)
    {
        String best = null;
        for (final String rival : comparison.rivals())
        {
            if (rival.endsWith(Comparison.BATCH) == batch && (best == null || isBetter(figure(rival), figure(best))))
            {
                best = rival;
            }
        }
        return best;
    }

    /**
     * The host's hiccups between the rounds of this comparison.
     *
     * @param percentile 0 to 100.
     * @return median over the clean readings, in nanoseconds; over all readings where none is clean; not a number where
     *         there are none.
     */
    public double hiccup(final double percentile)
    {
        return Quantile.median(HiccupRound.kept(hiccups).stream()
            .mapToDouble(round -> Quantile.of(round.hiccups(), percentile)).toArray());
    }
}
