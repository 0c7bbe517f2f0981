package io.millrace.ipc;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Two cleaners of one dead owner. Results: who freed the slot, and its generation afterwards. */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the first freed it")
@Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "the second freed it")
@State
public class SlotTwoCleaners
{
    private final SlotState state = new SlotState();
    private final long taken = state.guest.take(state.slot, state.published());

    /** Cleans. */
    @Actor
    public void first(final ZZI_Result result)
    {
        result.r1 = state.host.clean(state.slot, SlotWord.owner(taken));
    }

    /** Cleans. */
    @Actor
    public void second(final ZZI_Result result)
    {
        result.r2 = state.host.clean(state.slot, SlotWord.owner(taken));
    }

    /** Looks at the slot. */
    @Arbiter
    public void look(final ZZI_Result result)
    {
        final long word = state.host.word(state.slot);
        result.r3 = SlotWord.state(word) == SlotWord.FREE ? SlotWord.generation(word) : -1;
    }
}
