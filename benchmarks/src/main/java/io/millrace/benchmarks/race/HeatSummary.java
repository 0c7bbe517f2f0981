package io.millrace.benchmarks.race;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.millrace.benchmarks.rate.HiccupRound;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.Verdict;

/**
 * The rounds of one heat and what they say. Rounds of the same turn, run one after the other, make pairs. One thread.
 */
public final class HeatSummary
{
    /** Of nine pairs, so many won put a contender ahead. */
    private static final double AHEAD_WINS = 8.0 / 9.0;

    private final Heat heat;
    private final Map<String, List<RaceResult>> rounds = new LinkedHashMap<>();
    private final List<HiccupRound> hiccups = new ArrayList<>();

    /**
     * A heat without rounds.
     *
     * @param heat which one.
     */
    public HeatSummary(final Heat heat)
    {
        this.heat = heat;
        heat.contenders().forEach(name -> rounds.put(name, new ArrayList<>()));
    }

    /**
     * Two contenders, turn by turn.
     *
     * @param ratio median of the ratios of their figures.
     * @param wins  turns in which the first one was better.
     * @param pairs turns that count: those in which both rounds do.
     * @param ahead whether the first one's median beats the other's best round, or it won 8 of 9 turns.
     */
    public record Pairing(double ratio, int wins, int pairs, boolean ahead)
    {
    }

    /**
     * Add a round.
     *
     * @param contender whose.
     * @param round     the next turn's.
     */
    public void add(final String contender, final RaceResult round)
    {
        rounds.get(contender).add(round);
    }

    /**
     * Add a reading of the host's hiccups.
     *
     * @param round the next turn's.
     */
    public void add(final HiccupRound round)
    {
        hiccups.add(round);
    }

    /**
     * Which heat.
     *
     * @return the heat.
     */
    public Heat heat()
    {
        return heat;
    }

    /**
     * All rounds of a contender.
     *
     * @param contender its name.
     * @return in the order of the turns.
     */
    public List<RaceResult> rounds(final String contender)
    {
        return rounds.get(contender);
    }

    /**
     * Why a contender's rounds are no result.
     *
     * @param contender its name.
     * @return the reason; empty when they are one.
     */
    public String invalid(final String contender)
    {
        final List<RaceResult> all = rounds.get(contender);
        final int needed = Verdict.needed(all.size());
        return clean(contender) >= needed ? "" :
            clean(contender) + " of " + all.size() + " rounds are clean, " + needed + " are needed";
    }

    private long clean(final String contender)
    {
        return rounds.get(contender).stream().filter(RaceResult::isClean).count();
    }

    /**
     * Whether all contenders have a result.
     *
     * @return false when the heat deserves to be run again.
     */
    public boolean valid()
    {
        return rounds.keySet().stream().allMatch(name -> invalid(name).isEmpty());
    }

    /**
     * Rounds that were clean, over all contenders.
     *
     * @return a count: of two runs, the one with more is the better.
     */
    public long clean()
    {
        return rounds.keySet().stream().mapToLong(this::clean).sum();
    }

    /**
     * A contender's standing in a word, and how many of its rounds count.
     *
     * @param contender its name.
     * @return {@code ok 9/9}, {@code INVALID 3/9}, {@code LOOK 2/2} for few rounds, {@code SATURATED 9/9} where less
     *         than 99 % of a rate was achieved.
     */
    public String status(final String contender)
    {
        final int all = rounds.get(contender).size();
        final String word = !invalid(contender).isEmpty() ? "INVALID" : all < ReportOptions.FULL_ROUNDS ? "LOOK" :
            isSaturated(contender) ? "SATURATED" : "ok";
        return word + " " + clean(contender) + "/" + all;
    }

    private boolean isSaturated(final String contender)
    {
        return heat.discipline() == Discipline.ONE_WAY &&
            median(contender, RaceResult::eventsPerSecond) < Verdict.MIN_ACHIEVED * heat.perSecond();
    }

    private boolean counts(final String contender, final int turn)
    {
        return !invalid(contender).isEmpty() || rounds.get(contender).get(turn).isClean();
    }

    /**
     * The rounds of a contender that count.
     *
     * @param contender its name.
     * @return the clean ones, or all when it has no result.
     */
    public List<RaceResult> kept(final String contender)
    {
        return invalid(contender).isEmpty() ?
            rounds.get(contender).stream().filter(RaceResult::isClean).toList() : rounds.get(contender);
    }

    /**
     * Median over the rounds that count.
     *
     * @param contender its name.
     * @param value     of a round.
     * @return the median; not a number when there is none.
     */
    public double median(final String contender, final ToDoubleFunction<RaceResult> value)
    {
        return Quantile.median(kept(contender).stream().mapToDouble(value).toArray());
    }

    /**
     * A contender's figure.
     *
     * @param contender its name.
     * @return median over the rounds that count.
     */
    public double figure(final String contender)
    {
        return median(contender, this::figure);
    }

    private double figure(final RaceResult round)
    {
        return round.figure(heat.discipline());
    }

    /**
     * The best round of a contender.
     *
     * @param contender its name.
     * @return its figure; not a number when there is none.
     */
    public double best(final String contender)
    {
        double best = Double.NaN;
        for (final RaceResult round : kept(contender))
        {
            if (Double.isNaN(best) || isBetter(figure(round), best))
            {
                best = figure(round);
            }
        }
        return best;
    }

    private boolean isBetter(final double one, final double other)
    {
        return heat.discipline().moreIsBetter() ? one > other : one < other;
    }

    /**
     * Hold two contenders against each other.
     *
     * @param one   the first: its figure is the ratio's upper part.
     * @param other the second.
     * @return what the turns say.
     */
    public Pairing pairing(final String one, final String other)
    {
        final List<Double> ratios = new ArrayList<>();
        int wins = 0;
        final int turns = Math.min(rounds.get(one).size(), rounds.get(other).size());
        for (int turn = 0; turn < turns; turn++)
        {
            if (counts(one, turn) && counts(other, turn))
            {
                final double ours = figure(rounds.get(one).get(turn));
                final double theirs = figure(rounds.get(other).get(turn));
                ratios.add(ours / theirs);
                wins += isBetter(ours, theirs) ? 1 : 0;
            }
        }
        final int pairs = ratios.size();
        final boolean ahead = pairs > 0 && (isBetter(figure(one), best(other)) || wins >= AHEAD_WINS * pairs);
        return new Pairing(
            Quantile.median(ratios.stream().mapToDouble(ratio -> ratio).toArray()), wins, pairs, ahead);
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
        for (final String rival : heat.rivals())
        {
            if (rival.endsWith(Heat.BATCH) == batch && (best == null || isBetter(figure(rival), figure(best))))
            {
                best = rival;
            }
        }
        return best;
    }

    /**
     * The host's hiccups beside this heat.
     *
     * @param percentile 0 to 100.
     * @return median over the clean readings, in nanoseconds; over all readings where none is clean; not a number where
     *         there are none.
     */
    public double hiccup(final double percentile)
    {
        final List<HiccupRound> clean = hiccups.stream().filter(HiccupRound::isClean).toList();
        return Quantile.median((clean.isEmpty() ? hiccups : clean).stream()
            .mapToDouble(round -> Quantile.of(round.hiccups(), percentile)).toArray());
    }
}
