package io.millrace.benchmarks.race;

/**
 * Work of the publishing thread of one round. That thread calls all methods, unless a class documents another thread.
 */
interface Producer
{
    /** Sends the untimed events and waits until they are handled. */
    void leadIn() throws Exception;

    /** Sends the timed events and waits until they are handled. Returns the time in nanoseconds. */
    long timed() throws Exception;

    /** Timed events so far; any thread when the round is over. */
    long events();

    /** All events so far; any thread when the round is over. */
    long published();
}
