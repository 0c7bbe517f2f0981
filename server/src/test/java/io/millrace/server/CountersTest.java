package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("normal")
class CountersTest
{
    private static final Set<String> NAMES = Set.of(
        "f.published", "f.rejected", "f.dropped", "f.blocked", "f.displaced", "f.undelivered", "f.pool.available",
        "f.pool.exhausted", "f.pool.doubleReleases", "f.pool.abandoned", "f.pool.revoked", "f-source.errors",
        "a.handled", "a.errors", "a.retries", "a.cycles", "a.timers.pending", "a.timers.fired", "f-source.cycles",
        "f-source.timers.pending", "f-source.timers.fired", "server.errors", "server.deadLetters", "server.stalls");

    private static Server launch(final Service service)
    {
        return Server.launch(new Server.Context().name("counted").service(service)
            .flow("f", f -> f.from(Tick::new, 16, new LoggedSource(new ArrayList<>(), 1_000)).to("a", Tick.IGNORED)));
    }

    @Test
    void shouldDescribeEachOfTheServersCounters()
    {
        try (Server server = launch(new LoggedService("s", new ArrayList<>())))
        {
            assertEquals(new TreeSet<>(NAMES), new TreeSet<>(server.counters().names()));
            final List<String> visited = new ArrayList<>();
            server.counters().forEach((name, value, description) ->
            {
                visited.add(name);
                assertFalse(description.isBlank(), name);
                assertTrue(value >= 0, name);
                assertTrue(server.counters().toString().contains(name + "=") &&
                    server.counters().toString().contains(description), name);
            });
            assertEquals(new ArrayList<>(server.counters().names()), visited);
            assertTrue(server.counters().all().toString().contains("server.errors=0  "), "a list of counters is text");
        }
    }

    @Test
    void shouldBeReadableByAnyThreadDuringTheRunAndAfterTheClose() throws Exception
    {
        final Server server = launch(new LoggedService("s", new ArrayList<>()));
        final AtomicLong seen = new AtomicLong();
        final Thread reader = new Thread(() ->
            Await.until("all were handled", () -> server.counters().value("a.handled") == 1_000), "reader");
        reader.setUncaughtExceptionHandler((thread, ex) -> seen.set(-1));
        reader.start();
        Await.ended(reader);
        assertEquals(0, seen.get());
        server.close();
        assertEquals(1_000, server.counters().value("a.handled"));
        assertEquals(1_000, server.counters().value("f.published"));
        assertEquals(16, server.counters().value("f.pool.available"));
    }

    @Test
    void shouldAcceptCountersOfAServiceAndRefuseADuplicateName()
    {
        final AtomicLong own = new AtomicLong(7);
        final List<Throwable> refused = new ArrayList<>();
        try (Server server = launch(new LoggedService("s", new ArrayList<>())
        {
            @Override
            public void onStart(final ServiceContext context)
            {
                assertEquals("counted", context.serverName());
                context.counters().add("s.own", "a count of the service", own::get);
                refused.add(assertThrows(IllegalArgumentException.class,
                    () -> context.counters().add("a.handled", "again", own::get)));
                refused.add(assertThrows(NullPointerException.class,
                    () -> context.counters().add("untold", null, own::get)));
            }
        }))
        {
            assertEquals(7, server.counters().value("s.own"));
            assertEquals("counter 'a.handled' exists already", refused.get(0).getMessage());
            assertFalse(server.counters().names().contains("untold"));
            final IllegalArgumentException ex =
                assertThrows(IllegalArgumentException.class, () -> server.counters().value("a.handeld"));
            assertTrue(ex.getMessage().contains("no counter 'a.handeld'"), ex.getMessage());
            assertTrue(ex.getMessage().contains("a.handled"), ex.getMessage());
        }
    }

    /** The console's answer has a line for each counter: its name, a space and its value. */
    @Test
    void shouldRefuseANameThatWouldBreakTheLineOfItsCounter()
    {
        final Counters counters = new Counters();
        for (final String name : List.of("", " ", "a\nb", "a\r", "a\u0085b", "\0"))
        {
            assertEquals("counter name '" + name + "' is blank, or has a control character",
                assertThrows(IllegalArgumentException.class, () -> counters.add(name, "one", () -> 0)).getMessage());
        }
        assertEquals(Set.of(), counters.names());
        counters.add("a b \"c\", d", "of the application", () -> 1);
        assertEquals(Set.of("a b \"c\", d"), counters.names());
    }
}
