package io.millrace.journal;

import java.util.List;

/** What a seed decides at the beginning of a run and of each process. */
final class SimPlan
{
    private static final int MAX_LIVES = 6;

    private final SimTrace trace;
    final String topology;
    final int clients;
    final int capacity;
    final int lives;
    final long followEvery;
    private final Durability durability;
    private final int segmentBytes;
    private final int preparedSegments;
    private final int keepSnapshots;
    private final boolean mayRot;
    int shortWrites;
    int slowForces;

    SimPlan(final SimTrace trace, final List<String> topologies)
    {
        this.trace = trace;
        topology = topologies.get(trace.below(topologies.size()));
        clients = 1 + trace.below(5);
        capacity = 4 << trace.below(4);
        lives = 1 + trace.below(MAX_LIVES);
        durability = trace.oneIn(2) ? Durability.EVERY_BATCH : Durability.values()[trace.below(4)];
        segmentBytes = 4_096 * (1 + trace.below(2));
        preparedSegments = 1 + trace.below(3);
        keepSnapshots = 1 + trace.below(3);
        followEvery = trace.oneIn(2) ? 0 : 1 + trace.below(100);
        // What the last forced batch proves is known exactly under these policies.
        mayRot = trace.oneIn(4) && isForced();
        shortWrites = trace.oneIn(4) ? 1 + trace.below(10) : 0;
        slowForces = trace.oneIn(4) ? 1 + trace.below(100) : 0;
    }

    void applyTo(final SimDisk disk)
    {
        disk.shortWrites = shortWrites;
        disk.slowForces = slowForces;
    }

    <E> JournalContext<E> applyTo(final JournalContext<E> context)
    {
        return context.durability(durability).segmentBytes(segmentBytes).bufferBytes(4_096).watermarkBytes(1)
            .preparedSegments(preparedSegments).keepSnapshots(keepSnapshots);
    }

    /** The fault of the next process, if it has one. */
    void next(final SimDisk disk)
    {
        final int draw = trace.below(16);
        final int range = 1 << 1 + trace.below(12);
        if (draw < 9)
        {
            disk.failIn(range, SimDisk.Fault.CRASH);
        }
        else if (draw < 13)
        {
            disk.failIn(range, SimDisk.Fault.values()[1 + trace.below(3)]);
        }
    }

    int steps()
    {
        return 1 << 4 + trace.below(8);
    }

    boolean isClosing()
    {
        return trace.oneIn(3);
    }

    boolean rots()
    {
        return mayRot && trace.oneIn(3);
    }

    /** Whether the operator deletes the segments that all snapshots cover. */
    boolean deletesCovered()
    {
        return trace.oneIn(8);
    }

    boolean isForced()
    {
        return durability.isForced();
    }

    boolean isEachCommitted()
    {
        return durability == Durability.EVERY_EVENT;
    }
}
