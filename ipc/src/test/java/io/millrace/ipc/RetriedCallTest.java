package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A stage that calls a guest, on an agent that retries. */
class RetriedCallTest extends FolderFixture
{
    private static final int CALLS = 4;

    /** Throws in its first attempt to write an event, for an odd number in each. */
    private static final class Failing extends FlowTest.Codec
    {
        private long last = -1;

        @Override
        public int encode(final FlowTest.Numbered event, final ByteView into, final int offset)
        {
            final boolean isAgain = last == event.number;
            last = event.number;
            if (!isAgain || event.number % 2 == 1)
            {
                throw new IllegalStateException("planned");
            }
            return super.encode(event, into, offset);
        }
    }

    @Test
    void shouldCountAnEventOnceThatTheCodecFailsToWrite() throws Exception
    {
        final List<Long> dead = new ArrayList<>();
        final InVmSource<FlowTest.Numbered> source = new InVmSource<>(FlowTest.Numbered::new, CALLS);
        try (Pair pair = Pair.of(Pair.context(directory), Pair::plusOne))
        {
            final CallSink<FlowTest.Numbered> sink =
                new CallSink<>("call", FlowTest.Numbered.class, pair.host.lane(0), new Failing(), null);
            final Server caller = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .onError(ErrorPolicy.SKIP_AND_RECORD)
                .deadLetters((stage, sequence, event, cause) -> dead.add(sequence))
                .agent("caller", a -> a.hosts("call").retry(2, 0, 0))
                .flow("calls", f -> f.from(source).to("call", sink)));
            for (int i = 0; i < CALLS; i++)
            {
                final FlowTest.Numbered event = source.claim();
                event.number = i;
                source.publish(event);
                caller.invoke();
            }
            caller.close();
            assertEquals(CALLS / 2, dead.size());
            assertEquals(CALLS / 2, caller.counters().value("call.unsent"));
            assertEquals(CALLS / 2 * 3, caller.counters().value("call.retries"));
            assertEquals(0, caller.counters().value("call.unanswered"));
        }
    }

    @Test
    void shouldSendAnEventOnceAlthoughTheHandlerOfAnotherEndThrows() throws Exception
    {
        final List<Long> served = new ArrayList<>();
        final int[] ended = new int[1];
        final InVmSource<FlowTest.Numbered> source = new InVmSource<>(FlowTest.Numbered::new, CALLS);
        try (ExchangeHost host = ExchangeHost.create(Pair.context(directory));
            ExchangeGuest guest = ExchangeGuest.attach(Pair.context(directory)))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final LaneServer lanes = guest.server(request ->
            {
                served.add(request.bytes().getLong(request.offset()));
                return 0;
            });
            final CallSink<FlowTest.Numbered> sink = new CallSink<>("call", FlowTest.Numbered.class, host.lane(0),
                new FlowTest.Codec(), (call, status, response, length) ->
                {
                    if (ended[0]++ == 0)
                    {
                        throw new IllegalStateException("planned");
                    }
                });
            try (Server caller = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .agent("caller", a -> a.hosts("call").retry(1, 0, 0)).flow("calls", f -> f.from(source)
                .to("call", sink))))
            {
                for (int i = 0; i < CALLS; i++)
                {
                    final FlowTest.Numbered event = source.claim();
                    event.number = i;
                    source.publish(event);
                    // The end of the call before is reported in this call.
                    caller.invoke();
                    lanes.doWork();
                }
                assertEquals(1, caller.counters().value("call.retries"));
                assertEquals(0, caller.counters().value("call.errors"));
                assertEquals(0, caller.counters().value("call.unsent"));
            }
        }
        assertEquals(List.of(0L, 1L, 2L, 3L), served);
        assertEquals(CALLS, ended[0]);
    }
}
