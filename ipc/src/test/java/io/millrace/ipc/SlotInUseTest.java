package io.millrace.ipc;

import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A handler that claims does not get the slot of a call whose response is still read, or awaited. */
class SlotInUseTest extends FolderFixture
{
    private static final int SLOTS = 2;

    private ExchangeContext context()
    {
        return Pair.context(directory).slots(SLOTS).heartbeatMs(20);
    }

    private static void fill(final HostLane lane, final int first)
    {
        for (int i = 0; i < SLOTS; i++)
        {
            lane.submit(MessageType.NORMAL, Pair.fill(lane.claim(), first + i));
        }
    }

    private static int end(final HostLane lane, final ResponseHandler handler) throws InterruptedException
    {
        final AtomicInteger count = new AtomicInteger();
        Pair.await("answer", () -> count.addAndGet(lane.poll(handler, 1)) > 0);
        return count.get();
    }

    @Test
    void shouldBeFullUntilTheHandlerOfTheOldestResponseReturns() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            for (int round = 0; round < 3; round++)
            {
                final int first = 10 * round;
                fill(lane, first);
                assertEquals(1, end(lane, (call, status, response, length) ->
                {
                    assertNull(lane.claim(), "its slot has the response that is read here");
                    Pair.assertAnswer(response, first, length);
                }));
                // The handler of the last response may use the other slot only.
                assertEquals(1, end(lane, (call, status, response, length) ->
                {
                    final int more = Pair.fill(lane.claim(), first + 2);
                    lane.submit(MessageType.NORMAL, more);
                    assertNull(lane.claim());
                    assertEquals(1, assertAnswered(lane, first + 2));
                    assertNull(lane.claim(), "the slot of the outer handler is the next one");
                    Pair.assertAnswer(response, first + 1, length);
                }));
                assertEquals(0, lane.inFlight());
            }
            assertEquals(12, pair.host.counters().full());
            assertNull(pair.host.lastFault());
        }
    }

    private static int assertAnswered(final HostLane lane, final int first)
    {
        return lane.await((call, status, response, length) ->
        {
            assertNull(lane.claim(), "the slot of the outer handler is the next one");
            Pair.assertAnswer(response, first, length);
        }, 1);
    }

    @Test
    void shouldBeFreeAfterAHandlerThatThrows() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            final IllegalStateException planned = new IllegalStateException("planned");
            fill(lane, 1);
            assertSame(planned, assertThrows(IllegalStateException.class, () -> end(lane,
                (call, status, response, length) ->
                {
                    throw planned;
                })));
            assertNotNull(lane.claim());
            lane.cancel();
        }
    }

    /** The guest's nested call ends at its time, and then its request: the host still serves the nested one. */
    @Test
    void shouldBeFullForANestedHandlerWhoseCallIsAnswered() throws Exception
    {
        try (Pair pair = Pair.host(context().slots(1).nestedDepth(1));
            ExchangeGuest guest = ExchangeGuest.attach(context().timeout(20, TimeUnit.MILLISECONDS)))
        {
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final SharedMemory memory = pair.memory();
            final int slot = ExchangeLayout.read(memory, Integer.MAX_VALUE).slot(0, 0);
            final HostLane lane = pair.host.lane(0);
            final AtomicInteger claims = new AtomicInteger();
            lane.onNested(request ->
            {
                Pair.await("answered", () -> SlotWord.state(memory.getVolatile(slot)) == SlotWord.RESP_READY);
                claims.addAndGet(lane.claim() == null ? 1 : 100);
                return 0;
            });
            final LaneServer server = guest.server(request ->
            {
                request.claimNested();
                assertThrows(CallException.class, () -> request.callNested(MessageType.APP_START, 0));
                return Pair.plusOne(request);
            });
            final Thread thread = new Thread(() ->
            {
                final IdleStrategy idle = server.idleStrategy();
                while (claims.get() == 0)
                {
                    idle.idle(server.doWork());
                }
            }, "guest");
            thread.start();
            do
            {
                // Again if this thread is so late that it does not find the nested call.
                Pair.call(lane, 5);
            }
            while (claims.get() == 0);
            thread.join();
            assertEquals(1, claims.get());
            assertNull(pair.host.lastFault());
        }
    }
}
