package io.millrace.benchmarks.race;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.jmh.Contender;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * The near end of a round trip: checks what came back, records how long it took, and sends the next one; never more
 * than one is under way. The asking thread.
 */
final class PingCheck extends Check
{
    final Histogram times = LatencyRecorder.newHistogram();
    private Contender there;
    private Contender back;
    private long trips;
    private long endTrips;
    private long endNs;
    private long sentNs;

    PingCheck(final int fields)
    {
        super(1, fields);
    }

    /** The contenders end at checks and the checks know the contenders, so this comes second. */
    void between(final Contender newThere, final Contender newBack)
    {
        there = newThere;
        back = newBack;
    }

    /** Make a number of trips and leave their times out. */
    void goUntimed(final long count) throws Exception
    {
        endTrips = trips + count;
        endNs = Long.MAX_VALUE;
        go();
        times.reset();
    }

    /** Make trips until a time. */
    void goUntil(final long newEndNs) throws Exception
    {
        endTrips = Long.MAX_VALUE;
        endNs = newEndNs;
        go();
    }

    private void go() throws Exception
    {
        back.restart();
        send();
        back.consume();
    }

    private void send()
    {
        sentNs = System.nanoTime();
        while (!there.offer(trips))
        {
            there.pause();
        }
    }

    @Override
    public void accept(final long id, final long fieldSum)
    {
        final long nowNs = System.nanoTime();
        times.recordValue(LatencyRecorder.clamp(nowNs - sentNs));
        super.accept(id, fieldSum);
        trips++;
        if (trips >= endTrips || nowNs - endNs >= 0 && endNs != Long.MAX_VALUE)
        {
            back.stop();
        }
        else
        {
            send();
        }
    }

    long trips()
    {
        return trips;
    }
}
