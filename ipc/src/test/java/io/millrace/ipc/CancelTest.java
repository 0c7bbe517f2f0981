package io.millrace.ipc;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A request that is claimed and cancelled between others has no end of its own, however the others end. */
class CancelTest extends FolderFixture
{
    private static final int ROUNDS = 5;

    private ExchangeContext context()
    {
        return Pair.context(directory).slots(4).heartbeatMs(20);
    }

    /** Two requests, and a cancelled one between them. */
    private static List<Long> submit(final HostLane lane)
    {
        final List<Long> submitted = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            final int length = Pair.fill(lane.claim(), i);
            if (i == 1)
            {
                lane.cancel();
            }
            else
            {
                submitted.add(lane.submit(MessageType.NORMAL, length));
            }
        }
        return submitted;
    }

    private static List<Long> ends(final HostLane lane, final CallStatus expected)
    {
        final List<Long> ends = new ArrayList<>();
        int count = 0;
        while (lane.inFlight() > 0)
        {
            count += lane.await((call, status, response, length) ->
            {
                assertEquals(expected, status);
                ends.add(call);
            }, 4);
        }
        assertEquals(ends.size(), count);
        return ends;
    }

    /** A wrong end would look at the slot's last use, and detach a guest that did nothing wrong. */
    private static void assertAttached(final Pair pair)
    {
        assertNull(pair.host.lastFault());
        assertTrue(pair.host.isGuestAttached());
    }

    @Test
    void shouldHaveNoEndBehindARequestThatIsNotAnswered() throws Exception
    {
        final ExchangeContext context = context().timeout(20, TimeUnit.MILLISECONDS);
        try (Pair pair = Pair.host(context); ExchangeGuest guest = ExchangeGuest.attach(context))
        {
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            for (int round = 0; round < ROUNDS; round++)
            {
                final List<Long> submitted = submit(pair.host.lane(0));
                assertEquals(submitted, ends(pair.host.lane(0), CallStatus.TIMED_OUT));
            }
            assertAttached(pair);
            assertTrue(guest.isAttached());
        }
    }

    @Test
    void shouldHaveNoEndBehindARequestWhoseHandlerThrows() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            final IllegalStateException planned = new IllegalStateException("planned");
            for (int round = 0; round < ROUNDS; round++)
            {
                final List<Long> submitted = submit(lane);
                assertSame(planned, assertThrows(IllegalStateException.class, () ->
                    lane.await((call, status, response, length) ->
                    {
                        throw planned;
                    }, 1)));
                assertEquals(submitted.subList(1, 2), ends(lane, CallStatus.OK));
            }
            assertAttached(pair);
        }
    }

    @Test
    void shouldHaveNoEndWhenAHandlerCancelsIt() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < ROUNDS; i++)
            {
                Pair.fill(lane.claim(), i);
                lane.submit(MessageType.NORMAL, 64);
                assertEquals(1, lane.await((call, status, response, length) ->
                {
                    assertEquals(CallStatus.OK, status);
                    assertNotNull(lane.claim());
                    lane.cancel();
                }, 4));
                assertEquals(0, lane.inFlight());
            }
            assertAttached(pair);
        }
    }

    /** Its place in the ring had a cancelled request a lap ago. */
    @Test
    void shouldHaveItsEndWhenItIsSubmittedAfterThePollOfTheOneBefore() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < 4; i++)
            {
                lane.claim();
                lane.cancel();
            }
            Pair.fill(lane.claim(), 1);
            lane.submit(MessageType.NORMAL, 64);
            final int length = Pair.fill(lane.claim(), 2);
            final ResponseHandler first = (call, status, response, n) -> Pair.assertAnswer(response, 1, n);
            Pair.await("answer", () -> lane.poll(first, 4) == 1);
            assertEquals(0, lane.poll(first, 4), "it is not submitted");
            assertEquals(1, lane.inFlight());
            final long second = lane.submit(MessageType.NORMAL, length);
            assertEquals(List.of(second), ends(lane, CallStatus.OK));
            assertAttached(pair);
        }
    }
}
