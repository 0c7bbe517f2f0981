package io.millrace.server;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/** Waits in tests: long enough for the slowest host, and never longer than necessary. */
final class Await
{
    static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Await()
    {
    }

    static void until(final String what, final BooleanSupplier reached)
    {
        final long deadlineNs = System.nanoTime() + LONG_NS;
        while (!reached.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain: " + what);
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    static void ended(final Thread thread) throws InterruptedException
    {
        thread.join(TimeUnit.NANOSECONDS.toMillis(LONG_NS));
        if (thread.isAlive())
        {
            final Exception where = new Exception(thread.getName());
            where.setStackTrace(thread.getStackTrace());
            fail("thread does not end", where);
        }
    }

    static void closed(final Server server) throws InterruptedException
    {
        if (!server.awaitClose(LONG_NS))
        {
            fail("the server did not close");
        }
    }

    /** Names of the threads of a server. */
    static List<String> threadsOf(final String server)
    {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter(name -> name.startsWith(server + "-")).sorted().collect(Collectors.toList());
    }

    /** The threads of a server; one of an earlier server of this name may end late. */
    static void threadsOf(final String server, final List<String> expected)
    {
        until("the threads " + expected, () -> threadsOf(server).equals(expected));
    }

    /**
     * A close waits for all threads; but only a moment for the one that called it for an agent, and for the stall
     * detector, which end by themselves.
     */
    static void noThreadOf(final String server)
    {
        final List<String> left = threadsOf(server);
        left.removeAll(List.of(server + "-stop", server + "-stall-detector"));
        assertEquals(List.of(), left, "threads left of " + server);
        threadsOf(server, List.of());
    }
}
