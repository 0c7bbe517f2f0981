package io.millrace.ipc;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The server replies while the caller gives up. Results: replied, given up, state of the slot afterwards. */
@JCStressTest
@Outcome(id = "true, false, 2", expect = Expect.ACCEPTABLE, desc = "answered: the caller takes it")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "given up: the server freed the slot")
@State
public class SlotReplyAndAbandon
{
    private final SlotState state = new SlotState();
    private final long published = state.published();
    private final long taken = state.guest.take(state.slot, published);

    /** Replies. */
    @Actor
    public void server(final ZZI_Result result)
    {
        result.r1 = state.guest.reply(state.slot, taken, Long.BYTES);
    }

    /** Gives up. */
    @Actor
    public void caller(final ZZI_Result result)
    {
        result.r2 = state.host.abandon(state.slot, published, SlotState.GUEST);
    }

    /** Looks at the slot. */
    @Arbiter
    public void look(final ZZI_Result result)
    {
        result.r3 = SlotWord.state(state.host.word(state.slot));
    }
}
