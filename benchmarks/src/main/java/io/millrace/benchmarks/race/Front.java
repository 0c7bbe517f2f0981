package io.millrace.benchmarks.race;

import java.util.concurrent.CountDownLatch;

import io.millrace.benchmarks.jmh.OpenLane;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;

/**
 * The publishing thread of one round, and the signals that it is led by. First it sends what is not timed, so that
 * the timed part finds warm events and a warm path; then, on the signal, the timed part. It spins (or yields) between
 * these and until it is let go, so that the other thread always finds it running.
 * <p>
 * What both threads use is read by this one, right before and after the timed part; the readings themselves allocate,
 * so bytes are read last before it and first after it.
 */
abstract class Front implements Runnable
{
    private final OpenLane lane;
    private final int cpu;
    private final CountDownLatch warm = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile ThreadProbe thread;
    private volatile ThreadProbe back;
    private volatile boolean released;
    private Throwable failure;
    private long elapsedNs;
    private long frontCpuNs;
    private long backCpuNs;
    private long allocatedBytes;

    Front(final OpenLane lane, final int cpu)
    {
        this.lane = lane;
        this.cpu = cpu;
    }

    /** Send what is not timed, and wait until it was handled. */
    abstract void leadIn() throws Exception;

    /** Send what is timed, and wait until it was handled; say how long that took, in nanoseconds. */
    abstract long timed() throws Exception;

    @Override
    public final void run()
    {
        try
        {
            Pinning.pinCurrentThread(cpu);
            thread = ThreadProbe.ofCurrentThread();
            leadIn();
            warm.countDown();
            while (back == null)
            {
                lane.pause();
            }
            measure(thread, back);
        }
        catch (final Exception | Error ex)
        {
            failure = ex;
        }
        warm.countDown();
        done.countDown();
        while (!released && failure == null)
        {
            lane.pause();
        }
    }

    private void measure(final ThreadProbe front, final ThreadProbe other) throws Exception
    {
        final long backBeforeNs = other.cpuNs();
        final long frontBeforeNs = front.cpuNs();
        final long bytesBefore = front.allocatedBytes() + other.allocatedBytes();
        elapsedNs = timed();
        allocatedBytes = front.allocatedBytes() + other.allocatedBytes() - bytesBefore;
        frontCpuNs = front.cpuNs() - frontBeforeNs;
        backCpuNs = other.cpuNs() - backBeforeNs;
    }

    /** Another thread: wait until the untimed part is over. */
    final void awaitWarm() throws InterruptedException
    {
        warm.await();
        check();
    }

    /** Another thread: begin the timed part, with the other thread's probe, and wait for its end. */
    final void measureBeside(final ThreadProbe other) throws InterruptedException
    {
        back = other;
        done.await();
        check();
    }

    private void check()
    {
        if (failure != null)
        {
            throw new IllegalStateException("the publishing thread failed: " + failure, failure);
        }
    }

    /** Another thread: let the thread end. */
    final void release()
    {
        released = true;
    }

    final ThreadProbe thread()
    {
        return thread;
    }

    final long elapsedNs()
    {
        return elapsedNs;
    }

    final long frontCpuNs()
    {
        return frontCpuNs;
    }

    final long backCpuNs()
    {
        return backCpuNs;
    }

    final long allocatedBytes()
    {
        return allocatedBytes;
    }
}
