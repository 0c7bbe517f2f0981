package io.millrace.server;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Two servers of one JVM with the same names do not affect each other.
 */
class TwoServersTest
{
    /** A server in which everything has a name. */
    private static final class One
    {
        final List<String> log = Collections.synchronizedList(new ArrayList<>());
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 256);
        final Server server = Server.launch(new Server.Context().name("same")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .service(new LoggedService("same", log))
            .agent("same", a -> a.hosts("stage"))
            .flow("same", f -> f.from(source).to("stage", (event, sequence, end) ->
            {
                if (event.value < 0)
                {
                    throw new IllegalStateException("poison");
                }
            })));

        void publish(final long value)
        {
            Tick.publish(source, value);
        }
    }

    @Test
    void shouldKeepCountersPoolsFailuresAndServicesApart() throws Exception
    {
        final One first = new One();
        final One second = new One();
        assertEquals(2, Await.threadsOf("same").stream().filter("same-same"::equals).count());
        for (int i = 0; i < 100; i++)
        {
            first.publish(i);
        }
        second.publish(1);
        second.publish(-1);
        Await.closed(second.server);
        assertEquals("poison", second.server.failure().getCause().getMessage());
        assertEquals(1, second.errors.size());
        assertEquals(2, second.log.size());

        assertNull(first.server.failure());
        assertEquals(List.of(), first.errors);
        assertEquals(1, first.log.size(), "the other's service was closed");
        for (int i = 0; i < 50; i++)
        {
            first.publish(i);
        }
        first.server.close();
        assertEquals(150, first.server.counters().value("stage.handled"));
        assertEquals(0, first.server.counters().value("stage.errors"));
        assertEquals(2, second.server.counters().value("stage.handled"));
        assertEquals(1, second.server.counters().value("stage.errors"));
        assertEquals(2, first.log.size());
        assertEquals(2, second.log.size());
        assertNotSame(first.server.pools(), second.server.pools());
        assertNotSame(first.server.pools().pools().get(0), second.server.pools().pools().get(0));
        Await.until("no thread", () -> Await.threadsOf("same").isEmpty());
    }
}
