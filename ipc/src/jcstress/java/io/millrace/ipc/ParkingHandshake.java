package io.millrace.ipc;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A guest's thread parks while the host publishes. Results: the guest saw the request, the host saw the flag. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the guest does not park")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the host wakes it")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "the guest sleeps on a request")
@State
public class ParkingHandshake
{
    private final SlotState state = new SlotState();
    private final LaneEnd host = SlotState.end(state.memory, true);
    private final LaneEnd guest = SlotState.end(state.memory, false);
    private final long claimed = state.host.claim(state.slot);

    /** Publishes, and wakes the guest if its flag is up: the flag is down then. */
    @Actor
    public void caller()
    {
        state.host.publish(state.slot, claimed, Long.BYTES);
        host.signal();
    }

    /** Raises its flag, and looks once more. */
    @Actor
    public void server(final ZZ_Result result)
    {
        guest.announceWaiting(true);
        result.r1 = SlotWord.state(guest.slots.word(state.slot)) == SlotWord.REQ_READY;
    }

    /** Looks whether the flag is down. */
    @Arbiter
    public void look(final ZZ_Result result)
    {
        result.r2 = state.memory.getVolatile(
            ExchangeLayout.HEADER_BYTES + ExchangeLayout.GUEST_WAITING_OFFSET) == 0;
    }
}
