package io.millrace.ipc;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Who may take the slot of a nested call, and when it is free again. */
class NestedSlotTest extends FolderFixture
{
    private static final int STRANGER = 0x5EED;

    private final AtomicInteger nested = new AtomicInteger();

    private Pair pair(final int depth, final RequestHandler handler) throws IOException
    {
        final Pair pair = Pair.of(Pair.context(directory).heartbeatMs(20).nestedDepth(depth), handler);
        pair.host.lane(0).onNested(request ->
        {
            nested.incrementAndGet();
            request.response().putLong(0, request.bytes().getLong(0) + 1);
            return Long.BYTES;
        });
        return pair;
    }

    private static int call(final Pair pair) throws CallException
    {
        Pair.fill(pair.host.lane(0).claim(), 0);
        return pair.host.lane(0).call(MessageType.APP_START, 64);
    }

    @Test
    void shouldMakeSeveralNestedCallsInOneRequest() throws Exception
    {
        try (Pair pair = pair(1, request ->
        {
            for (int i = 0; i < 5; i++)
            {
                request.claimNested().putLong(0, i);
                assertEquals(Long.BYTES, request.callNested(MessageType.APP_START, Long.BYTES));
                assertEquals(i + 1, request.nestedResponse().getLong(0));
            }
            return 7;
        }))
        {
            assertEquals(7, call(pair));
            assertEquals(7, call(pair));
            assertEquals(10, nested.get());
            assertEquals(List.of(), pair.errors);
            pair.host.lane(0).poll((call, status, response, length) -> {}, 1);
            pair.assertNoLeak();
        }
    }

    @Test
    void shouldRefuseANestedCallThatIsNotClaimedOrOutOfRange() throws Exception
    {
        try (Pair pair = pair(1, request ->
        {
            assertThrows(IllegalStateException.class, () -> request.callNested(MessageType.APP_START, 8));
            final ByteView view = request.claimNested();
            assertSame(view, request.claimNested());
            view.putLong(0, 41);
            for (final int wrong : new int[] {-1, 129, Integer.MAX_VALUE})
            {
                assertThrows(IllegalArgumentException.class, () -> request.callNested(MessageType.APP_START, wrong));
            }
            assertThrows(IllegalArgumentException.class, () -> request.callNested(MessageType.FETCH, 8));
            assertEquals(8, request.callNested(MessageType.APP_START, 8));
            assertEquals(42, request.nestedResponse().getLong(0));
            assertThrows(IllegalStateException.class, () -> request.callNested(MessageType.APP_START, 8));
            return 9;
        }))
        {
            assertEquals(9, call(pair));
            assertEquals(9, call(pair));
            assertEquals(2, nested.get());
        }
        try (Pair pair = pair(0, request ->
        {
            assertThrows(ExchangeException.class, request::claimNested);
            assertThrows(IllegalStateException.class, () -> request.callNested(MessageType.APP_START, 8));
            return 9;
        }))
        {
            assertEquals(9, call(pair));
        }
    }

    /** Also what an earlier peer left; not a slot in which the present one still serves. */
    @Test
    void shouldTakeANestedSlotThatNobodyServes() throws Exception
    {
        try (Pair pair = pair(1, request ->
        {
            request.claimNested();
            return 0;
        }))
        {
            final SharedMemory memory = pair.memory();
            final int slot = ExchangeLayout.read(memory, Integer.MAX_VALUE).slot(0, pair.host.lane(0).capacity());
            final int host = pair.guest.session().host;
            final int self = (int)memory.get(ExchangeLayout.GUEST_ID_OFFSET);
            for (final long word : new long[] {SlotWord.of(0, 5, SlotWord.FREE),
                SlotWord.of(host, 5, SlotWord.RESP_READY), SlotWord.of(STRANGER, 5, SlotWord.BUSY),
                SlotWord.of(STRANGER, 5, SlotWord.ABANDONED), SlotWord.of(STRANGER, 5, SlotWord.REQ_READY)})
            {
                memory.setVolatile(slot, word);
                assertEquals(0, call(pair), SlotWord.describe(word));
                assertEquals(SlotWord.of(0, SlotWord.state(word) == SlotWord.FREE ? 6 : 7, SlotWord.FREE),
                    memory.getVolatile(slot), SlotWord.describe(word));
            }
            for (final long word : new long[] {SlotWord.of(host, 5, SlotWord.BUSY),
                SlotWord.of(host, 5, SlotWord.ABANDONED), SlotWord.of(self, 5, SlotWord.BUSY)})
            {
                memory.setVolatile(slot, word);
                assertEquals(CallStatus.FAILED, assertThrows(CallException.class, () -> call(pair)).status());
                assertEquals(word, memory.getVolatile(slot), SlotWord.describe(word));
            }
            assertEquals(0, nested.get());
        }
    }

    @Test
    void shouldServeNestedRequestsOfItsGuestOnly() throws Exception
    {
        try (Pair pair = Pair.host(Pair.context(directory).nestedDepth(1));
            ExchangeGuest guest = ExchangeGuest.attach(Pair.context(directory)))
        {
            Pair.await("attached", pair.host::isGuestAttached);
            final HostLane lane = pair.host.lane(0);
            lane.onNested(request -> nested.incrementAndGet());
            final SharedMemory memory = pair.memory();
            final int slot = guest.session().layout.slot(0, lane.capacity());
            final int self = (int)memory.get(ExchangeLayout.GUEST_ID_OFFSET);
            lane.claim();
            lane.submit(MessageType.APP_START, 8);
            memory.put(slot + ExchangeLayout.REQUEST_OFFSET, Descriptor.of(MessageType.APP_START, 8, 0));
            for (final long word : new long[] {SlotWord.of(STRANGER, 3, SlotWord.REQ_READY),
                SlotWord.of(self, 3, SlotWord.BUSY)})
            {
                memory.setVolatile(slot, word);
                assertEquals(0, lane.poll((call, status, response, length) -> {}, 1));
                assertEquals(word, memory.getVolatile(slot), SlotWord.describe(word));
            }
            memory.setVolatile(slot, SlotWord.of(self, 3, SlotWord.REQ_READY));
            assertEquals(0, lane.poll((call, status, response, length) -> {}, 1));
            assertEquals(SlotWord.of(guest.session().host, 3, SlotWord.RESP_READY), memory.getVolatile(slot));
            assertEquals(1, nested.get());
        }
    }
}
