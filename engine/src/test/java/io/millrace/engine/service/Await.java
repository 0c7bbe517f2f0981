package io.millrace.engine.service;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

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
}
