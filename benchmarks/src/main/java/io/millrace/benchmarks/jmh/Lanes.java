package io.millrace.benchmarks.jmh;

import java.util.function.Supplier;

/**
 * The lanes by the names under which they are contenders.
 */
final class Lanes
{
    /** Events of a batch of the Disruptor's own throughput tests, and so of ours. */
    static final int BATCH = 32;

    private Lanes()
    {
    }

    /**
     * A lane for events with a number of {@code long} fields: pooled events of 32 + 8 x fields bytes, plain ones of
     * 16 + 8 x fields.
     *
     * @param contender name.
     * @param fields    1, 4 or 6.
     * @param batch     events between two looks at the result.
     * @return an empty lane.
     */
    static Lane of(final String contender, final int fields, final int batch)
    {
        final Check check = new Check(batch, fields);
        switch (contender)
        {
            case "ring":
                return RingLane.single(check, PooledEvent.ofSize(32 + 8 * fields));
            case "ringBatch32":
                return RingLane.batch(check, PooledEvent.ofSize(32 + 8 * fields), BATCH);
            case "spscRingPool":
                return ReferenceLane.spscRingPool(check, PooledEvent.ofSize(32 + 8 * fields));
            case "spscSharedPool":
                return ReferenceLane.spscSharedPool(check, PooledEvent.ofSize(32 + 8 * fields));
            case "disruptorRingPool":
                return ReferenceLane.disruptorRingPool(check, PooledEvent.ofSize(32 + 8 * fields));
            case "disruptorMulti":
                return ReferenceLane.disruptorMulti(check, PooledEvent.ofSize(32 + 8 * fields));
            case "direct":
                return ReferenceLane.direct(check, PooledEvent.ofSize(32 + 8 * fields));
            case "floor":
                return FloorLane.indexes(check, PlainEvent.withFields(fields));
            case "floorSequence":
                return sequences(64, batch);
            case "floorLongs":
                return FloorLane.longs(check, fields);
            default:
                return rival(contender, fields, check);
        }
    }

    private static Lane rival(final String contender, final int fields, final Check check)
    {
        switch (contender)
        {
            case "lmax":
                return LmaxLane.next(check, PlainEvent.withFields(fields));
            case "lmaxSpin":
                return LmaxLane.spinning(check, PlainEvent.withFields(fields));
            case "lmaxBatch32":
                return LmaxLane.batch(check, PlainEvent.withFields(fields), BATCH);
            case "lmaxPoller":
                return LmaxLane.poller(check, PlainEvent.withFields(fields));
            case "agrona":
                return QueueLane.agrona(check, PlainEvent.withFields(fields));
            case "jctools":
                return QueueLane.jctools(check, PlainEvent.withFields(fields));
            case "arrayBlocking":
                return QueueLane.arrayBlocking(check, PlainEvent.withFields(fields));
            default:
                throw new IllegalArgumentException("no contender '" + contender + "'");
        }
    }

    /**
     * A lane that shows what the layout of its events does.
     *
     * @param layout {@code ring} and the size of an event with all fields used, {@code padded} and the size of one with
     *               one field used, {@code floor} and the size of the stand-in on the bare ring of sequences.
     * @param batch  events between two looks at the result.
     * @return an empty lane.
     */
    static Lane ofLayout(final String layout, final int batch)
    {
        final int bytes = Integer.parseInt(layout.replaceAll("\\D", ""));
        if (layout.startsWith("floor"))
        {
            return sequences(bytes, batch);
        }
        final boolean isPadded = layout.startsWith("padded");
        final Supplier<PooledEvent> events = isPadded ? PooledEvent.padded(bytes) : PooledEvent.ofSize(bytes);
        return RingLane.single(new Check(batch, events.get().fields()), Sizes.checked(bytes, events));
    }

    private static Lane sequences(final int bytes, final int batch)
    {
        final Supplier<SequencedEvent> events = Sizes.checked(bytes, SequencedEvent.ofSize(bytes));
        return FloorLane.sequences(new Check(batch, events.get().fields()), events);
    }
}
