package io.millrace.benchmarks.race;

/**
 * What the publishing thread of one round does. That thread calls all methods, except those that a class leaves to
 * others.
 */
interface Producer
{
    /** Send what is not timed, and wait until it was handled. */
    void leadIn() throws Exception;

    /** Send what is timed, and wait until it was handled; say how long that took, in nanoseconds. */
    long timed() throws Exception;

    /** Timed events so far; any thread when the round is over. */
    long events();

    /** All events so far; any thread when the round is over. */
    long published();
}
