package io.millrace.benchmarks.race;

/**
 * The measured figure of a round.
 */
public enum Discipline
{
    /**
     * One thread publishes as fast as it can, the other handles. The figure is events a second.
     */
    THROUGHPUT("M/s", true),

    /**
     * One event to the other thread and one back through a second pipeline of the same kind, over and over. The
     * figure is the median time.
     */
    ROUND_TRIP("p50", false),

    /**
     * An open loop: events are sent on a schedule fixed in advance. The figure is the median time from the intended
     * send to the handler.
     */
    ONE_WAY("p50", false),

    /**
     * The highest rate of an open loop at which the median stays below {@value RaceRunner#SUSTAINED_P50_NS} ns and
     * 99 % of the rate is achieved. The figure is that rate.
     */
    SUSTAINED("M/s", true);

    /** Name of the figure, for the head of a column. */
    final String unit;
    /** Which of two figures wins: true the greater, false the smaller. */
    final boolean moreIsBetter;

    Discipline(final String unit, final boolean moreIsBetter)
    {
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
    }
}
