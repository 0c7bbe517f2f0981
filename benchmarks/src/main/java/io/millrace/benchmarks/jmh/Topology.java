package io.millrace.benchmarks.jmh;

/**
 * How the stages of a fan-out stand to each other.
 */
enum Topology
{
    /** Three stages, each sees events as they are published. */
    FAN_OUT("1to3", false),

    /** One stage, as a journal is, and two that see an event when it has. */
    JOURNAL("1to1to2", true);

    /** Stages in either of them. */
    static final int STAGES = 3;

    private final String label;
    private final boolean ordered;

    Topology(final String label, final boolean ordered)
    {
        this.label = label;
        this.ordered = ordered;
    }

    static Topology named(final String label)
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

    /** Whether a stage follows the first one; the first itself follows none. */
    boolean follows(final int stage)
    {
        return ordered && stage > 0;
    }
}
