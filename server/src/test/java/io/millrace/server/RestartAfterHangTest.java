package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A server whose close has left a part behind. A further start would call the same handlers and services while the part
 * is still inside of them, and the part would close them under that start.
 */
class RestartAfterHangTest extends HangingFixture
{
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
    private final AtomicInteger inside = new AtomicInteger();

    /** Hangs in its first event. */
    private EventHandler<Tick> hanging()
    {
        return new LoggedHandler("a", log)
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                assertEquals(1, inside.incrementAndGet());
                hang();
                inside.decrementAndGet();
            }
        };
    }

    private static void shouldRefuse(final Server server, final String what)
    {
        final IllegalStateException refused = assertThrows(IllegalStateException.class, server::start);
        assertTrue(refused.getMessage().contains(what), refused::getMessage);
    }

    private void shouldRefuseUntilItHasEnded(final Server server, final String what)
    {
        shouldRefuse(server, what);
        final List<String> before = List.copyOf(log);
        resume.countDown();
        Await.until("starts", () -> starts(server));
        server.stop();
        assertEquals(log.stream().filter(line -> line.contains(" start ")).count(),
            log.stream().filter(line -> line.contains(" close ")).count(), before + " then " + log);
        server.close();
    }

    private static boolean starts(final Server server)
    {
        try
        {
            server.start();
            return true;
        }
        catch (final IllegalStateException ex)
        {
            assertTrue(ex.getMessage().contains("left"), ex::getMessage);
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(HangPolicy.class)
    void shouldNotStartWhileAnAgentHangs(final HangPolicy policy) throws Exception
    {
        final Server server = Server.launch(context("agent", SHORT_DRAIN_NS).onHang(policy)
            .service(new LoggedService("s", log)).flow("ticks", f -> f.from(source).to("a", hanging())));
        publish(source, 3);
        there.await();
        server.stop();
        shouldRefuseUntilItHasEnded(server, "agent 'a'");
    }

    @ParameterizedTest
    @EnumSource(HangPolicy.class)
    void shouldNotStartWhileAnInvocationHangs(final HangPolicy policy) throws Exception
    {
        final Server server = Server.launch(context("invoked", SHORT_DRAIN_NS).onHang(policy)
            .threadingMode(ThreadingMode.INVOKER)
            .service(new LoggedService("s", log)).flow("ticks", f -> f.from(source).to("a", hanging())));
        publish(source, 3);
        final Thread invoker = new Thread(server::invoke, "invoker");
        invoker.start();
        there.await();
        server.stop();
        shouldRefuseUntilItHasEnded(server, "agent 'shared'");
        Await.ended(invoker);
    }

    /** Nobody else closes the services that were kept for the handler. */
    @ParameterizedTest
    @EnumSource(HangPolicy.class)
    void shouldNotStartWhileAPublisherHangsInAHandler(final HangPolicy policy) throws Exception
    {
        final Server server = Server.launch(context("inline", SHORT_DRAIN_NS).onHang(policy)
            .service(new LoggedService("s", log)).service(new LoggedService("t", log))
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", hanging())));
        final Thread publisher = new Thread(() -> publish(source, 1), "publisher");
        publisher.start();
        there.await();
        server.stop();
        shouldRefuse(server, "a handler of flow 'ticks'");
        resume.countDown();
        Await.ended(publisher);
        server.start();
        server.close();
        assertEquals(List.of("s start", "t start", "t close", "s close", "s start", "t start", "t close", "s close"),
            log.stream().filter(line -> !line.startsWith("a ")).map(line -> line.replaceAll("^(. \\w+).*", "$1"))
            .collect(Collectors.toList()));
    }

    /** The services that were kept: the start waits for each of them as a close does. */
    @Test
    void shouldNotStartWhileAKeptServiceHangsInItsClose() throws Exception
    {
        final CountDownLatch closable = new CountDownLatch(1);
        final Server server = Server.launch(context("kept", SHORT_DRAIN_NS).onHang(HangPolicy.KEEP_SERVICES)
            .service(new LoggedService("s", log)
            {
                @Override
                public void close()
                {
                    Await.until("the close goes on", () -> closable.getCount() == 0);
                    super.close();
                }
            })
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", hanging())));
        final Thread publisher = new Thread(() -> publish(source, 1), "publisher");
        publisher.start();
        there.await();
        server.stop();
        resume.countDown();
        Await.ended(publisher);
        try
        {
            shouldRefuse(server, "closing service 's'");
            assertEquals(List.of("closing service 's'"), server.leftBehind());
        }
        finally
        {
            closable.countDown();
        }
        Await.until("starts", () -> starts(server));
        server.close();
        assertEquals(4, log.stream().filter(line -> line.startsWith("s ")).count(), log.toString());
    }

    private Server launchHangingService(final String name)
    {
        return Server.launch(context(name, SHORT_DRAIN_NS)
            .service(new LoggedService("s", log)
            {
                @Override
                public void close()
                {
                    hang();
                    super.close();
                }
            })
            .flow("ticks", f -> f.from(source).to("a", Tick.ignored())));
    }

    /** The service is no longer in the list of the server, and the thread is the application's. */
    @Test
    void shouldNotStartWhileAChangeHangs() throws Exception
    {
        final Server server = launchHangingService("change");
        final Thread changing = new Thread(() -> server.control().removeService("s"), "changing");
        changing.start();
        there.await();
        server.stop();
        shouldRefuseUntilItHasEnded(server, "a change");
        Await.ended(changing);
    }

    @Test
    void shouldNotStartWhileAPublisherHangsInAHandlerOfAFlowThatWasRemoved() throws Exception
    {
        final Server server = Server.launch(context("removed", SHORT_DRAIN_NS)
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", hanging()))
            .flow("other", f -> f.from(new InVmSource<>(Tick::new, 16)).to("b", Tick.ignored())));
        final Thread publisher = new Thread(() -> publish(source, 1), "publisher");
        publisher.start();
        there.await();
        server.control().removeFlow("ticks");
        server.stop();
        shouldRefuse(server, "a handler of flow 'ticks'");
        resume.countDown();
        Await.ended(publisher);
        server.start();
        server.close();
    }

    @Test
    @Tag("normal")
    void shouldNotStartWhileAServiceHangsInItsClose()
    {
        final Server server = launchHangingService("service");
        server.stop();
        shouldRefuseUntilItHasEnded(server, "closing service 's'");
    }
}
