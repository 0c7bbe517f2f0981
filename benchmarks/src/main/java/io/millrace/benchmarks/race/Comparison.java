package io.millrace.benchmarks.race;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One table of the race: a discipline and who takes part.
 *
 * @param name       of its file.
 * @param group      the name that selects it, one of {@link #GROUPS}.
 * @param title      for people.
 * @param discipline the measured figure.
 * @param perSecond  events a second that an open loop asks for; 0 where nothing is asked.
 * @param ours       our contenders, the one that all are compared with first.
 * @param rivals     the others.
 * @param baselines  lower bounds, not rivals: no pool, no policy, no interface.
 */
public record Comparison(
    String name,
    String group,
    String title,
    Discipline discipline,
    long perSecond,
    List<String> ours,
    List<String> rivals,
    List<String> baselines)
{
    /**
     * The groups that a user can select.
     */
    public static final List<String> GROUPS = List.of("throughput", "roundtrip", "oneway", "server", "publishers");

    /**
     * Ends the name of a contender that publishes several events at once.
     */
    public static final String BATCH = "Batch32";

    private static final String ONE_WAY = "One way at %,d events a second";
    private static final long SLOW = 100_000;
    private static final long FAST = 1_000_000;

    private static final List<String> PIPELINES = List.of("ring", "spscRingPool", "disruptorRingPool");
    private static final List<String> RIVALS =
        List.of("lmax", "agrona", "agronaRing", "jctools", "aeron", "arrayBlocking");
    private static final List<String> BASELINE = List.of("baselineSequence");
    private static final List<String> BASELINES = List.of("baseline", "baselineSequence");

    /** All comparisons, in the order in which they are run. */
    public static List<Comparison> all()
    {
        return List.of(
            new Comparison("throughput", "throughput", "Throughput between two threads, bare pipelines",
                Discipline.THROUGHPUT, 0, List.of("ring", "ringBatch32", "spscRingPool", "disruptorRingPool"),
                List.of("lmax", "lmaxSpin", "lmaxBatch32", "agrona", "agronaRing", "jctools", "aeron", "arrayBlocking"),
                BASELINE),
            new Comparison("roundtrip", "roundtrip", "Round trip, bare pipelines: there on one, back on a second",
                Discipline.ROUND_TRIP, 0, PIPELINES, RIVALS, List.of("baselineSequence", "baselineCell")),
            oneWay("oneway-100k", SLOW),
            oneWay("oneway-1m", FAST),
            new Comparison("server-throughput", "server", "Throughput through the server, and bare pipelines",
                Discipline.THROUGHPUT, 0, List.of("server", "serverBatch32", "ring", "ringBatch32"),
                List.of("lmax", "lmaxSpin", "lmaxBatch32"), BASELINE),
            server("server-oneway-100k", SLOW),
            server("server-oneway-1m", FAST),
            new Comparison("server-sustained", "server",
                "Highest rate with a clock reading and a histogram record per event, p50 below 10 µs",
                Discipline.SUSTAINED, 0, List.of("server", "ring"), List.of("lmax"), BASELINES),
            publishers(1, "one publisher"), publishers(2, "2 publishers that yield"),
            publishers(4, "4 publishers that yield"));
    }

    private static Comparison oneWay(final String name, final long perSecond)
    {
        return new Comparison(name, "oneway",
            String.format(Locale.ROOT, ONE_WAY, perSecond) + ", bare pipelines",
            Discipline.ONE_WAY, perSecond, PIPELINES, RIVALS, BASELINE);
    }

    private static Comparison publishers(final int count, final String what)
    {
        return new Comparison("publishers-" + count, "publishers", "Throughput of paths for many publishers, " + what,
            Discipline.THROUGHPUT, 0, List.of("sharedRing" + count),
            List.of("lmaxMulti" + count, "jctoolsMpsc" + count), List.of());
    }

    private static Comparison server(final String name, final long perSecond)
    {
        return new Comparison(name, "server",
            String.format(Locale.ROOT, ONE_WAY, perSecond) + ", through the server",
            Discipline.ONE_WAY, perSecond, List.of("server", "ring"), List.of("lmax"), BASELINES);
    }

    /**
     * The same comparison with fewer contenders.
     *
     * @param only who may stay.
     * @return a new comparison.
     */
    public Comparison only(final Predicate<String> only)
    {
        return new Comparison(name, group, title, discipline, perSecond, ours.stream().filter(only).toList(),
            rivals.stream().filter(only).toList(), baselines.stream().filter(only).toList());
    }

    /** All that take part. */
    public List<String> contenders()
    {
        return Stream.of(ours, rivals, baselines).flatMap(List::stream).toList();
    }

    /**
     * The reference of a contender: our first one that publishes in the same way.
     *
     * @param contender one of this comparison's.
     * @return one of ours; null when none takes part, or it is the contender itself.
     */
    public String reference(final String contender)
    {
        final boolean batch = contender.endsWith(BATCH);
        return ours.stream().filter(name -> name.endsWith(BATCH) == batch).findFirst()
            .filter(name -> !name.equals(contender)).orElse(null);
    }
}
