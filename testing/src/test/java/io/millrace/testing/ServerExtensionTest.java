package io.millrace.testing;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ServerState;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ServerExtensionTest
{
    private final InVmSource<Price> prices = new InVmSource<>(Price::new, 64);
    private final MemorySink<Price, Long> sink = new MemorySink<>(event -> event.value);

    @RegisterExtension
    final ServerExtension extension =
        new ServerExtension(() -> new Server.Context().flow("prices", f -> f.from(prices).to("sink", sink)));

    /** Each repetition has a server of its own. */
    @RepeatedTest(2)
    void shouldStartAServerForEachTest(final TestServer test)
    {
        assertSame(test, extension.testServer());
        assertEquals(ServerState.RUNNING, test.server().state());
        prices.publish(prices.claim());
        test.awaitIdle();
        assertEquals(List.of(0L), sink.values());
    }

    @RepeatedTest(1)
    void shouldCloseAndCheckTheServer(final TestServer test)
    {
        test.server().admin().add("planted", "fails", words -> "");
        prices.claim();
        assertThrows(AssertionError.class, () -> extension.afterEach(null));
        assertNull(extension.testServer());
        assertEquals(ServerState.CLOSED, test.server().state());
    }
}
