package io.millrace.exchange;

import io.millrace.exchange.fix.FixProtocol;
import io.millrace.exchange.itch.ItchContext;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** File descriptors: too few of them, and those of an exchange that could not start. */
@Timeout(180)
class DescriptorsTest
{
    private static final int LAUNCHES = 10;
    /** Of other threads. */
    private static final int OTHERS = 4;

    @TempDir
    private Path folder;

    @Test
    void shouldOutliveClientsWithoutADescriptorAndCountThem() throws Exception
    {
        final ChildJvm child = new ChildJvm().withFewDescriptors().run(ScarceProgram.class, folder);
        assertEquals(0, child.exitCode, child::toString);
    }

    @Test
    void shouldCloseItsPortsWhenOneIsInUse() throws IOException
    {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            launch(used);
            final long before = Descriptors.open();
            for (int i = 0; i < LAUNCHES; i++)
            {
                launch(used);
            }
            assertTrue(Descriptors.open() <= before + OTHERS, before + " became " + Descriptors.open());
        }
    }

    @Test
    void shouldReportOnlyTheCauseWhenTheCoreCannotStart()
    {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        final ItchContext itch = new ItchContext().servers(any, any)
            .symbol(new Listing(ExchangeRig.spec(77), "LEAD", 1, 1));
        final Exception failure = assertThrows(IllegalStateException.class, () -> Exchange.launch(
            ExchangeRig.context(folder, ExchangeRig.sessions()).agents(1).itch(itch)
            .server(server -> server.stallTimeoutNs(0).errorHandler(errors::add))));
        assertTrue(failure.getMessage().contains("symbol 77 is unknown"), failure.getMessage());
        assertEquals(List.of(), errors);
    }

    private void launch(final ServerSocket used)
    {
        final FixProtocol fix = new FixProtocol(
            "MILL", List.of(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD", 1, 1)), false);
        final Exception failure = assertThrows(IllegalStateException.class, () -> Exchange.launch(
            ExchangeRig.context(folder, ExchangeRig.sessions())
            .protocol(fix, new InetSocketAddress(used.getInetAddress(), used.getLocalPort()))));
        assertTrue(failure.getMessage().contains("cannot listen on " + used.getLocalSocketAddress()),
            failure.getMessage());
    }
}
