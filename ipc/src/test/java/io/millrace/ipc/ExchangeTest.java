package io.millrace.ipc;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The exchange as its users see it, with host and guest on two threads of one process. */
class ExchangeTest extends FolderFixture
{
    private static final int CALLS = 3_000;

    private final List<Throwable> hostErrors = Collections.synchronizedList(new ArrayList<>());

    private ExchangeContext context()
    {
        return Pair.context(directory).heartbeatMs(20).errorHandler(hostErrors::add);
    }

    @Test
    void shouldAnswerEachCallWithItsContent() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < CALLS; i++)
            {
                Pair.call(lane, i);
            }
            assertEquals(0, lane.inFlight());
            assertEquals(0, lane.poll((call, status, view, length) -> assertNull(view), 1));
            pair.assertNoLeak();
            assertEquals(List.of(), pair.errors);
        }
    }

    @Test
    void shouldReportSubmittedCallsInTheirOrder() throws Exception
    {
        try (Pair pair = Pair.of(context().slots(8), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            final AtomicLong ended = new AtomicLong();
            final ResponseHandler handler = (call, status, response, length) ->
            {
                assertEquals(CallStatus.OK, status);
                Pair.assertAnswer(response, ended.getAndIncrement(), length);
            };
            for (long sent = 0; ended.get() < CALLS;)
            {
                ByteView request = sent < CALLS ? lane.claim() : null;
                while (request != null)
                {
                    lane.submit(MessageType.APP_START, Pair.fill(request, sent++));
                    request = sent < CALLS ? lane.claim() : null;
                }
                assertTrue(lane.inFlight() <= 8);
                lane.await(handler, 3);
            }
            assertEquals(0, lane.inFlight());
            assertEquals(0, lane.await(handler, 1));
            pair.assertNoLeak();
        }
    }

    @Test
    void shouldRefuseAClaimWhenEverySlotIsInFlight() throws Exception
    {
        try (Pair pair = Pair.host(context().slots(2)))
        {
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < 2; i++)
            {
                Pair.fill(lane.claim(), i);
                lane.submit(MessageType.NORMAL, 8);
            }
            assertNull(lane.claim());
            assertEquals(1, pair.host.counters().full());
            assertTrue(pair.host.counters().toString().contains("full=1 "), pair.host.counters()::toString);
            final List<CallStatus> ends = new ArrayList<>();
            assertEquals(2, lane.poll((call, status, response, length) -> ends.add(status), 5));
            assertEquals(List.of(CallStatus.PEER_LOST, CallStatus.PEER_LOST), ends);
            pair.assertNoLeak();
        }
    }

    @Test
    void shouldGiveBackWhatWasClaimed() throws Exception
    {
        try (Pair pair = Pair.of(context().slots(2), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < 7; i++)
            {
                assertNotNull(lane.claim());
                lane.cancel();
            }
            lane.cancel();
            Pair.call(lane, 1);
            Pair.fill(lane.claim(), 2);
            lane.submit(MessageType.NORMAL, 64);
            assertNotNull(lane.claim());
            lane.cancel();
            assertEquals(1, lane.await((call, status, response, length) -> assertEquals(CallStatus.OK, status), 9));
            assertEquals(0, lane.inFlight());
            Pair.call(lane, 3);
            pair.assertNoLeakAfterPoll(lane);
        }
    }

    @Test
    void shouldStreamMessagesLongerThanASlot() throws Exception
    {
        final int length = 20_001;
        try (Pair pair = Pair.of(context().payloadBytes(192), request ->
        {
            // Reverses the message.
            for (int i = 0; i < request.length(); i++)
            {
                request.response().putByte(i, request.bytes().getByte(request.length() - 1 - i));
            }
            return request.length();
        }))
        {
            final ByteView message = new ByteView(new byte[length + 3]);
            final ByteView answer = new ByteView(new byte[length]);
            for (int i = 0; i < length; i++)
            {
                message.putByte(i + 3, (byte)(i * 31 >> 3));
            }
            for (final int each : new int[] {length, 0, 1, 191, 192, 193, 384})
            {
                assertEquals(each, pair.host.lane(0).callStreamed(MessageType.NORMAL, message, 3, each, answer));
                for (int i = 0; i < each; i++)
                {
                    assertEquals(message.getByte(3 + each - 1 - i), answer.getByte(i));
                }
            }
            final CallException refused = assertThrows(CallException.class, () -> pair.host.lane(0)
                .callStreamed(MessageType.NORMAL, message, 0, 200, new ByteView(new byte[199])));
            assertEquals(CallStatus.REFUSED, refused.status());
            assertEquals(5, pair.host.lane(0).callStreamed(MessageType.NORMAL, message, 0, 5, answer));
            pair.assertNoLeakAfterPoll(pair.host.lane(0));
        }
    }

    @Test
    void shouldRefuseAMessageLongerThanTheGuestTakes() throws Exception
    {
        try (Pair pair = Pair.of(context().payloadBytes(1 << 16).maxMessageBytes(1 << 21), Request::length))
        {
            final ByteView message = new ByteView(new byte[1 << 21]);
            final CallException refused = assertThrows(CallException.class, () ->
                pair.host.lane(0).callStreamed(MessageType.NORMAL, message, 0, 1 << 21, message));
            assertEquals(CallStatus.REFUSED, refused.status());
            assertThrows(IllegalArgumentException.class, () ->
                pair.host.lane(0).callStreamed(MessageType.NORMAL, message, 1, 1 << 21, message));
        }
    }

    @Test
    void shouldTellTheCallerThatAHandlerFailed() throws Exception
    {
        final IllegalStateException poison = new IllegalStateException("poison");
        try (Pair pair = Pair.of(context(), request ->
        {
            if (request.bytes().getLong(0) == 13)
            {
                throw poison;
            }
            return request.bytes().getLong(0) == 14 ? request.responseCapacity() + 1 : Pair.plusOne(request);
        }))
        {
            final HostLane lane = pair.host.lane(0);
            for (final long bad : new long[] {13, 14})
            {
                Pair.fill(lane.claim(), bad);
                assertEquals(CallStatus.FAILED, assertThrows(CallException.class, () ->
                    lane.call(MessageType.NORMAL, 64)).status());
            }
            Pair.call(lane, 15);
            assertEquals(poison, pair.errors.get(0));
            assertEquals(2, pair.errors.size());
            assertEquals(2, pair.guest.counters().failures());
        }
    }

    /** A request that is never answered keeps its slot, and with it the lane. */
    @Test
    void shouldTellTheCallerThatAHandlerThrewAnError() throws Exception
    {
        final AssertionError poison = new AssertionError("poison");
        try (Pair pair = Pair.of(context().slots(1), request ->
        {
            if (request.bytes().getLong(0) == 13)
            {
                throw poison;
            }
            return Pair.plusOne(request);
        }))
        {
            final HostLane lane = pair.host.lane(0);
            Pair.fill(lane.claim(), 13);
            assertEquals(CallStatus.FAILED, assertThrows(CallException.class, () ->
                lane.call(MessageType.NORMAL, 64)).status());
            Pair.call(lane, 15);
            assertEquals(List.of(poison), pair.errors);
            assertEquals(1, pair.guest.counters().failures());
        }
    }

    @Test
    void shouldAnswerDeferredRequestsFromAnyThread() throws Exception
    {
        final List<Long> tokens = new ArrayList<>();
        try (Pair pair = Pair.of(context(), request ->
        {
            synchronized (tokens)
            {
                tokens.add(request.token());
            }
            return RequestHandler.DEFERRED;
        }))
        {
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < 3; i++)
            {
                Pair.fill(lane.claim(), i);
                lane.submit(MessageType.NORMAL, 64);
            }
            Pair.await("three requests", () ->
            {
                synchronized (tokens)
                {
                    return tokens.size() == 3;
                }
            });
            for (int i = 2; i >= 0; i--)
            {
                pair.guest.responseTo(tokens.get(i)).putLong(0, 100 + i);
                assertTrue(pair.guest.reply(tokens.get(i), CallStatus.OK, 8));
                assertFalse(pair.guest.reply(tokens.get(i), CallStatus.OK, 8), "twice");
            }
            final List<Long> answers = new ArrayList<>();
            Pair.await("answers", () ->
            {
                lane.poll((call, status, response, length) -> answers.add(response.getLong(0)), 3);
                return answers.size() == 3;
            });
            assertEquals(List.of(100L, 101L, 102L), answers);
            assertFalse(pair.guest.reply(tokens.get(0), CallStatus.OK, 8), "late");
            assertFalse(pair.guest.reply(1, CallStatus.OK, 8), "unknown");
            assertThrows(IllegalArgumentException.class, () -> pair.guest.reply(1, CallStatus.TIMED_OUT, 8));
        }
    }

    @Test
    void shouldWakeParkedThreadsOfBothSides() throws Exception
    {
        final CountDownLatch release = new CountDownLatch(1);
        try (Pair pair = Pair.of(context(), request ->
        {
            release.await();
            return Pair.plusOne(request);
        }))
        {
            Pair.await("the guest parks", () -> pair.guestThread().getState() == Thread.State.TIMED_WAITING);
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Thread caller = new Thread(() ->
            {
                try
                {
                    Pair.call(pair.host.lane(0), 5);
                }
                catch (final Throwable ex)
                {
                    failure.set(ex);
                }
            });
            caller.start();
            Pair.await("the caller parks", () -> caller.getState() == Thread.State.TIMED_WAITING);
            release.countDown();
            caller.join();
            assertNull(failure.get());
        }
    }

    @Test
    void shouldAnswerAHeartbeatWithoutTheHandler() throws Exception
    {
        try (Pair pair = Pair.of(context(), request ->
        {
            throw new AssertionError();
        }))
        {
            assertNotNull(pair.host.lane(0).claim());
            assertEquals(0, pair.host.lane(0).call(MessageType.HEARTBEAT, 0));
        }
    }

    @Test
    void shouldServeAGuestAfterAGuest() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            for (int i = 0; i < 3; i++)
            {
                Pair.call(pair.host.lane(0), i);
                final IOException second = assertThrows(ExchangeException.class, () ->
                    ExchangeGuest.attach(context()));
                assertEquals("another guest is attached to " + context().file() +
                    ", or the host has not noticed its end yet: try again, or use launch", second.getMessage());
                pair.stopGuest();
                Pair.await("detached", () -> !pair.host.isGuestAttached());
                assertNotNull(pair.host.lane(0).claim());
                assertEquals(CallStatus.PEER_LOST, assertThrows(CallException.class, () ->
                    pair.host.lane(0).call(MessageType.NORMAL, 8)).status());
                pair.guest(Pair::plusOne);
            }
            Pair.call(pair.host.lane(0), 4);
            pair.assertNoLeakAfterPoll(pair.host.lane(0));
        }
    }

    @Test
    void shouldAttachAgainToARestartedHost() throws Exception
    {
        try (ExchangeGuest guest = ExchangeGuest.launch(context()))
        {
            final LaneServer server = guest.server(Pair::plusOne);
            for (int i = 0; i < 3; i++)
            {
                try (Pair pair = Pair.host(context()))
                {
                    assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                    Pair.fill(pair.host.lane(0).claim(), i);
                    pair.host.lane(0).submit(MessageType.NORMAL, 64);
                    Pair.await("served", () -> server.doWork() == 1);
                    assertEquals(1, pair.host.lane(0).await(
                        (call, status, response, length) -> assertEquals(CallStatus.OK, status), 1));
                }
                Pair.await("detached", () -> !guest.isAttached());
                assertEquals(0, server.doWork());
            }
        }
    }

    @Test
    void shouldNameTheValueAndTheRangeOfAnImpossibleSetting()
    {
        for (final ExchangeContext bad : List.of(context().lanes(0), context().lanes(129), context().slots(3),
            context().slots(2_048), context().payloadBytes(63), context().payloadBytes(100), context().nestedDepth(9),
            context().lanes(128).slots(1_024).payloadBytes(1 << 20)))
        {
            assertThrows(IllegalArgumentException.class, () -> ExchangeHost.create(bad));
        }
        for (final String name : List.of("", ".x", "a/b", "A", "x".repeat(41)))
        {
            assertThrows(IllegalArgumentException.class, () -> new ExchangeContext(name));
        }
        assertEquals("lanes 129 is not in 1..128",
            assertThrows(IllegalArgumentException.class, () -> ExchangeHost.create(context().lanes(129))).getMessage());
    }

    @Test
    void shouldRefuseWrongUseAndChangeNothing() throws Exception
    {
        try (Pair pair = Pair.of(context(), Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            assertThrows(IllegalStateException.class, () -> lane.submit(MessageType.NORMAL, 8));
            assertEquals("0 claimed or in flight: a call needs the claimed one only",
                assertThrows(IllegalStateException.class, () -> lane.call(MessageType.NORMAL, 8)).getMessage());
            final ByteView request = lane.claim();
            assertThrows(IllegalStateException.class, lane::claim);
            assertThrows(IllegalArgumentException.class, () -> lane.call(2, 8));
            assertThrows(IllegalArgumentException.class, () -> lane.call(0x10000, 8));
            assertThrows(IllegalArgumentException.class, () -> lane.call(MessageType.NORMAL, 129));
            assertThrows(IllegalArgumentException.class, () -> lane.submit(MessageType.NORMAL, -1));
            assertEquals(64, lane.call(MessageType.NORMAL, Pair.fill(request, 3)));
            assertThrows(IllegalArgumentException.class, () -> pair.host.lane(1));
            assertThrows(IllegalArgumentException.class, () -> pair.guest.server(127, 2, Pair::plusOne));
        }
    }
}
