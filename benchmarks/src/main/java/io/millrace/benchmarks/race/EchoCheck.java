package io.millrace.benchmarks.race;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.jmh.Contender;

/**
 * The far end of a round trip: checks each event and sends one of the same number back. The echoing thread.
 */
final class EchoCheck extends Check
{
    private final Contender back;

    EchoCheck(final int fields, final Contender back)
    {
        super(1, fields);
        this.back = back;
    }

    @Override
    public void accept(final long id, final long fieldSum)
    {
        super.accept(id, fieldSum);
        while (!back.offer(id))
        {
            back.pause();
        }
    }
}
