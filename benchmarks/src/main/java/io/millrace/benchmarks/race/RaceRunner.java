package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Sender;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.jmh.Contender;
import io.millrace.benchmarks.jmh.Contenders;
import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Runs rounds of one contender: opens its paths anew for each, starts both threads, takes the readings around them,
 * checks the answer. Its own thread sleeps while they run. One thread.
 *
 * @param contender its name, as {@link Contenders} knows it.
 */
public record RaceRunner(String contender)
{
    /**
     * The median that a sustained rate stays below, in nanoseconds.
     */
    public static final long SUSTAINED_P50_NS = 10_000;

    // The search for a rate halves the ratio between these: no path here takes less, no clock allows more.
    private static final double MIN_SUSTAINED = 500_000;
    private static final double MAX_SUSTAINED = 32_000_000;
    // 6 octaves halved nine times: to 1 %. Nine probes of a ninth of a round each.
    private static final int PROBES = 9;

    /**
     * Run one round.
     *
     * @param plan how.
     * @return its result.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when the answer is wrong, or a thread fails or hangs.
     */
    public RaceResult run(final RacePlan plan) throws InterruptedException
    {
        return switch (plan.discipline())
        {
            case THROUGHPUT -> throughput(plan);
            case ONE_WAY -> oneWay(plan);
            case ROUND_TRIP -> roundTrip(plan);
            default -> sustained(plan);
        };
    }

    private RaceResult throughput(final RacePlan plan) throws InterruptedException
    {
        final Check check = new Check(ThroughputProducer.CHUNK, fields());
        final Contender path = Contenders.open(contender, check, plan.yields());
        final ThroughputProducer producer = new ThroughputProducer(path, check, plan);
        final RaceResult result =
            measure(plan, path, producer, RaceRunner::nothingToPrepare, () -> new Histogram(1), 0);
        finish(path, check, producer.published());
        return result;
    }

    private RaceResult oneWay(final RacePlan plan) throws InterruptedException
    {
        final LatencyCheck check = new LatencyCheck(fields(), plan.perSecond(), PacedProducer.LEAD_IN);
        final Contender path = Contenders.open(contender, check, plan.yields());
        final PacedProducer producer = new PacedProducer(path, check, plan);
        final RaceResult result =
            measure(plan, path, producer, check::onStart, check::latencies, plan.perSecond());
        finish(path, check, producer.published());
        return result;
    }

    private RaceResult roundTrip(final RacePlan plan) throws InterruptedException
    {
        final PingCheck ping = new PingCheck(fields());
        final Contender back = Contenders.open(contender, ping, plan.yields());
        final EchoCheck echo = new EchoCheck(fields(), back);
        final Contender there = Contenders.open(contender, echo, plan.yields());
        ping.between(there, back);
        final RaceResult result =
            measure(plan, there, new PingProducer(ping, plan), RaceRunner::nothingToPrepare, () -> ping.times, 0);
        finish(there, echo, ping.trips());
        finish(back, ping, ping.trips());
        return result;
    }

    private int fields()
    {
        return Contenders.lineFields(contender);
    }

    private static void nothingToPrepare()
    {
        // The check of this discipline has nothing that belongs to the handling thread.
    }

    private static void finish(final Contender path, final Check check, final long published)
    {
        check.verify(published);
        path.verifyBalance();
        path.close();
    }

    private RaceResult sustained(final RacePlan plan) throws InterruptedException
    {
        final HostFiles.Ticks before = HostFiles.HERE.ticks(plan.cpus());
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
        final double steal = HostFiles.HERE.ticks(plan.cpus()).stealSince(before);
        final RaceResult of = best != null ? best : last;
        return new RaceResult(best != null ? best.perSecond() : 0, of.events(), of.elapsedNs(), of.latencies(),
            of.producerCpuNs(), of.consumerCpuNs(), of.allocatedBytes(), of.switches(), steal, waited, of.placement());
    }

    private static boolean isSustained(final RaceResult probe)
    {
        return probe.figure(Discipline.ONE_WAY) < SUSTAINED_P50_NS &&
            probe.eventsPerSecond() >= Series.MIN_ACHIEVED * probe.perSecond();
    }

    private RaceResult measure(
        final RacePlan plan,
        final Contender path,
        final Producer producer,
        final Runnable onStart,
        final Supplier<Histogram> latencies,
        final long perSecond) throws InterruptedException
    {
        // The garbage of earlier rounds is collected now, and this one's objects are old ones from the start.
        System.gc();
        final ThreadProbe[] consumer = new ThreadProbe[1];
        final CountDownLatch started = new CountDownLatch(1);
        path.startConsumer(plan.consumerCpu(), () ->
        {
            consumer[0] = ThreadProbe.ofCurrentThread();
            onStart.run();
            started.countDown();
        });
        started.await();
        final List<ThreadProbe> helpers = path.helpers();
        final Timed timed = new Timed(plan, producer, consumer[0], helpers);
        final String placement;
        try (Sender sender = new Sender(plan.producerCpu(), timed, path::pause))
        {
            sender.leadIn();
            sender.send(System.nanoTime());
            placement = "producer " + Pinning.describe(plan.producerCpu(), sender.probe().allowedCpus()) +
                ", consumer " + Pinning.describe(plan.consumerCpu(), consumer[0].allowedCpus());
        }
        path.endConsumer();
        final RaceResult result = new RaceResult(
            perSecond, producer.events(), timed.elapsedNs, latencies.get(), timed.readings, placement);
        return helpers.isEmpty() ? result : result.withHelpers(timed.helperCpuNs, timed.helperBytes);
    }

    /** The publishing thread: it takes the readings of both, right before and after the timed part. */
    private static final class Timed implements Sender.Work
    {
        private final RacePlan plan;
        private final Producer producer;
        private final ThreadProbe consumer;
        private final List<ThreadProbe> helpers;
        private long elapsedNs;
        private long helperCpuNs;
        private long helperBytes;
        private Readings readings;

        Timed(final RacePlan plan, final Producer producer, final ThreadProbe consumer, final List<ThreadProbe> helpers)
        {
            this.helpers = helpers;
            this.plan = plan;
            this.producer = producer;
            this.consumer = consumer;
        }

        @Override
        public void leadIn() throws Exception
        {
            producer.leadIn();
        }

        private long helperCpuNs()
        {
            long sum = 0;
            for (int i = 0; i < helpers.size(); i++)
            {
                sum += helpers.get(i).cpuNs();
            }
            return sum;
        }

        private long helperBytes()
        {
            long sum = 0;
            for (int i = 0; i < helpers.size(); i++)
            {
                sum += helpers.get(i).allocatedBytes();
            }
            return sum;
        }

        @Override
        public void timed(final long startNs) throws Exception
        {
            final Measurement measurement =
                Measurement.start(plan.cpus(), ThreadProbe.ofCurrentThread(), consumer);
            helperCpuNs -= helperCpuNs();
            helperBytes -= helperBytes();
            elapsedNs = producer.timed();
            helperCpuNs += helperCpuNs();
            helperBytes += helperBytes();
            readings = measurement.end();
        }
    }
}
