package io.millrace.gateway;

import io.millrace.pool.Range;
import io.millrace.server.agent.CpuPlacement;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives the calling thread the real-time policy SCHED_FIFO, by the system's {@code chrt}, and reads the result back.
 * {@code docs/real-time.md} says what that brings and what it needs.
 * <p>
 * A thread of that policy that spins leaves its core to nobody. So one core of this process stays free: the thread is
 * not raised if it would be the last one, counting the real-time threads of this process. Linux only.
 */
public final class RealTime
{
    /** Lowest priority of the policy. */
    public static final int MIN_PRIORITY = 1;
    /** Greatest priority; the kernel's own threads have 50 and 99. */
    public static final int MAX_PRIORITY = 99;

    private static final String REFUSED = "NOT real-time: ";
    private static final int SCHED_FIFO = 1;
    private static final int SCHED_RR = 2;
    /** Fields of {@code stat} after the name of the thread, as in proc(5): the first there is number 3. */
    private static final int FIRST_FIELD = 3;
    private static final int PRIORITY_FIELD = 40;
    private static final int POLICY_FIELD = 41;

    private RealTime()
    {
    }

    /**
     * Check a priority.
     *
     * @param priority 1 to 99.
     * @return the priority.
     * @throws IllegalArgumentException if it is out of range.
     */
    public static int checkPriority(final int priority)
    {
        return Range.check("real-time priority", priority, MIN_PRIORITY, MAX_PRIORITY);
    }

    /**
     * Raise the calling thread. Call it on the thread that receives; it starts a process.
     *
     * @param priority 1 to 99.
     * @return {@code real-time: SCHED_FIFO N}, or {@code NOT real-time: } and the reason. Never throws for want of a
     * privilege, a program or another system: the thread then runs as before.
     * @throws IllegalArgumentException if the priority is out of range.
     */
    public static String raiseCurrentThread(final int priority)
    {
        checkPriority(priority);
        try
        {
            final Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            final int others = realTimeThreads(Path.of("/proc/self/task"), thread.getFileName().toString());
            final int cores = CpuPlacement.allowedCpus().cardinality();
            if (others + 1 >= cores)
            {
                return REFUSED + "this process may use " + cores + " core(s), and " + others +
                    " other thread(s) of it are real-time already; one core must stay free";
            }
            SystemCommand.run("chrt", "-f", "-p", Integer.toString(priority), thread.getFileName().toString());
            final String[] fields = statFields(Path.of("/proc").resolve(thread));
            final int policy = Integer.parseInt(fields[POLICY_FIELD - FIRST_FIELD]);
            final int obtained = Integer.parseInt(fields[PRIORITY_FIELD - FIRST_FIELD]);
            return policy == SCHED_FIFO && obtained == priority ? "real-time: SCHED_FIFO " + priority :
                REFUSED + "asked for SCHED_FIFO " + priority + ", the thread reads policy " + policy + " priority " +
                    obtained;
        }
        catch (final IOException | RuntimeException ex)
        {
            return REFUSED + ex.getMessage();
        }
    }

    private static int realTimeThreads(final Path tasks, final String except) throws IOException
    {
        int count = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                if (!thread.getFileName().toString().equals(except) && isRealTime(thread))
                {
                    count++;
                }
            }
        }
        return count;
    }

    private static boolean isRealTime(final Path thread)
    {
        try
        {
            final int policy = Integer.parseInt(statFields(thread)[POLICY_FIELD - FIRST_FIELD]);
            return policy == SCHED_FIFO || policy == SCHED_RR;
        }
        catch (final IOException ex)
        {
            // The thread has ended meanwhile.
            return false;
        }
    }

    /** The name is in parentheses, and may have spaces and parentheses itself. */
    private static String[] statFields(final Path thread) throws IOException
    {
        final String stat = Files.readString(thread.resolve("stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ");
    }
}
