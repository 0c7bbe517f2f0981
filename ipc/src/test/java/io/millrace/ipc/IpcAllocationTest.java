package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** 0 bytes on both sides: calls, submitted calls, nested calls, streamed messages. */
@Tag("allocation")
class IpcAllocationTest extends FolderFixture
{
    /** A thousandth of what single-threaded tests pass: on a busy machine each call may change threads twice. */
    private static final int CALLS = Integer.getInteger("allocation.events", 1_000_000) / 1_000;
    private static final int WARM_UP = 5_000;
    private static final int BATCH = 20;
    private static final int MAX_WINDOWS = 6;

    private final RequestHandler nested = request -> Pair.plusOne(request);
    private final ByteView message = new ByteView(new byte[1_000]);
    private final ByteView answer = new ByteView(new byte[1_000]);
    private long sent;
    private long next;
    private final ResponseHandler poll = (call, status, response, length) ->
        Pair.assertAnswer(response, next++, length);
    private final RequestFiller filler = (index, request) -> Pair.fill(request, sent++);

    private static int serve(final Request request) throws ExchangeException
    {
        if (request.type() == MessageType.APP_START + 1)
        {
            final ByteView bytes = request.claimNested();
            Pair.fill(bytes, request.bytes().getLong(0));
            request.callNested(MessageType.APP_START, 64);
        }
        return Pair.plusOne(request);
    }

    private interface Step
    {
        void run(HostLane lane, int call) throws Exception;
    }

    private void submit(final HostLane lane, final int call)
    {
        ByteView request = lane.claim();
        while (request == null)
        {
            lane.await(poll, 4);
            request = lane.claim();
        }
        lane.submit(MessageType.APP_START, Pair.fill(request, sent++));
        if (call == CALLS - 1 || call == WARM_UP - 1)
        {
            while (lane.inFlight() > 0)
            {
                lane.await(poll, 16);
            }
        }
    }

    private void batch(final HostLane lane, final int call)
    {
        assertSame(BATCH, lane.batch(MessageType.APP_START, BATCH, filler, poll));
    }

    private static void nestedCall(final HostLane lane, final int call) throws CallException
    {
        final int length = lane.call(MessageType.APP_START + 1, Pair.fill(lane.claim(), call));
        Pair.assertAnswer(lane.response(), call, length);
    }

    private void streamed(final HostLane lane, final int call) throws CallException
    {
        message.putLong(0, call);
        assertSame(1_000, lane.callStreamed(MessageType.APP_START, message, 0, 1_000, answer));
    }

    private static void assertSame(final long expected, final long actual)
    {
        if (expected != actual)
        {
            throw new AssertionError(expected + " " + actual);
        }
    }

    private void assertNothing(final String what, final Pair pair, final int warmUp, final int calls, final Step step)
        throws Exception
    {
        final HostLane lane = pair.host.lane(0);
        run(step, lane, warmUp);
        AllocationWindows.assertNothing(
            what, MAX_WINDOWS, () -> run(step, lane, calls), pair.guestThread().getId());
    }

    private static void run(final Step step, final HostLane lane, final int calls) throws Exception
    {
        for (int i = 0; i < calls; i++)
        {
            step.run(lane, i);
        }
    }

    @Test
    void shouldAllocateNothingOnEitherSide() throws Exception
    {
        try (Pair pair = Pair.of(Pair.context(directory).nestedDepth(1), request ->
            request.responseCapacity() > 128 ? request.length() : serve(request)))
        {
            pair.host.lane(0).onNested(nested);
            final int calls = CALLS;
            assertNothing("call", pair, WARM_UP, calls, Pair::call);
            assertNothing("submit", pair, WARM_UP, calls, this::submit);
            assertNothing("batch", pair, WARM_UP / BATCH, calls / BATCH, this::batch);
            assertNothing("nested", pair, WARM_UP, calls / 2, IpcAllocationTest::nestedCall);
            assertNothing("streamed", pair, WARM_UP / 10, calls / 10, this::streamed);
            assertEquals(List.of(), pair.errors);
        }
    }
}
