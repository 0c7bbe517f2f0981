package io.millrace.ipc;

import io.millrace.pool.Padding;

/**
 * How long a thread spins before it yields: longer while spinning succeeds, shorter while it does not. One thread.
 */
final class SpinLimit extends Padding
{
    /** Some 25 microseconds where a pause takes 40 cycles: longer than most answers, shorter than two wake-ups. */
    static final int START = 2_000;
    static final int MIN = 100;
    static final int MAX = 5_000;
    private static final int UP = 200;
    private static final int DOWN = 100;

    private int limit = START;

    int get()
    {
        return limit;
    }

    void succeeded()
    {
        limit = Math.min(limit + UP, MAX);
    }

    void failed()
    {
        limit = Math.max(limit - DOWN, MIN);
    }
}
