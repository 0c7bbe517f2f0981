package io.millrace.server;

import io.millrace.pool.PoolCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A part throws when it starts: the launch fails, the started parts are closed once in reverse order, the others not at
 * all.
 */
class StartFailureTest
{
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldCloseTheStartedPartsWhenAHandlerDoesNotStart(final ThreadingMode mode)
    {
        for (final Throwable thrown : List.of(new IllegalStateException("no"), new AssertionError("no")))
        {
            log.clear();
            final IllegalStateException ex = assertThrows(IllegalStateException.class, () -> Server.launch(context(mode)
                .service(new LoggedService("s1", log)).service(new LoggedService("s2", log))
                .flow("ticks", f -> f.from(source)
                    .to("a", new LoggedHandler("a", log)).to("b", new LoggedHandler("b", log), "a")
                    .to("c", failing("c", thrown), "b").to("d", new LoggedHandler("d", log), "c"))
                .flow("others", f -> f.from(Tick::new, 16, new LoggedSource(log, 10))
                    .to("e", new LoggedHandler("e", log)))));
            assertTrue(ex.getMessage().startsWith("server 'start' could not start: agent '"), ex.getMessage());
            assertSame(thrown, rootOf(ex));
            assertEquals(List.of("s1 start", "s2 start", "a start", "b start", "c start",
                "b close after 0", "a close after 0", "s2 close", "s1 close"), withoutThreads());
            assertNothingIsLeft();
        }
    }

    @Test
    void shouldCloseTheOtherAgentsWhenASourceDoesNotStart()
    {
        final EventSource<Tick> failing = new EventSource<>()
        {
            @Override
            public int poll(final EventPublication<Tick> out)
            {
                log.add("polled");
                return 0;
            }

            @Override
            public void onStart() throws Exception
            {
                throw new Exception("no file");
            }

            @Override
            public void onClose()
            {
                log.add("source close");
            }
        };
        final IllegalStateException ex = assertThrows(IllegalStateException.class, () ->
            Server.launch(context(ThreadingMode.DEDICATED)
                .flow("files", f -> f.from(Tick::new, 16, failing).to("b", new LoggedHandler("b", log)))
                .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)))));
        assertTrue(ex.getMessage().contains("agent 'files-source'"), ex.getMessage());
        assertTrue(ex.getMessage().contains("no file"), ex.getMessage());
        assertEquals(List.of("b start", "a start", "a close after 0", "b close after 0"), withoutThreads());
        assertNothingIsLeft();
    }

    @Test
    void shouldCloseTheEarlierServicesWhenAServiceDoesNotStart()
    {
        for (final Throwable thrown : List.of(new Exception("no"), new NoClassDefFoundError("no")))
        {
            log.clear();
            final IllegalStateException ex = assertThrows(IllegalStateException.class, () ->
                Server.launch(context(ThreadingMode.DEDICATED)
                    .service(new LoggedService("s1", log)).service(new LoggedService("s2", log)
                    {
                        @Override
                        public void onStart(final ServiceContext offered)
                        {
                            super.onStart(offered);
                            Sneaky.raise(thrown);
                        }
                    }).service(new LoggedService("s3", log))
                    .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)))));
            assertSame(thrown, ex.getCause());
            assertEquals("server 'start' could not start: service 's2': no", ex.getMessage());
            assertEquals(List.of("s1 start", "s2 start", "s1 close"), withoutThreads());
            assertNothingIsLeft();
        }
    }

    @Test
    void shouldCloseTheStartedPartsWhenAnInlineHandlerDoesNotStart()
    {
        final String thrown = assertThrows(IllegalStateException.class, () -> Server.launch(context(
            ThreadingMode.DEDICATED)
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", new LoggedHandler("a", log))
                .to("b", failing("b", new IllegalStateException("no"))).to("c", new LoggedHandler("c", log)))))
            .getMessage();
        assertEquals("server 'start' could not start: flow 'ticks': no", thrown);
        assertEquals(List.of("a start", "b start", "a close after 0"), withoutThreads());
        assertNothingIsLeft();
    }

    @Test
    void shouldFailTheLaunchWhenTheLaunchingThreadIsInterrupted()
    {
        Thread.currentThread().interrupt();
        final IllegalStateException ex = assertThrows(IllegalStateException.class, () ->
            Server.launch(context(ThreadingMode.DEDICATED)
                .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)))));
        assertEquals("server 'start' could not start: the launching thread was interrupted", ex.getMessage());
        assertTrue(Thread.interrupted(), "the interrupt was lost");
        assertNothingIsLeft();
    }

    @Test
    void shouldKeepServicesOpenUnderAHandlerThatHangsInItsStart() throws Exception
    {
        final CountDownLatch there = new CountDownLatch(1);
        final CountDownLatch resume = new CountDownLatch(1);
        final Thread launcher = new Thread(() -> assertThrows(IllegalStateException.class, () -> Server.launch(
            context(ThreadingMode.DEDICATED).onHang(HangPolicy.KEEP_SERVICES).drainTimeoutNs(0)
                .service(new LoggedService("s", log))
                .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)
                {
                    @Override
                    public void onStart()
                    {
                        super.onStart();
                        there.countDown();
                        Await.until("continue", () -> resume.getCount() == 0);
                    }
                })))), "launcher");
        launcher.start();
        there.await();
        launcher.interrupt();
        Await.ended(launcher);
        assertEquals(List.of("s start launcher", "a start"), withoutThreads());
        resume.countDown();
        Await.until("the service is closed", () -> log.size() == 4);
        assertEquals(List.of("s start launcher", "a start", "a close after 0", "s close"), withoutThreads());
    }

    @Test
    void shouldStopAfterTheStartWhenAHandlerFailsWhileOthersStart() throws Exception
    {
        final InVmSource<Tick> early = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("early", f -> f.from(early).to("a", (event, sequence, end) ->
            {
                throw new IllegalStateException("poison");
            }))
            .flow("late", f -> f.from(source).to("b", new LoggedHandler("b", log)
            {
                @Override
                public void onStart()
                {
                    early.publish(early.claim());
                    Await.until("the other has failed", () -> !errors.isEmpty());
                    super.onStart();
                }
            })));
        Await.closed(server);
        assertEquals(1, withoutThreads().stream().filter("b close after 0"::equals).count(), log.toString());
        Await.until("no thread", () -> Await.threadsOf("start").isEmpty());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldDropABatchOfAHandlerThatFailedToStart(final ThreadingMode mode)
    {
        final long[] first = {-1};
        assertThrows(IllegalStateException.class, () -> Server.launch(context(mode)
            .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onStart()
                {
                    first[0] = source.claim(3);
                    source.event(first[0]).value = 1;
                    throw new IllegalStateException("no");
                }
            }))));
        assertEquals(0, first[0]);
        assertThrows(IllegalStateException.class, () -> source.event(first[0]));
        assertThrows(IllegalStateException.class, () -> source.publish(first[0], 3));
        assertThrows(IllegalStateException.class, () -> source.claim(3));
        assertThrows(IllegalStateException.class, () -> source.claim());
        Await.noThreadOf("start");
        // Checked mode reports the unreleased batch.
        assertEquals(PoolCheck.ENABLED ? 1 : 0, errors.size(), errors.toString());
        final List<Long> seen = new ArrayList<>();
        try (Server server = Server.launch(new Server.Context().name("again").threadingMode(ThreadingMode.INVOKER)
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) -> seen.add(event.value)))))
        {
            final long next = source.claim(2);
            source.event(next).value = 5;
            source.event(next + 1).value = 6;
            assertTrue(source.publish(next, 2));
            Tick.publish(source, 7);
            assertEquals(3, server.invoke());
            assertEquals(16, server.counters().value("ticks.pool.available"));
        }
        assertEquals(List.of(5L, 6L, 7L), seen);
    }

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().name("start").threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0);
    }

    private LoggedHandler failing(final String name, final Throwable thrown)
    {
        return new LoggedHandler(name, log)
        {
            @Override
            public void onStart()
            {
                super.onStart();
                Sneaky.raise(thrown);
            }
        };
    }

    private List<String> withoutThreads()
    {
        final List<String> lines = new ArrayList<>();
        log.forEach(line -> lines.add(
            line.replace(" " + Thread.currentThread().getName(), "").replaceAll(" start-[a-z-]+", "")));
        return lines;
    }

    private static Throwable rootOf(final Throwable thrown)
    {
        Throwable root = thrown;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        return root;
    }

    /** No thread is left, and another server can use the source. */
    private void assertNothingIsLeft()
    {
        assertEquals(List.of(), errors);
        Await.noThreadOf("start");
        final InVmSource<Tick> again = source;
        source = new InVmSource<>(Tick::new, 16);
        assertThrows(IllegalStateException.class, again::claim);
        try (Server server = Server.launch(new Server.Context().name("again").threadingMode(ThreadingMode.INVOKER)
            .flow("ticks", f -> f.from(again).to("a", Tick.IGNORED))))
        {
            assertTrue(again.publish(again.claim()));
            assertEquals(1, server.invoke());
        }
    }
}
