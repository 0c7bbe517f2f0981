package io.millrace.benchmarks.harness;

import io.millrace.server.agent.CpuPlacement;

import org.agrona.LangUtil;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/**
 * Binds the calling thread to a CPU, and describes the result in words. What counts is what the system reads back, see
 * {@link ThreadProbe#allowedCpus()}. Stateless; any thread.
 */
public final class Pinning
{
    /**
     * In place of a CPU number: do not bind.
     */
    public static final int NONE = -1;

    private Pinning()
    {
    }

    /**
     * Bind the calling thread. A failure is not an error: the reading afterwards shows it.
     *
     * @param cpu a CPU number, or {@link #NONE}.
     */
    public static void pinCurrentThread(final int cpu)
    {
        if (cpu != NONE)
        {
            CpuPlacement.pinCurrentThread(cpu);
        }
    }

    /**
     * Run a task that binds its thread to a CPU. The calling thread, which starts the threads of later rounds, is not
     * bound.
     *
     * @param task the task.
     * @param <T>  its result.
     * @return the result.
     * @throws IOException when the calling thread is interrupted. What the task throws comes back as it is.
     */
    public static <T> T onOwnThread(final Callable<T> task) throws IOException
    {
        final FutureTask<T> future = new FutureTask<>(task);
        final Thread thread = new Thread(future, "one-thread");
        thread.start();
        try
        {
            return future.get();
        }
        catch (final InterruptedException ex)
        {
            throw new IOException(ex);
        }
        catch (final ExecutionException ex)
        {
            LangUtil.rethrowUnchecked(ex.getCause());
            throw new IOException(ex);
        }
    }

    /**
     * CPU binding of a thread.
     *
     * @param cpu         the CPU that was asked for, or {@link #NONE}.
     * @param allowedCpus the list that the system read back; empty when not known.
     * @return {@code pinned to 1}, or {@code NOT pinned} with what is known.
     */
    public static String describe(final int cpu, final String allowedCpus)
    {
        if (cpu != NONE && allowedCpus.equals(Integer.toString(cpu)))
        {
            return "pinned to " + cpu;
        }
        final String asked = cpu == NONE ? "not asked for" : "asked for " + cpu;
        return "NOT pinned (" + asked + ", runs on " + (allowedCpus.isEmpty() ? "unknown CPUs" : allowedCpus) + ")";
    }

    /**
     * CPUs that were asked for.
     *
     * @param cpus CPU numbers, or {@link #NONE}.
     * @return the numbers among them.
     */
    public static List<Integer> asked(final int... cpus)
    {
        return IntStream.of(cpus).filter(cpu -> cpu != NONE).boxed().toList();
    }

    /**
     * CPUs that this process may use.
     *
     * @return their numbers in order.
     */
    public static List<Integer> allowed()
    {
        return CpuPlacement.allowedCpus().stream().boxed().toList();
    }
}
