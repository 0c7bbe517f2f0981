package io.millrace.benchmarks.race;

import java.util.concurrent.CountDownLatch;

import org.HdrHistogram.Histogram;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.jmh.OpenLane;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;
import io.millrace.benchmarks.rate.Verdict;

/**
 * Runs rounds of one contender: opens its lanes anew for each, starts both threads, takes the readings around them,
 * checks the answer. Its own thread sleeps while they run. One thread.
 */
public final class RaceRunner
{
    /**
     * The median that a sustained rate stays below, in nanoseconds.
     */
    public static final long SUSTAINED_P50_NS = 10_000;

    // A rate is looked for between these by halving the ratio: no path here takes less, no clock allows more.
    private static final double MIN_SUSTAINED = 500_000;
    private static final double MAX_SUSTAINED = 32_000_000;
    // 6 octaves halved nine times: to 1 %. Nine probes of a ninth of a round each.
    private static final int PROBES = 9;

    private final String contender;
    private final int fields;
    private final HostFiles host;

    /**
     * A runner.
     *
     * @param contender its name, as {@link OpenLane} knows it.
     * @param host      where to read the host.
     */
    public RaceRunner(final String contender, final HostFiles host)
    {
        this.contender = contender;
        this.host = host;
        fields = OpenLane.fields(contender);
    }

    /**
     * Run one round.
     *
     * @param plan how.
     * @return what it came to.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when the answer is wrong, or a thread fails or hangs.
     */
    public RaceResult run(final RacePlan plan) throws InterruptedException
    {
        switch (plan.discipline())
        {
            case THROUGHPUT:
                return throughput(plan);
            case ONE_WAY:
                return oneWay(plan);
            case ROUND_TRIP:
                return roundTrip(plan);
            default:
                return sustained(plan);
        }
    }

    private RaceResult throughput(final RacePlan plan) throws InterruptedException
    {
        final Check check = new Check(ThroughputFront.CHUNK, fields);
        final OpenLane lane = OpenLane.of(contender, check, plan.yields());
        final ThroughputFront front = new ThroughputFront(lane, check, plan);
        final Readings readings = measure(plan, lane, front, RaceRunner::nothingToPrepare);
        finish(lane, check, front.published());
        return readings.result(0, front.published() - ThroughputFront.leadInEvents(), new Histogram(1));
    }

    private RaceResult oneWay(final RacePlan plan) throws InterruptedException
    {
        final LatencyCheck check = new LatencyCheck(fields, plan.perSecond(), PacedFront.LEAD_IN);
        final OpenLane lane = OpenLane.of(contender, check, plan.yields());
        final PacedFront front = new PacedFront(lane, check, plan);
        final Readings readings = measure(plan, lane, front, check::onStart);
        finish(lane, check, front.published());
        return readings.result(plan.perSecond(), front.published() - PacedFront.LEAD_IN, check.latencies());
    }

    private RaceResult roundTrip(final RacePlan plan) throws InterruptedException
    {
        final PingCheck ping = new PingCheck(fields);
        final OpenLane back = OpenLane.of(contender, ping, plan.yields());
        final EchoCheck echo = new EchoCheck(fields, back);
        final OpenLane there = OpenLane.of(contender, echo, plan.yields());
        ping.between(there, back);
        final Readings readings = measure(plan, there, new PingFront(there, ping, plan), RaceRunner::nothingToPrepare);
        finish(there, echo, ping.trips());
        finish(back, ping, ping.trips());
        return readings.result(0, ping.trips() - PingFront.LEAD_IN, ping.times());
    }

    private static void nothingToPrepare()
    {
        // The check of this discipline has nothing that belongs to the handling thread.
    }

    private static void finish(final OpenLane lane, final Check check, final long published)
    {
        check.verify(published);
        lane.verifyBalance();
        lane.close();
    }

    private RaceResult sustained(final RacePlan plan) throws InterruptedException
    {
        final HostFiles.Ticks before = host.ticks(plan.cpus());
        double good = MIN_SUSTAINED;
        double bad = MAX_SUSTAINED;
        RaceResult last = null;
        RaceResult best = null;
        double waited = 0.0;
        for (int i = 0; i < PROBES; i++)
        {
            final long perSecond = Math.round(Math.sqrt(good * bad));
            last = oneWay(plan.at(Discipline.ONE_WAY, perSecond, Math.max(1, plan.roundMs() / PROBES)));
            waited += last.waited() / PROBES;
            if (isSustained(last))
            {
                good = perSecond;
                best = last;
            }
            else
            {
                bad = perSecond;
            }
        }
        final double steal = host.ticks(plan.cpus()).stealSince(before);
        final RaceResult of = best != null ? best : last;
        return new RaceResult(best != null ? best.perSecond() : 0, of.events(), of.elapsedNs(), of.latencies(),
            of.frontCpuNs(), of.backCpuNs(), of.allocatedBytes(), of.switches(), steal, waited, of.placement());
    }

    private static boolean isSustained(final RaceResult probe)
    {
        return probe.figure(Discipline.ONE_WAY) < SUSTAINED_P50_NS &&
            probe.eventsPerSecond() >= Verdict.MIN_ACHIEVED * probe.perSecond();
    }

    /** What was read around a timed part. */
    private record Readings(Front front, long switches, double steal, double waited, String placement)
    {
        RaceResult result(final long perSecond, final long events, final Histogram latencies)
        {
            return new RaceResult(perSecond, events, front.elapsedNs(), latencies, front.frontCpuNs(),
                front.backCpuNs(), front.allocatedBytes(), switches, steal, waited, placement);
        }
    }

    private Readings measure(final RacePlan plan, final OpenLane lane, final Front front, final Runnable onStart)
        throws InterruptedException
    {
        // What earlier rounds left behind is collected now, and this one's objects are old ones from the start.
        System.gc();
        final ThreadProbe[] back = new ThreadProbe[1];
        final CountDownLatch started = new CountDownLatch(1);
        lane.startConsumer(plan.backCpu(), () ->
        {
            back[0] = ThreadProbe.ofCurrentThread();
            onStart.run();
            started.countDown();
        });
        started.await();
        final Thread thread = new Thread(front, "front");
        thread.setDaemon(true);
        thread.start();
        final Readings readings;
        try
        {
            front.awaitWarm();
            readings = measure(plan, front, back[0]);
        }
        finally
        {
            front.release();
            thread.join();
        }
        lane.endConsumer();
        return readings;
    }

    private Readings measure(final RacePlan plan, final Front front, final ThreadProbe back)
        throws InterruptedException
    {
        final long switches = switches(front.thread(), back);
        final HostFiles.Ticks ticks = host.ticks(plan.cpus());
        final double waitedNs = ThreadProbe.waitedNs(front.thread(), back);
        front.measureBeside(back);
        final double newWaitedNs = ThreadProbe.waitedNs(front.thread(), back);
        final double steal = host.ticks(plan.cpus()).stealSince(ticks);
        final long newSwitches = switches(front.thread(), back);
        return new Readings(front, newSwitches - switches, steal,
            (newWaitedNs - waitedNs) / (2.0 * front.elapsedNs()),
            "front " + Pinning.describe(plan.frontCpu(), front.thread().allowedCpus()) +
            ", back " + Pinning.describe(plan.backCpu(), back.allowedCpus()));
    }

    private static long switches(final ThreadProbe front, final ThreadProbe back)
    {
        return front.usage().involuntarySwitches() + back.usage().involuntarySwitches();
    }
}
