package io.millrace.server;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A thread that has called {@code System.exit}: it waits for the shutdown hooks and never returns. So a hook that
 * closes the server must not wait for it.
 */
final class ExitingThread
{
    /** Time between two looks. */
    static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private ExitingThread()
    {
    }

    /** Any thread. Allocates. */
    static boolean is(final Thread thread)
    {
        return thread != null && Stream.of(thread.getStackTrace()).anyMatch(frame ->
            frame.getClassName().equals(Runtime.class.getName()) && frame.getMethodName().equals("exit"));
    }
}
