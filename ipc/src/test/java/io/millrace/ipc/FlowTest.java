package io.millrace.ipc;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A flow whose last stage calls a guest, and a flow in the guest whose source takes the requests. */
@Tag("server")
class FlowTest extends FolderFixture
{
    private static final int EVENTS = 2_000;
    private static final int CAPACITY = 64;

    /** An event with a number, and the token of its request. */
    static final class Numbered extends BasePoolAware
    {
        long number;
        private long token;

        void token(final long newToken)
        {
            token = newToken;
        }
    }

    /** Eight bytes; numbers below 0 have no record, and are refused. */
    static class Codec implements EventCodec<Numbered>
    {
        @Override
        public int encode(final Numbered event, final ByteView into, final int offset)
        {
            if (event.number == -1)
            {
                return NO_RECORD;
            }
            into.putLong(offset, event.number);
            return Long.BYTES;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final Numbered into)
        {
            into.number = length == Long.BYTES ? from.getLong(offset) : -1;
            return into.number < 0 ? DecodeResult.WRONG_VALUE : DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return Long.BYTES;
        }
    }

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void shouldHaveNoError()
    {
        assertEquals(List.of(), errors);
    }

    private ExchangeContext context()
    {
        return Pair.context(directory).errorHandler(errors::add);
    }

    private static final class Answers implements ResponseHandler
    {
        private final AtomicLong ok = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private final AtomicLong sum = new AtomicLong();

        @Override
        public void onResponse(final long call, final CallStatus status, final ByteView response, final int length)
        {
            if (status == CallStatus.OK)
            {
                ok.incrementAndGet();
                sum.addAndGet(length == 0 ? 0 : response.getLong(0));
            }
            else
            {
                assertEquals(CallStatus.REFUSED, status);
                refused.incrementAndGet();
            }
        }
    }

    private static void publish(final InVmSource<Numbered> source, final long number)
    {
        final Numbered event = source.claim();
        event.number = number;
        assertTrue(source.publish(event));
    }

    private void pass(final boolean deferred) throws Exception
    {
        final Answers answers = new Answers();
        final InVmSource<Numbered> source = new InVmSource<>(Numbered::new, CAPACITY);
        final AtomicLong handled = new AtomicLong();
        try (ExchangeHost host = ExchangeHost.create(context()); ExchangeGuest guest = ExchangeGuest.attach(context()))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final EventHandler<Numbered> handler = (event, sequence, endOfBatch) ->
            {
                assertEquals(handled.getAndIncrement(), event.number, "in order, none twice");
                if (deferred)
                {
                    guest.responseTo(event.token).putLong(0, event.number);
                    assertTrue(guest.reply(event.token, CallStatus.OK, Long.BYTES));
                }
            };
            try (Server callee = Server.launch(new Server.Context().name("callee")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("requests", f -> f.from(Numbered::new, CAPACITY, deferred ?
                    new RequestSource<Numbered>(guest, new Codec(), Numbered::token) :
                    new RequestSource<Numbered>(guest, new Codec()))
                    .through(Pipelines.ring()).to("handle", handler)));
                Server caller = Server.launch(new Server.Context().name("caller")
                    .errorHandler(errors::add).stallTimeoutNs(0)
                    .flow("events", f -> f.from(source).onFull(BackPressure.BLOCK).through(Pipelines.ring())
                        .to("call", new CallSink<>("call", Numbered.class, host.lane(0), new Codec(), answers)))))
            {
                for (int i = 0; i < EVENTS; i++)
                {
                    publish(source, i);
                }
                publish(source, -1);
                publish(source, -2);
                Pair.await("all answered", () -> answers.ok.get() == EVENTS && answers.refused.get() == 1);
                // A request is answered when its event is published, before it is handled.
                Pair.await("all handled and counted", () -> handled.get() == EVENTS &&
                    caller.counters().value("call.unsent") + caller.counters().value("call.unanswered") == 2);
                assertEquals(EVENTS, handled.get());
                assertEquals(1, caller.counters().value("call.unsent"));
                assertEquals(1, caller.counters().value("call.unanswered"));
                assertEquals(1, callee.counters().value("requests-source.refused"));
            }
            assertEquals(deferred ? EVENTS * (EVENTS - 1L) / 2 : 0, answers.sum.get());
        }
    }

    @Test
    void shouldAcknowledgeEachRequestThatIsPublished() throws Exception
    {
        pass(false);
    }

    @Test
    void shouldAnswerFromAHandlerOfTheFlow() throws Exception
    {
        pass(true);
    }

    /** A streamed request has no token, so the flow could not answer it. */
    @Test
    void shouldRefuseAStreamedRequestThatTheFlowWouldAnswer() throws Exception
    {
        final AtomicLong handled = new AtomicLong();
        try (ExchangeHost host = ExchangeHost.create(context()); ExchangeGuest guest = ExchangeGuest.attach(context()))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            try (Server callee = Server.launch(new Server.Context().name("callee")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("requests", f -> f.from(Numbered::new, CAPACITY,
                    new RequestSource<Numbered>(guest, new Codec(), Numbered::token))
                    .through(Pipelines.ring()).to("handle", (event, sequence, endOfBatch) ->
                        handled.incrementAndGet()))))
            {
                final ByteView message = new ByteView(new byte[Long.BYTES]);
                final CallException failure = assertThrows(CallException.class, () ->
                    host.lane(0).callStreamed(MessageType.NORMAL, message, 0, Long.BYTES, message));
                assertEquals(CallStatus.REFUSED, failure.status());
                assertEquals(1, callee.counters().value("requests-source.refused"));
            }
        }
        assertEquals(0, handled.get());
    }

    /** A codec that fails on every second number, after it has written some bytes. */
    private static final class Failing extends Codec
    {
        @Override
        public int encode(final Numbered event, final ByteView into, final int offset)
        {
            super.encode(event, into, offset);
            // The second: a wrong length, which the lane refuses.
            return event.number % 4 == 1 ? fail() : event.number % 4 == 3 ? Integer.MAX_VALUE : Long.BYTES;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final Numbered into)
        {
            super.decode(from, offset, length, into);
            return into.number % 2 == 1 ? DecodeResult.values()[fail()] : DecodeResult.OK;
        }

        private static int fail()
        {
            throw new IllegalStateException("planned");
        }
    }

    @Test
    void shouldGoOnAfterAnEventThatTheCodecFailsToWrite() throws Exception
    {
        final Answers answers = new Answers();
        final InVmSource<Numbered> source = new InVmSource<>(Numbered::new, CAPACITY);
        final AtomicLong dead = new AtomicLong();
        try (Pair pair = Pair.of(context(), Pair::plusOne);
            Server caller = Server.launch(new Server.Context().name("caller").onError(ErrorPolicy.SKIP_AND_RECORD)
                .errorHandler(errors::add).stallTimeoutNs(0)
                .deadLetters((stage, sequence, event, cause) -> dead.incrementAndGet())
                .flow("events", f -> f.from(source).onFull(BackPressure.BLOCK).to("call",
                    new CallSink<>("call", Numbered.class, pair.host.lane(0), new Failing(), answers)))))
        {
            for (int i = 0; i < EVENTS; i++)
            {
                publish(source, i);
            }
            Pair.await("all ended", () -> answers.ok.get() == EVENTS / 2 && dead.get() == EVENTS / 2);
            assertEquals(EVENTS / 2, caller.counters().value("call.unsent"));
            assertEquals(0, caller.counters().value("call.unanswered"));
        }
    }

    /** Through a pipeline that carries references, an event that nobody releases would stop its pool. */
    @Test
    void shouldReleaseTheEventThatTheCodecFailsToRead() throws Exception
    {
        final AtomicLong handled = new AtomicLong();
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (ExchangeHost host = ExchangeHost.create(context());
            ExchangeGuest guest = ExchangeGuest.attach(context().errorHandler(failures::add)))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            try (Server callee = Server.launch(new Server.Context().name("callee")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("requests", f -> f.from(Numbered::new, CAPACITY,
                    new RequestSource<Numbered>(guest, new Failing()))
                    .through(Pipelines.spsc(CAPACITY)).to("handle", (event, sequence, endOfBatch) ->
                        handled.incrementAndGet()))))
            {
                for (int i = 0; i < 4 * CAPACITY; i++)
                {
                    host.lane(0).claim().putLong(0, i);
                    CallStatus status = CallStatus.OK;
                    try
                    {
                        host.lane(0).call(MessageType.NORMAL, Long.BYTES);
                    }
                    catch (final CallException ex)
                    {
                        status = ex.status();
                    }
                    assertEquals(i % 2 == 0 ? CallStatus.OK : CallStatus.FAILED, status, "call " + i);
                }
                Pair.await("all handled", () -> handled.get() == 2 * CAPACITY);
                Pair.await("all released", () -> callee.counters().value("requests.pool.available") == CAPACITY);
            }
        }
        assertEquals(2 * CAPACITY, failures.size());
    }

    /** Three requests in a round, and four events: none is refused for want of one. */
    @Test
    void shouldLetRequestsOfEachLaneWaitForCapacity() throws Exception
    {
        final int lanes = 3;
        final int calls = 8;
        final List<CallStatus> ends = new ArrayList<>();
        try (ExchangeHost host = ExchangeHost.create(context().lanes(lanes));
            ExchangeGuest guest = ExchangeGuest.attach(context()))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            for (int i = 0; i < lanes * calls; i++)
            {
                host.lane(i % lanes).claim().putLong(0, i);
                host.lane(i % lanes).submit(MessageType.NORMAL, Long.BYTES);
            }
            final List<Long> handled = new ArrayList<>();
            try (Server callee = Server.launch(new Server.Context().name("callee")
                .threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add).stallTimeoutNs(0)
                .flow("requests", f -> f.from(Numbered::new, 4, new RequestSource<Numbered>(guest, new Codec()))
                    .through(Pipelines.ring()).to("handle", (event, sequence, endOfBatch) ->
                        handled.add(event.number)))))
            {
                Pair.await("all ended", () ->
                {
                    callee.invoke();
                    for (int i = 0; i < lanes; i++)
                    {
                        host.lane(i).poll((call, status, response, length) -> ends.add(status), calls);
                    }
                    return ends.size() == lanes * calls;
                });
                assertEquals(0, callee.counters().value("requests-source.refused"));
            }
            assertEquals(Collections.nCopies(lanes * calls, CallStatus.OK), ends);
            // The lanes in turn: none waits for the end of another.
            assertEquals(lanes, handled.subList(0, lanes).stream().map(number -> number % lanes).distinct().count());
            assertEquals(lanes * calls, handled.size());
        }
    }

    /** Calls that come while the server looks: it serves none for which it has not asked for capacity. */
    @Test
    void shouldAskForCapacityBeforeEachRequest() throws Exception
    {
        final AtomicBoolean asked = new AtomicBoolean();
        final AtomicBoolean ended = new AtomicBoolean();
        final AtomicLong notAsked = new AtomicLong();
        try (ExchangeHost host = ExchangeHost.create(context()); ExchangeGuest guest = ExchangeGuest.attach(context()))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final LaneServer server = guest.server(request ->
            {
                notAsked.addAndGet(asked.getAndSet(false) ? 0 : 1);
                return 0;
            });
            final IdleStrategy idle = server.idleStrategy();
            final Thread thread = new Thread(() ->
            {
                while (!ended.get())
                {
                    asked.set(false);
                    idle.idle(server.serveOneEach(() -> asked.compareAndSet(false, true)));
                }
            }, "guest");
            thread.start();
            try
            {
                for (int i = 0; i < 10 * EVENTS; i++)
                {
                    host.lane(0).claim();
                    host.lane(0).call(MessageType.APP_START, Long.BYTES);
                }
            }
            finally
            {
                ended.set(true);
                thread.join();
            }
        }
        assertEquals(0, notAsked.get());
    }

    /** The calls in flight wait together, not one after the other. */
    @Test
    void shouldEndAllCallsWithinTheTimeOfOneWhenItDrains() throws Exception
    {
        final InVmSource<Numbered> source = new InVmSource<>(Numbered::new, 2 * ExchangeLayout.MAX_SLOTS);
        final ExchangeContext slow =
            context().slots(ExchangeLayout.MAX_SLOTS).timeout(200, TimeUnit.MILLISECONDS);
        try (ExchangeHost host = ExchangeHost.create(slow); ExchangeGuest guest = ExchangeGuest.attach(context()))
        {
            assertTrue(guest.isAttached() && host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final Server caller = Server.launch(new Server.Context().name("caller").errorHandler(errors::add)
                .stallTimeoutNs(0).drainTimeoutNs(TimeUnit.SECONDS.toNanos(Pair.LIMIT_S))
                .flow("events", f -> f.from(source).onFull(BackPressure.BLOCK).through(Pipelines.ring())
                    .to("call", new CallSink<>("call", Numbered.class, host.lane(0), new Codec(), null))));
            for (int i = 0; i < ExchangeLayout.MAX_SLOTS; i++)
            {
                publish(source, i);
            }
            caller.close();
            assertEquals(0, host.lane(0).inFlight());
            assertEquals(ExchangeLayout.MAX_SLOTS, caller.counters().value("call.unanswered"));
        }
    }

    @Test
    void shouldRefuseACodecWithLongerRecordsThanASlot() throws Exception
    {
        try (ExchangeHost host = ExchangeHost.create(context()))
        {
            final EventCodec<Numbered> wide = new EventCodec<>()
            {
                @Override
                public int encode(final Numbered event, final ByteView into, final int offset)
                {
                    return NO_RECORD;
                }

                @Override
                public DecodeResult decode(
                    final ByteView from, final int offset, final int length, final Numbered into)
                {
                    return DecodeResult.OK;
                }

                @Override
                public int maxLengthBytes()
                {
                    return ExchangeContext.DEFAULT_PAYLOAD_BYTES + 1;
                }
            };
            assertThrows(IllegalArgumentException.class, () ->
                new CallSink<>("call", Numbered.class, host.lane(0), wide, null));
        }
    }
}
