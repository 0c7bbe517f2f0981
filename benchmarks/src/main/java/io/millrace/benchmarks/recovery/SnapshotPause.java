package io.millrace.benchmarks.recovery;

import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * How long the agent of a large engine stops for a snapshot. It reads the clock in a loop and executes a batch of
 * commands when one is due; a gap between two readings is a batch, a snapshot or a hiccup of the host. The phases are
 * interleaved: nothing but the clock; commands; commands while the follower replays and writes a snapshot; commands and
 * a snapshot on request. One thread, beside the journal's own.
 */
record SnapshotPause(int orders, int rounds)
{
    private static final int SEGMENT = 4 << 20;
    private static final int EVERY = 250_000;
    private static final long BATCH_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1) * EngineUnderTest.BATCH_LENGTH / 200_000;
    private static final long PHASE_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String[] PHASES =
        {"the clock alone: hiccups of the host", "commands", "commands, snapshot in the background",
            "commands, snapshot on request"};

    private static final int FOLLOWED = 2;
    private static final int REQUESTED = 3;

    /** An engine, and the number of its next command. */
    private static final class Load
    {
        private final EngineUnderTest test;
        private int next;

        private Load(final EngineUnderTest test)
        {
            this.test = test;
        }

        private void give(final int to)
        {
            test.give(next, to);
            next = to;
        }
    }

    /** Adds a line for each phase. */
    void run(final Path directory, final TextTable table) throws IOException
    {
        final Histogram[][] gaps = new Histogram[PHASES.length][rounds];
        Files.createDirectory(directory);
        try (EngineUnderTest plain = new EngineUnderTest(directory.resolve("plain"), SEGMENT, orders).launch();
            EngineUnderTest followed =
                new EngineUnderTest(directory.resolve("followed"), SEGMENT, orders).follow(EVERY).launch())
        {
            final Load one = new Load(plain);
            final Load other = new Load(followed);
            fill(one);
            fill(other);
            for (int round = -1; round < rounds; round++)
            {
                for (int phase = 0; phase < PHASES.length; phase++)
                {
                    final Histogram histogram = phase(phase == FOLLOWED ? other : one, phase);
                    if (round >= 0)
                    {
                        gaps[phase][round] = histogram;
                    }
                }
                awaitFollower(followed);
            }
            checkOrders(plain);
            checkOrders(followed);
        }
        for (int phase = 0; phase < PHASES.length; phase++)
        {
            final double[] most = new double[rounds];
            for (int round = 0; round < rounds; round++)
            {
                most[round] = gaps[phase][round].getMaxValue();
            }
            RecoveryMeasurement.add(table, "longest gap, " + orders + " orders: " + PHASES[phase], "", most);
        }
    }

    /** The pairs add and cancel; now and then one trades a lot, which fills a bid in the end. */
    private void checkOrders(final EngineUnderTest test)
    {
        final long resting = test.matching.engine().book(1).orderCount();
        if (resting < orders - orders / 10 || resting > orders + 1)
        {
            throw new WrongAnswerException(resting + " orders rest, not about " + orders);
        }
    }

    /** Not faster than the keeper prepares segments. */
    private void fill(final Load load)
    {
        final int all = EngineUnderTest.START - EngineUnderTest.ORDERS + orders;
        while (load.next < all)
        {
            while (load.test.prepared() == 0)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            load.give(Math.min(all, load.next + EngineUnderTest.BATCH_LENGTH));
        }
    }

    private Histogram phase(final Load load, final int phase) throws IOException
    {
        final EngineUnderTest test = load.test;
        final long snapshots = test.snapshots();
        final Histogram histogram = LatencyRecorder.newHistogram();
        final long beginNs = System.nanoTime();
        final Future<Long> request = phase == REQUESTED ? test.journal.requestSnapshot() : null;
        long dueNs = beginNs;
        long lastNs = beginNs;
        while (lastNs - beginNs < PHASE_NS || phase == FOLLOWED && test.snapshots() == snapshots)
        {
            if (phase > 0 && lastNs - dueNs >= 0)
            {
                load.give(load.next + EngineUnderTest.BATCH_LENGTH);
                dueNs += BATCH_INTERVAL_NS;
            }
            final long nowNs = System.nanoTime();
            histogram.recordValue(LatencyRecorder.clamp(nowNs - lastNs));
            lastNs = nowNs;
            if (nowNs - beginNs > GIVE_UP_NS)
            {
                throw new IllegalStateException("the follower wrote no snapshot");
            }
        }
        if (request != null)
        {
            check(request);
        }
        return histogram;
    }

    private static void check(final Future<Long> request) throws IOException
    {
        try
        {
            request.get(0, TimeUnit.SECONDS);
        }
        catch (final InterruptedException | ExecutionException | TimeoutException ex)
        {
            throw new IOException("no snapshot on request", ex);
        }
    }

    /** Until the follower has nothing to replay, so that it does not work in a phase without it. */
    private static void awaitFollower(final EngineUnderTest test)
    {
        long snapshots = -1;
        while (snapshots != test.snapshots())
        {
            snapshots = test.snapshots();
            // It looks for full segments once a second.
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
        }
    }
}
