package io.millrace.ipc;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The caller writes and publishes, the server takes, reads and replies; the caller reads the answer if it is there. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "not published when the server looked")
@Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "request whole, not answered when the caller looked")
@Outcome(id = "7, 8", expect = Expect.ACCEPTABLE, desc = "request and answer whole")
@State
public class SlotHandOver
{
    private final SlotState state = new SlotState();

    /** Calls, and looks for the answer. */
    @Actor
    public void caller(final JJ_Result result)
    {
        final long claimed = state.host.claim(state.slot);
        state.memory.put(state.payload, 7);
        state.host.publish(state.slot, claimed, Long.BYTES);
        final long word = state.host.word(state.slot);
        result.r2 = SlotWord.state(word) == SlotWord.RESP_READY && state.host.accept(state.slot, word) ?
            state.memory.get(state.payload + ExchangeLayout.LINE_BYTES) : -1;
    }

    /** Serves. */
    @Actor
    public void server(final JJ_Result result)
    {
        result.r1 = -1;
        final long word = state.guest.word(state.slot);
        if (SlotWord.state(word) == SlotWord.REQ_READY)
        {
            final long taken = state.guest.take(state.slot, word);
            result.r1 = state.memory.get(state.payload);
            state.memory.put(state.payload + ExchangeLayout.LINE_BYTES, result.r1 + 1);
            state.guest.reply(state.slot, taken, Long.BYTES);
        }
    }
}
