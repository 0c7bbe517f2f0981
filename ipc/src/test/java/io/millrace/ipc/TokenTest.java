package io.millrace.ipc;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tokens of deferred requests name one request of one session; and where a guest that attaches late begins. */
class TokenTest extends FolderFixture
{
    private final List<Long> tokens = Collections.synchronizedList(new ArrayList<>());

    private ExchangeContext context()
    {
        return Pair.context(directory).slots(4).heartbeatMs(20);
    }

    private static void submit(final HostLane lane)
    {
        assertNotNull(lane.claim());
        lane.submit(MessageType.NORMAL, 8);
    }

    private int defer(final Request request)
    {
        tokens.add(request.token());
        return RequestHandler.DEFERRED;
    }

    /** The next host's first request has the same lane, slot and generation, and the same guest serves it. */
    @Test
    void shouldNotAnswerARequestOfTheNextHost() throws Exception
    {
        try (ExchangeGuest guest = ExchangeGuest.launch(context()))
        {
            final LaneServer server = guest.server(this::defer);
            for (int life = 0; life < 3; life++)
            {
                try (ExchangeHost host = ExchangeHost.create(context()))
                {
                    assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                    submit(host.lane(0));
                    Pair.await("served", () -> server.doWork() > 0);
                    for (final long earlier : tokens.subList(0, life))
                    {
                        assertNotEquals(earlier, tokens.get(life));
                        assertNull(guest.responseTo(earlier));
                        assertFalse(guest.reply(earlier, CallStatus.OK, 8));
                    }
                    assertEquals(0, host.lane(0).poll((call, status, response, length) -> {}, 1));
                    assertTrue(guest.reply(tokens.get(life), CallStatus.REFUSED, 0));
                    assertEquals(1, host.lane(0).poll((call, status, response, length) ->
                        assertEquals(CallStatus.REFUSED, status), 1));
                }
                Pair.await("detached", () -> !guest.isAttached());
            }
        }
    }

    /** One place of the ring in each of its rounds. */
    @Test
    void shouldNotAnswerALaterRequestInTheSameSlot() throws Exception
    {
        try (Pair pair = Pair.host(context().slots(1)); ExchangeGuest guest = ExchangeGuest.attach(context()))
        {
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final LaneServer server = guest.server(this::defer);
            final HostLane lane = pair.host.lane(0);
            for (int round = 0; round < 4; round++)
            {
                submit(lane);
                Pair.await("served", () -> server.doWork() > 0);
                for (final long earlier : tokens.subList(0, round))
                {
                    assertFalse(guest.reply(earlier, CallStatus.OK, 8));
                }
                assertEquals(0, lane.poll((call, status, response, length) -> {}, 1));
                assertTrue(guest.reply(tokens.get(round), CallStatus.OK, round));
                final int expected = round;
                assertEquals(1, lane.poll((call, status, response, length) -> assertEquals(expected, length), 1));
            }
        }
    }

    /** The lane's request object has the token of the plain request before. */
    @Test
    void shouldHaveNoTokenInAStreamedRequestBehindAPlainOne() throws Exception
    {
        try (Pair pair = Pair.of(context(), request ->
        {
            tokens.add(request.token());
            return request.length() > 8 ? RequestHandler.DEFERRED : 0;
        }))
        {
            final HostLane lane = pair.host.lane(0);
            final ByteView message = new ByteView(ByteBuffer.allocateDirect(200));
            for (int i = 0; i < 3; i++)
            {
                lane.claim();
                assertEquals(0, lane.call(MessageType.NORMAL, 8));
                assertTrue(tokens.get(2 * i) > 0);
                assertEquals(CallStatus.FAILED, assertThrows(CallException.class, () ->
                    lane.callStreamed(MessageType.NORMAL, message, 0, 200, message)).status());
                assertEquals(0, tokens.get(2 * i + 1));
            }
        }
    }

    /** Whether a lane has something to do, which is left there. */
    private static boolean hasWork(final LaneServer server)
    {
        final boolean[] asks = {false};
        server.serveOneEach(() ->
        {
            asks[0] = true;
            return false;
        });
        return asks[0];
    }

    /** In the middle of a round of the ring, and without a thread that parks and looks for requests elsewhere. */
    @Test
    void shouldBeginAtTheNextRequestWhenItAttaches() throws Exception
    {
        try (Pair pair = Pair.host(context()))
        {
            final HostLane lane = pair.host.lane(0);
            for (int calls = 0; calls < 12; calls++)
            {
                try (ExchangeGuest guest = ExchangeGuest.attach(context()))
                {
                    assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                    final LaneServer server = guest.server(request -> 0);
                    assertFalse(hasWork(server));
                    submit(lane);
                    assertTrue(hasWork(server));
                    assertEquals(1, server.doWork());
                    assertEquals(1, lane.poll((call, status, response, length) ->
                        assertEquals(CallStatus.OK, status), 1));
                }
                Pair.await("detached", () -> !pair.host.isGuestAttached());
            }
        }
    }
}
