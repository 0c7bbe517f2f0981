package io.millrace.server;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Commands of an operator. */
class AdminCommandsTest
{
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldShowAndChangeTheServer(final ThreadingMode mode)
    {
        final Server server = Server.create(new Server.Context().threadingMode(mode).stallTimeoutNs(Await.LONG_NS)
            .flow("f", f -> f.from(source).to("a", Tick.ignored())));
        final AdminCommands admin = server.admin().add("greet", "NAME greets", words -> "hello " + words.get(0));
        assertEquals("NEW", admin.execute("state"));
        assertThrows(IllegalStateException.class, () -> admin.execute("pause a"));
        server.start();
        final String agent = mode == ThreadingMode.DEDICATED ? "a" : "shared";
        assertEquals("RUNNING", admin.execute(" state "));
        assertEquals(agent + " RUNNING", admin.execute("agents"));
        assertEquals("f", admin.execute("flows"));
        assertEquals("a", admin.execute("stages"));
        assertEquals("paused", admin.execute("pause a"));
        assertEquals("DEGRADED: 'a' is paused", admin.execute("health"));
        source.publish(source.claim());
        assertTrue(admin.execute("counters f.").contains("f.published 1"), admin.execute("counters"));
        assertEquals("resumed", admin.execute("resume a"));
        assertEquals("", admin.execute("errors"));
        assertFalse(admin.execute("stack " + agent).isEmpty());
        assertEquals("hello you", admin.execute("greet you"));
        assertTrue(admin.execute("help").contains("greet: NAME greets"));
        refused("there are [agents, counters", () -> admin.execute("stop"));
        refused("there are [a]", () -> admin.execute("pause b"));
        refused("one name", () -> admin.execute("pause"));
        refused("no running agent 'b'", () -> admin.execute("stack b"));
        refused("exists already", () -> admin.add("help", "", words -> ""));
        assertEquals("action",
            assertThrows(NullPointerException.class, () -> admin.add("nothing", "", null)).getMessage());
        server.close();
        assertEquals("CLOSED", admin.execute("state"));
    }

    private static void refused(final String message, final Runnable command)
    {
        final String thrown = assertThrows(IllegalArgumentException.class, command::run).getMessage();
        assertTrue(thrown.contains(message), thrown);
    }
}
