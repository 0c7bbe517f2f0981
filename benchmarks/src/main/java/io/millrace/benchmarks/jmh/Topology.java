package io.millrace.benchmarks.jmh;

/**
 * Order of the stages of a fan-out.
 */
public enum Topology
{
    /** Three stages, each sees events as they are published. */
    FAN_OUT("1to3", false),

    /** One stage, as a journal is, and two that see an event when it has. */
    JOURNAL("1to1to2", true);

    /**
     * Stages in either of them.
     */
    public static final int STAGES = 3;

    private final String label;
    private final boolean ordered;

    Topology(final String label, final boolean ordered)
    {
        this.label = label;
        this.ordered = ordered;
    }

    /**
     * Find one.
     *
     * @param label {@code 1to3} or {@code 1to1to2}.
     * @return the topology.
     * @throws IllegalArgumentException when there is none of that name.
     */
    public static Topology named(final String label)
    {
        for (final Topology topology : values())
        {
            if (topology.label.equals(label))
            {
                return topology;
            }
        }
        throw new IllegalArgumentException("no topology '" + label + "'");
    }

    @Override
    public String toString()
    {
        return label;
    }

    /**
     * Checks whether a stage follows the first one.
     *
     * @param stage 0 to {@value #STAGES} - 1.
     * @return false for the first itself.
     */
    public boolean follows(final int stage)
    {
        return ordered && stage > 0;
    }
}
