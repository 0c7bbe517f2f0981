package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.util.List;

/**
 * Asks a process of its own what the host does by itself: what crossing between the two CPUs and reading the clock
 * costs, and the hiccups of two threads with nothing to do. One thread.
 */
public final class HostMeter implements AutoCloseable
{
    private static final long PER_SECOND = 1_000_000;

    private final ChildProcess child;

    private HostMeter(final ChildProcess child)
    {
        this.child = child;
    }

    /**
     * Start the process.
     *
     * @param flags      JVM flags behind the usual ones.
     * @param sourceCpu  CPU of one thread, or {@link Pinning#NONE}.
     * @param handlerCpu CPU of the other.
     * @return the meter.
     * @throws IOException when it does not start.
     */
    public static HostMeter start(final List<String> flags, final int sourceCpu, final int handlerCpu)
        throws IOException
    {
        return new HostMeter(ChildProcess.start("host", HostMain.class, flags, Integer.toString(sourceCpu),
            Integer.toString(handlerCpu)));
    }

    /**
     * Measure the baselines.
     *
     * @return what they are.
     * @throws IOException when the process fails.
     */
    public HostBaseline baseline() throws IOException
    {
        return child.ask(new WireLine(HostMain.BASELINES)).as(HostBaseline.class);
    }

    /**
     * One round of the hiccup meter, at 1,000,000 samples a second.
     *
     * @param roundMs its duration in milliseconds.
     * @return the round.
     * @throws IOException when the process fails.
     */
    public HiccupRound hiccup(final long roundMs) throws IOException
    {
        return child.ask(new WireLine(HostMain.HICCUP).put("perSecond", PER_SECOND)
            .put("roundMs", Math.max(1, roundMs)))
            .as(HiccupRound.class);
    }

    @Override
    public void close()
    {
        child.close();
    }
}
