package io.millrace.ipc;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Several calls by one method. */
class BatchTest extends FolderFixture
{
    @Test
    void shouldMakeABatchOfCalls() throws Exception
    {
        try (Pair pair = Pair.of(Pair.context(directory).slots(4).heartbeatMs(20), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            final AtomicLong next = new AtomicLong();
            final ResponseHandler ends = (call, status, response, length) ->
                Pair.assertAnswer(response, next.getAndIncrement(), length);
            for (final int count : new int[] {0, 1, 4, 5, 100})
            {
                next.set(0);
                assertEquals(count, lane.batch(MessageType.APP_START, count,
                    (index, request) -> Pair.fill(request, index), ends));
                assertEquals(count, next.get());
            }
            assertThrows(IllegalArgumentException.class, () -> lane.batch(MessageType.APP_START, -1, null, ends));
            next.set(0);
            assertThrows(IllegalArgumentException.class, () -> lane.batch(MessageType.APP_START, 3, (index, request) ->
                index == 2 ? 129 : Pair.fill(request, index), ends));
            assertThrows(IllegalStateException.class, () -> lane.batch(MessageType.APP_START, 1, null, ends));
            while (lane.inFlight() > 0)
            {
                lane.await(ends, 4);
            }
            assertEquals(2, next.get());
            pair.stopGuest();
            Pair.await("detached", () -> !pair.host.isGuestAttached());
            next.set(0);
            assertEquals(9, lane.batch(MessageType.APP_START, 9, (index, request) -> 8,
                (call, status, response, length) -> next.addAndGet(status == CallStatus.PEER_LOST ? 1 : 0)));
            assertEquals(9, next.get());
            pair.assertNoLeak();
        }
    }
}
