package io.millrace.benchmarks.jmh.ops;

/**
 * A timed operation with all that it needs: made once, then prepared, run and checked again and again. One thread.
 */
interface Operation
{
    /** Not timed: make everything ready for a run. Allocates nothing. */
    void prepare();

    /** Timed. */
    void run();

    /** Not timed: an exception when the run did not come to what it should. */
    void check();

    /** For checks: an exception unless the two are equal. */
    static void expect(final String what, final long expected, final long found)
    {
        if (expected != found)
        {
            throw new IllegalStateException("wrong answer: " + what + " is " + found + ", not " + expected);
        }
    }
}
