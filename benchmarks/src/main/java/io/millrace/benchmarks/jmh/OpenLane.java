package io.millrace.benchmarks.jmh;

/**
 * A lane for benchmarks outside of this package: events of 64 bytes from a publishing to a consuming thread, ending
 * at the caller's check. What allows one thread says which; the rest is for the thread that made it.
 */
public final class OpenLane
{
    private final Lane lane;

    private OpenLane(final Lane lane)
    {
        this.lane = lane;
    }

    /**
     * Open a lane.
     *
     * @param contender one of those that {@link PipelineThroughput} names, or {@code agronaRing}, {@code aeron},
     *                  {@code server}, {@code serverBatch32}, or {@code floorCell} for one number at a time.
     * @param check     where its events end: of {@link #fields} fields.
     * @param yields    whether its threads yield when idle: more threads than CPUs, or a test. Else they spin.
     * @return an empty lane.
     * @throws IllegalArgumentException when there is no such contender in this build.
     */
    public static OpenLane of(final String contender, final Check check, final boolean yields)
    {
        final Lane lane = Lanes.ofOneLine(contender, check);
        if (yields)
        {
            lane.yieldWhenIdle();
        }
        return new OpenLane(lane);
    }

    /**
     * Fields that its events have.
     *
     * @param contender name.
     * @return how many {@code long} fields are written and read.
     */
    public static int fields(final String contender)
    {
        return Lanes.lineFields(contender);
    }

    /**
     * Whether this build can run a contender.
     *
     * @param contender name.
     * @return false for one whose library only a profile brings.
     */
    public static boolean isBuilt(final String contender)
    {
        return Lanes.isBuilt(contender);
    }

    /**
     * Publish one event. The publishing thread.
     *
     * @param id its number, from 0 without a gap.
     * @return false: no room, nothing published.
     */
    public boolean offer(final long id)
    {
        return lane.offer(id);
    }

    /**
     * Publish events the way the contender does, singly or in batches; waits for room. The publishing thread.
     *
     * @param firstId number of the first.
     * @param count   how many.
     * @throws IllegalStateException when the consuming thread failed.
     */
    public void publish(final long firstId, final int count)
    {
        lane.publish(firstId, count);
    }

    /**
     * Hand events to the check until {@link #stop()}. The consuming thread, where there is no
     * {@linkplain #startConsumer started} one.
     *
     * @throws Exception when the lane or the check fails.
     */
    public void consume() throws Exception
    {
        lane.consume();
    }

    /**
     * Let {@link #consume()} return. Any thread, also the consuming one, after it has begun.
     */
    public void stop()
    {
        lane.stop();
    }

    /**
     * Make {@link #consume()} possible again. When nobody consumes.
     */
    public void restart()
    {
        lane.restart();
    }

    /**
     * Start a consuming thread.
     *
     * @param cpu     to bind it to, or {@link io.millrace.benchmarks.rate.Pinning#NONE}.
     * @param onStart is run by that thread before it handles an event.
     */
    public void startConsumer(final int cpu, final Runnable onStart)
    {
        lane.startConsumer(cpu, onStart);
    }

    /**
     * End the thread that {@link #startConsumer} started. After its {@code onStart}.
     *
     * @throws InterruptedException when the calling thread is interrupted.
     */
    public void endConsumer() throws InterruptedException
    {
        lane.endConsumer();
    }

    /**
     * Wait a moment on a thread that waits for the other one: spin or yield. Any thread.
     *
     * @throws IllegalStateException when the consuming thread failed.
     */
    public void pause()
    {
        lane.pause();
    }

    /**
     * See that every event is back. When nobody publishes or consumes any more.
     *
     * @throws IllegalStateException when one is missing.
     */
    public void verifyBalance()
    {
        lane.verifyBalance();
    }

    /**
     * Give back what the lane holds outside of the heap. When nobody publishes or consumes any more.
     */
    public void close()
    {
        lane.close();
    }
}
