package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What handlers and services get at their start. */
class HandlerContextTest
{
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
    private final InVmSource<Tick> next = new InVmSource<>(Tick::new, 64);
    private final List<String> log = new ArrayList<>();
    private volatile long forwarded;
    private Server server;

    @AfterEach
    void shouldClose()
    {
        if (server != null)
        {
            server.close();
        }
    }

    /** A handler that finds everything by its context. */
    private final class Forwarder implements StageHandler<Tick>
    {
        private HandlerContext context;
        private EventPublication<Tick> out;

        @Override
        public void onStart(final HandlerContext surroundings)
        {
            context = surroundings;
            out = context.publication("g", Tick.class);
            context.server().counters().add(context.stage() + ".forwarded", "events forwarded", () -> forwarded);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            final Tick copy = out.claim();
            copy.value = event.value + 1;
            out.offer(copy);
            forwarded++;
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveAHandlerItsNameCountersAndPublications(final ThreadingMode mode)
    {
        final long[] seen = new long[1];
        final Forwarder forwarder = new Forwarder();
        server = Server.launch(new Server.Context().name("ctx").threadingMode(mode)
            .flow("f", f -> f.from(source).to("a", forwarder))
            .flow("g", f -> f.from(next).to("b", (event, sequence, end) -> seen[0] = event.value)));
        assertEquals("ctx", forwarder.context.server().serverName());
        final Tick event = source.claim();
        event.value = 41;
        source.publish(event);
        Await.until("forwarded", () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return server.counters().value("b.handled") == 1;
        });
        assertEquals(42, seen[0]);
        assertEquals(1, server.counters().value("a.forwarded"));
    }

    private String refused(final StageHandler<Tick> handler)
    {
        return assertThrows(IllegalStateException.class, () -> Server.launch(new Server.Context().name("ctx")
            .service(new LoggedService("s", log)).service(new LoggedService("t", log)).setting("s.file", "x")
            .threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("a", handler)))).getMessage();
    }

    private abstract static class Asks implements StageHandler<Tick>
    {
        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }
    }

    @Test
    void shouldSayWhatThereIs()
    {
        contains(refused(new Asks()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                context.publication("x", Tick.class);
            }
        }), "there are [f of io.millrace.server.Tick]");
        contains(refused(new Asks()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                context.server().service(LoggedService.class);
            }
        }), "2 services of type io.millrace.server.LoggedService: started are [s of");
        contains(refused(new Asks()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                context.server().service("u", LoggedService.class);
            }
        }), "no service 'u' of type io.millrace.server.LoggedService: started are [s of");
        contains(refused(new Asks()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                assertEquals("x", context.server().setting("s.file"));
                assertEquals("y", context.server().setting("s.size", "y"));
                assertEquals("t", context.server().service("t", Service.class).name());
                context.server().setting("s.path");
            }
        }), "no setting 's.path': there are [s.file]");
    }

    private static void contains(final String message, final String part)
    {
        assertTrue(message.contains(part), message);
    }

    private Service service(final String name, final String... after)
    {
        return new LoggedService(name, log)
        {
            @Override
            public List<String> startsAfter()
            {
                return List.of(after);
            }
        };
    }

    @Test
    void shouldStartServicesAfterThoseThatTheyNeed()
    {
        server = Server.launch(new Server.Context().name("ctx").threadingMode(ThreadingMode.INVOKER)
            .service(service("a", "c", "b")).service(service("b", "c")).service(service("c"))
            .flow("f", f -> f.from(source).to("x", (EventHandler<Tick>)(event, sequence, end) -> forwarded++)));
        assertTrue(log.get(0).startsWith("c"), log.toString());
        assertTrue(log.get(1).startsWith("b"), log.toString());
        assertTrue(log.get(2).startsWith("a"), log.toString());
        contains(assertThrows(IllegalArgumentException.class, () -> new Server.Context().service(service("a", "b"))
            .service(service("b", "a")).flow("f", f -> f.from(next).to("x", Tick.ignored())).conclude())
            .getMessage(), "in a circle: [a, b]");
        contains(assertThrows(IllegalArgumentException.class, () -> new Server.Context().service(service("a", "z"))
            .flow("f", f -> f.from(next).to("x", Tick.ignored())).conclude())
            .getMessage(), "'z', which is missing: the services are [a]");
    }

    /** The next handler of "a" fails after another stage has taken the flow that the present one published to. */
    @Test
    void shouldSayWhyAHandlerDidNotStartAlthoughItsFlowIsTakenMeanwhile()
    {
        final InVmSource<Tick> third = new InVmSource<>(Tick::new, 8);
        final CountDownLatch taken = new CountDownLatch(1);
        server = Server.launch(new Server.Context().name("ctx").threadingMode(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new Forwarder()))
            .flow("g", f -> f.from(next).to("b", Tick.ignored()))
            .flow("h", f -> f.from(third).to("c", new StageHandler<Tick>()
            {
                private HandlerContext context;

                @Override
                public void onStart(final HandlerContext surroundings)
                {
                    context = surroundings;
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    context.publication("g", Tick.class);
                    taken.countDown();
                }
            })));
        final RuntimeException thrown = assertThrows(RuntimeException.class,
            () -> server.control().replaceHandler("a", new Asks()
            {
                @Override
                public void onStart(final HandlerContext context)
                {
                    third.publish(third.claim());
                    Await.until("taken", () -> taken.getCount() == 0);
                    throw new IllegalStateException("planted");
                }
            }));
        assertEquals("planted", thrown.getMessage());
        contains(thrown.getSuppressed()[0].getMessage(), "stages 'c' and 'a' of different agents");
    }

    /** For a stage of another agent. */
    @Test
    void shouldFreeTheFlowThatAHandlerAskedForBeforeItsStartFailed()
    {
        server = Server.launch(new Server.Context().name("ctx").threadingMode(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", Tick.ignored()))
            .flow("g", f -> f.from(next).to("b", Tick.ignored()))
            .flow("h", f -> f.from(new InVmSource<>(Tick::new, 8)).to("c", Tick.ignored())));
        assertThrows(RuntimeException.class, () -> server.control().replaceHandler("a", new Asks()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                context.publication("g", Tick.class);
                throw new IllegalStateException("planted");
            }
        }));
        server.control().replaceHandler("c", new Forwarder());
        assertEquals(0, server.counters().value("c.forwarded"));
    }
}
