package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Plain state passes from one thread to another and back, each way with a cell of {@link PaddedLong}: a release store,
 * and an acquire load that finds its value. Results: whether the second thread found its turn, what it saw then;
 * whether the first found the state back, what it saw then.
 */
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "the second looked too early")
@Outcome(id = "1, 7, 0, 0", expect = Expect.ACCEPTABLE, desc = "the first looked too early")
@Outcome(id = "1, 7, 1, 8", expect = Expect.ACCEPTABLE, desc = "there and back")
@State
public class CellPassesState
{
    private final PaddedLong there = new PaddedLong(0);
    private final PaddedLong back = new PaddedLong(0);
    private int state;

    /** Gives the state away and checks whether it is back. */
    @Actor
    public void first(final IIII_Result result)
    {
        state = 7;
        there.setRelease(1);
        if (back.getAcquire() == 1)
        {
            result.r3 = 1;
            result.r4 = state;
        }
    }

    /** Changes the state in its turn, and gives it back. */
    @Actor
    public void second(final IIII_Result result)
    {
        if (there.getAcquire() == 1)
        {
            result.r1 = 1;
            result.r2 = state;
            state = 8;
            back.setRelease(1);
        }
    }
}
