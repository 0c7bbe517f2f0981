package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;

/**
 * Runs the rounds of one contender, always on the same book: each round begins and ends with an empty one. One thread,
 * which it binds to a CPU.
 */
public final class BookRunner
{
    private final BookFlow flow;
    private final BookContender contender;
    private final int cpu;
    private final ThreadProbe probe;
    private final Calibration calibration = new Calibration();

    /**
     * A runner for the calling thread.
     *
     * @param flow commands of the contender.
     * @param name of the contender, see {@link BookContender#named}.
     * @param cpu  a CPU number, or {@link Pinning#NONE}.
     */
    public BookRunner(final BookFlow flow, final String name, final int cpu)
    {
        this.flow = flow;
        this.cpu = cpu;
        contender = BookContender.named(name, flow.commands());
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
    }

    /**
     * Give all commands, and hash the events byte by byte, as the recordings are judged.
     *
     * @return what they come to, with the book as it is before it is emptied.
     */
    public BookAnswer verify()
    {
        contender.begin(true);
        contender.give(0, flow.endTimed());
        final BookAnswer answer = contender.answer();
        contender.give(flow.endTimed(), flow.commands().count());
        return answer;
    }

    /** Measure one round. */
    public BookRound round()
    {
        // Not in the round: the garbage of the rounds before it. What a round allocates itself stays its own.
        System.gc();
        contender.begin(false);
        final BookRound round = BookRound.measure(cpu, probe, calibration, flow.timed(),
            () -> contender.give(0, flow.firstTimed()),
            () -> contender.give(flow.firstTimed(), flow.endTimed()), contender::answer);
        contender.give(flow.endTimed(), flow.commands().count());
        return round;
    }

    /** Time each command alone. */
    public BookTypes types()
    {
        System.gc();
        return BookTypes.measure(contender, flow);
    }
}
