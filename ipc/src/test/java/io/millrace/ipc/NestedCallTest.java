package io.millrace.ipc;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Calls of the guest to the host while it serves, and so on. */
class NestedCallTest extends FolderFixture
{
    private static final int CALLS = 300;

    private final List<Throwable> hostErrors = Collections.synchronizedList(new ArrayList<>());

    private ExchangeContext context()
    {
        return Pair.context(directory).heartbeatMs(20).errorHandler(hostErrors::add);
    }

    /** Host to guest to host to guest to host: each level adds one. */
    private static int nest(final Request request) throws ExchangeException
    {
        final long value = request.bytes().getLong(0);
        final long depth = request.bytes().getLong(8);
        long result = value;
        if (depth > 0)
        {
            final ByteView nested = request.claimNested();
            nested.putLong(0, value);
            nested.putLong(8, depth - 1);
            assertEquals(8, request.callNested(MessageType.APP_START, 16));
            result = request.nestedResponse().getLong(0);
        }
        request.response().putLong(0, result + 1);
        return 8;
    }

    private static long callNested(final HostLane lane, final long value, final long depth) throws CallException
    {
        final ByteView request = lane.claim();
        request.putLong(0, value);
        request.putLong(8, depth);
        lane.call(MessageType.APP_START, 16);
        return lane.response().getLong(0);
    }

    @Test
    void shouldNestCallsToTheConfiguredDepth() throws Exception
    {
        try (Pair pair = Pair.of(context().nestedDepth(4), NestedCallTest::nest))
        {
            final HostLane lane = pair.host.lane(0);
            lane.onNested(NestedCallTest::nest);
            for (int i = 0; i < CALLS; i++)
            {
                assertEquals(i + 1 + i % 5, callNested(lane, i, i % 5));
            }
            assertEquals(List.of(), pair.errors);
            // One deeper is refused at the deepest level, which fails; so do the levels above, and the next call works.
            assertEquals(CallStatus.FAILED,
                assertThrows(CallException.class, () -> callNested(lane, 7, 5)).status());
            assertEquals(12, callNested(lane, 7, 4));
            pair.assertNoLeakAfterPoll(lane);
        }
    }

    /** As {@code callNested}, with a poll for the answer. */
    private static long pollNested(final HostLane lane, final long value, final long depth) throws InterruptedException
    {
        final ByteView request = lane.claim();
        request.putLong(0, value);
        request.putLong(8, depth);
        lane.submit(MessageType.APP_START, 16);
        final AtomicLong answer = new AtomicLong();
        Pair.await("answer", () ->
            lane.poll((call, status, response, length) -> answer.set(response.getLong(0)), 1) == 1);
        return answer.get();
    }

    @Test
    void shouldServeNestedCallsWhileItPollsAndRefuseThemWithoutAHandler() throws Exception
    {
        try (Pair pair = Pair.of(context().nestedDepth(1), NestedCallTest::nest))
        {
            final HostLane lane = pair.host.lane(0);
            assertEquals(CallStatus.FAILED, assertThrows(CallException.class, () -> callNested(lane, 7, 1)).status());
            assertEquals(CallStatus.REFUSED, ((CallException)pair.errors.get(0)).status());
            lane.onNested(NestedCallTest::nest);
            assertEquals(3, pollNested(lane, 1, 1));
        }
    }

    /** The guest waits for the handler of its nested call, and answers nothing else before. */
    @Test
    void shouldRefuseToWaitOnTheLaneInAHandlerOfNestedCalls() throws Exception
    {
        try (Pair pair = Pair.of(context().nestedDepth(1), NestedCallTest::nest))
        {
            final HostLane lane = pair.host.lane(0);
            final ResponseHandler none = (call, status, response, length) ->
            {
            };
            final List<Executable> waits = List.of(
                () ->
                {
                    lane.claim();
                    lane.call(MessageType.APP_START, 0);
                },
                () -> lane.poll(none, 1),
                () -> lane.await(none, 1),
                () -> lane.batch(MessageType.APP_START, 1, (index, request) -> 0, none));
            for (final Executable each : waits)
            {
                lane.onNested(request ->
                {
                    assertEquals("a handler of nested calls must not call, poll or await on lane 0, which waits for it",
                        assertThrows(IllegalStateException.class, each).getMessage());
                    // That of a call: it is still claimed.
                    lane.cancel();
                    return nest(request);
                });
                assertEquals(9, callNested(lane, 7, 1));
                assertEquals(9, pollNested(lane, 7, 1));
            }
            assertEquals(List.of(), hostErrors);
            assertEquals(List.of(), pair.errors);
            assertNull(pair.host.lastFault());
            pair.assertNoLeakAfterPoll(lane);
        }
    }

    /** On the host, a handler can run inside of another one: the outer one must not wait afterwards either. */
    @Test
    void shouldRefuseAWaitAfterADeeperHandlerHasEnded() throws Exception
    {
        try (Pair pair = Pair.of(context().nestedDepth(3), NestedCallTest::nest))
        {
            final HostLane lane = pair.host.lane(0);
            final List<Integer> levels = new ArrayList<>();
            final ResponseHandler none = (call, status, response, length) ->
            {
            };
            lane.onNested(request ->
            {
                final int length = nest(request);
                assertThrows(IllegalStateException.class, () -> lane.poll(none, 1));
                levels.add(request.level());
                return length;
            });
            assertEquals(11, callNested(lane, 7, 3));
            assertEquals(List.of(3, 1), levels);
            pair.assertNoLeakAfterPoll(lane);
        }
    }

    /** The slots behind that of the call are used meanwhile. */
    @Test
    void shouldReleaseTheSlotOfACallWhoseNestedHandlerSubmits() throws Exception
    {
        try (Pair pair = Pair.of(context().nestedDepth(1), NestedCallTest::nest))
        {
            final HostLane lane = pair.host.lane(0);
            lane.onNested(request ->
            {
                final ByteView own = lane.claim();
                own.putLong(0, 20);
                own.putLong(8, 0);
                lane.submit(MessageType.APP_START, 16);
                return nest(request);
            });
            assertEquals(9, callNested(lane, 7, 1));
            final AtomicLong answer = new AtomicLong();
            assertEquals(1, lane.await((call, status, response, length) -> answer.set(response.getLong(0)), 1));
            assertEquals(21, answer.get());
            pair.assertNoLeak();
        }
    }
}
