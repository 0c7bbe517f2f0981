package io.millrace.testing;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ServerState;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
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

    @Test
    void shouldHaveNoServerOutsideOfATest()
    {
        final ServerExtension other = new ServerExtension(() -> new Server.Context()
            .flow("other", f -> f.from(Price::new, 8, new MemorySource<>()).to("sink", sink)));
        assertNull(other.testServer());
        other.afterEach(null);
        other.beforeEach(null);
        final TestServer first = other.testServer();
        other.afterEach(null);
        assertNull(other.testServer());
        other.beforeEach(null);
        assertNotSame(first, other.testServer());
        other.afterEach(null);
    }

    /** A static extension is also asked before all tests, and for the constructor. */
    @Test
    void shouldRefuseAServerOutsideOfATest()
    {
        final ServerExtension other = new ServerExtension(Server.Context::new);
        assertThrows(ParameterResolutionException.class, () -> other.resolveParameter(null, null));
    }

    /** The extension is asked for it first. */
    @Test
    void shouldLeaveOtherParametersToOthers(final TestInfo info, final TestServer test)
    {
        assertEquals("shouldLeaveOtherParametersToOthers", info.getTestMethod().orElseThrow().getName());
        assertSame(test, extension.testServer());
    }

    @RepeatedTest(1)
    void shouldCloseAndCheckTheServer(final TestServer test)
    {
        prices.claim();
        assertThrows(AssertionError.class, () -> extension.afterEach(null));
        assertNull(extension.testServer());
        assertEquals(ServerState.CLOSED, test.server().state());
    }
}
