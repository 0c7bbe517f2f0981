package io.millrace.server;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Changes that meet a slow part, an interrupt or a close. */
class HalfDoneChangesTest extends ControlFixture
{
    private final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 2);

    private Server.Context quick(final ThreadingMode mode)
    {
        return context(mode).drainTimeoutNs(TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void shouldLeaveNothingBehindOfAFlowThatStartsTooSlowly() throws Exception
    {
        server = Server.launch(quick(ThreadingMode.SHARED).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        final Set<String> before = server.counters().names();
        assertThrows(IllegalStateException.class,
            () -> server.control().addFlow("g", f -> f.from(fed).to("x", new SlowStart("x"))));
        assertEquals(List.of("f"), server.control().flows());
        goOn.countDown();
        await("closed", () -> log.contains("x close"));
        assertEquals(before, server.counters().names());
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(fed).to("x", again));
        fed.publish(fed.claim());
        await("handled", () -> again.seen.size() == 1);
    }
}
