package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.server.BackPressure;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A source of requests whose flow drops those for which it has no capacity. */
@Tag("server")
class DroppedRequestTest extends FolderFixture
{
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseARequestThatItsFlowDrops(final boolean deferred) throws Exception
    {
        final List<Long> tokens = new ArrayList<>();
        final List<CallStatus> ends = new ArrayList<>();
        final ObjLongConsumer<FlowTest.Numbered> receiver = (event, token) -> tokens.add(token);
        final ExchangeContext context = Pair.context(directory);
        try (ExchangeHost host = ExchangeHost.create(context); ExchangeGuest guest = ExchangeGuest.attach(context))
        {
            assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final RequestSource<FlowTest.Numbered> requests =
                new RequestSource<>(guest, new FlowTest.Codec(), deferred ? receiver : null);
            try (Server callee = Server.launch(new Server.Context().name("callee")
                .threadingMode(ThreadingMode.INVOKER).flow("requests", f -> f.from(FlowTest.Numbered::new, 2, requests)
                    .onFull(BackPressure.DROP_NEWEST).to("handle", (event, sequence, endOfBatch) ->
                    {
                    }))))
            {
                final HostLane lane = host.lane(0);
                final int count = lane.capacity();
                for (int i = 0; i < count; i++)
                {
                    final ByteView request = lane.claim();
                    request.putLong(0, i);
                    lane.submit(MessageType.NORMAL, Long.BYTES);
                }
                // One round refuses all that find no capacity: then the agent may idle.
                callee.invoke();
                assertEquals(count - 2, callee.counters().value("requests.dropped"));
                assertEquals(count - 2, callee.counters().value("requests-source.refused"));
                for (int i = 0; i < 2 && deferred; i++)
                {
                    assertTrue(guest.reply(tokens.get(i), CallStatus.OK, 0));
                }
                lane.poll((call, status, response, length) -> ends.add(status), count);
                assertEquals(List.of(CallStatus.OK, CallStatus.OK), ends.subList(0, 2));
                assertEquals(Collections.nCopies(count - 2, CallStatus.REFUSED), ends.subList(2, ends.size()));
            }
        }
    }
}
