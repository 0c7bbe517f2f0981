package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Services that hang while the server closes, and services of an agent that hangs. A service that hangs gets a second.
 * The tests tagged normal wait for it, in either mode.
 */
class HangingServiceTest extends HangingFixture
{
    @Test
    @Tag("normal")
    void shouldAbandonAServiceThatHangsInItsClose() throws Exception
    {
        final Server server = Server.launch(context("service", SHORT_DRAIN_NS).service(new LoggedService("first", log))
            .service(new LoggedService("hanging", log)
            {
                @Override
                public void close()
                {
                    hang();
                    super.close();
                }
            })
            .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED)));
        Await.ended(closerOf(server));
        assertTrue(log.get(log.size() - 1).startsWith("first close"), log.toString());
        assertEquals(1, reported("closing service 'hanging' hangs"), errors.toString());
        assertEquals(List.of("closing service 'hanging'"), server.leftBehind());
        // A busy machine may have kept the agent off its core, which is reported too.
        assertTrue(errors.stream().filter(error -> error.getMessage().contains("closing service 'hanging' hangs"))
            .flatMap(error -> Stream.of(error.getCause().getStackTrace()))
            .anyMatch(line -> line.getMethodName().equals("hang")), "no stack of the service");
        resume.countDown();
        Await.until("no thread", () -> Await.threadsOf("service").isEmpty());
    }

    @Test
    @Tag("normal")
    void shouldNotWaitForAServiceThatWaitsForTheClose() throws Exception
    {
        final AtomicReference<Server> self = new AtomicReference<>();
        final Server server = Server.launch(context("joins", SHORT_DRAIN_NS)
            .service(new LoggedService("s", log)
            {
                @Override
                public void close()
                {
                    final Thread other = new Thread(() -> self.get().close(), "other");
                    other.start();
                    try
                    {
                        other.join();
                    }
                    catch (final InterruptedException ex)
                    {
                        Thread.currentThread().interrupt();
                    }
                    super.close();
                }
            })
            .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED)));
        self.set(server);
        Await.ended(closerOf(server));
        assertEquals(1, reported("closing service 's' hangs"), errors.toString());
        Await.until("the service is closed", () -> log.get(log.size() - 1).startsWith("s close"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Tag("slow")
    void shouldKeepServicesUntilTheAgentThatHangsHasEnded(final ThreadingMode mode) throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("keeps", SHORT_DRAIN_NS).threadingMode(mode)
            .onHang(HangPolicy.KEEP_SERVICES)
            .service(new LoggedService("s1", log)).service(new LoggedService("s2", log))
            .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    super.onEvent(event, sequence, endOfBatch);
                    hang();
                }
            }))
            .flow("other", f -> f.from(new InVmSource<>(Tick::new, 16)).to("b", Tick.IGNORED)));
        publish(source, 3);
        final Thread invoker = new Thread(mode == ThreadingMode.INVOKER ? server::invoke : () ->
        {
        }, "invoker");
        invoker.start();
        there.await();
        Await.ended(closerOf(server));
        assertEquals(List.of(), closings());
        assertEquals(1, reported("not closed, because agents or handlers left behind may use them: services s1, s2"));
        resume.countDown();
        Await.until("the services are closed", () -> closings().size() == 3);
        assertEquals(List.of("a close", "s2 close", "s1 close"), closings());
        server.close();
        assertEquals(3, closings().size());
        Await.ended(invoker);
    }

    @Test
    void shouldKeepServicesOfAnInlineHandlerThatHangs() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("direct", SHORT_DRAIN_NS).onHang(HangPolicy.KEEP_SERVICES)
            .service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", (event, sequence, end) -> hang())));
        final Thread publisher = new Thread(() -> publish(source, 1), "publisher");
        publisher.start();
        there.await();
        server.close();
        resume.countDown();
        Await.ended(publisher);
        assertEquals(List.of(), closings());
        assertEquals(1, reported("services s"));
    }

    @Test
    @Tag("normal")
    void shouldKeepServicesOfAnInlineHandlerThatHangsWhenItIsDrained() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("drained", SHORT_DRAIN_NS).onHang(HangPolicy.KEEP_SERVICES)
            .service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onDrained()
                {
                    hang();
                    log.add("a drained");
                }
            })));
        publish(source, 1);
        Await.ended(closerOf(server));
        assertEquals(List.of(), closings());
        assertEquals(1, reported("services s"), errors.toString());
        resume.countDown();
        Await.until("closed after it is drained", () -> closings().equals(List.of("a close")));
        assertTrue(log.indexOf("a drained") < log.size() - 1, log.toString());
    }

    @Test
    void shouldCloseServicesUnderTheKeepPolicyWhenNothingHangs()
    {
        final Server server = Server.launch(context("nothing", LONG_DRAIN_NS).onHang(HangPolicy.KEEP_SERVICES)
            .service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED)));
        server.close();
        assertEquals(List.of("s close"), closings());
        assertEquals(List.of(), errors);
    }

    private List<String> closings()
    {
        return new ArrayList<>(log).stream().filter(line -> line.contains(" close"))
            .map(line -> line.replaceAll("( close).*", "$1")).collect(Collectors.toList());
    }
}
