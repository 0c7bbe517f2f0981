package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The counters that handlers and services add come and go with them. */
class PartCountersTest extends ControlFixture
{
    private static final int ROUNDS = 3;

    /** Counts its events under one name, and has a second counter. */
    private static final class Counting implements StageHandler<Tick>
    {
        private final String second;
        private final RuntimeException problem;
        private volatile long count;

        Counting(final String second, final RuntimeException problem)
        {
            this.second = second;
            this.problem = problem;
        }

        @Override
        public void onStart(final HandlerContext context)
        {
            context.server().counters().add("own.count", "events", () -> count);
            context.server().counters().add(second, "second", () -> 2);
            if (problem != null)
            {
                throw problem;
            }
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            count++;
        }
    }

    private static final class CountingService implements Service
    {
        boolean fails;

        @Override
        public String name()
        {
            return "s";
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            context.counters().tagged("service", "s").gauge("s.own", "events", "of the service", () -> 7);
            if (fails)
            {
                throw new IllegalStateException("no start");
            }
        }
    }

    /** Adds its counters as a service. */
    private static final class CountingHandlerService implements HandlerService<Tick>
    {
        private final String name;
        private final String second;
        private final AtomicLong count = new AtomicLong();

        CountingHandlerService(final String name, final String second)
        {
            this.name = name;
            this.second = second;
        }

        @Override
        public String name()
        {
            return name;
        }

        @Override
        public Class<Tick> eventType()
        {
            return Tick.class;
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            context.counters().add("own.count", "events", count::get);
            context.counters().add(second, "second", () -> 2);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            count.incrementAndGet();
        }
    }

    private static Counting counting(final String second)
    {
        return new Counting(second, null);
    }

    @ParameterizedTest
    @EnumSource
    void shouldAddAndRemoveAStageAgainAndAgain(final ThreadingMode mode)
    {
        launch(mode, new Recorder("a"));
        final Set<String> before = server.counters().names();
        for (int round = 0; round < ROUNDS; round++)
        {
            server.control().addStage("f", "b", "x", counting("own.second"));
            publish(0, 1);
            await("counted", () -> server.counters().value("own.count") == 1);
            server.control().removeStage("b");
            assertEquals(before, server.counters().names());
        }
    }

    @Test
    void shouldAddAndRemoveAFlowAgainAndAgain()
    {
        launch(ThreadingMode.INVOKER, new Recorder("a"));
        final Set<String> before = server.counters().names();
        for (int round = 0; round < ROUNDS; round++)
        {
            server.control().addFlow("g",
                f -> f.from(new InVmSource<>(Tick::new, 4)).to("b", counting("own.second")));
            assertEquals(0, server.counters().value("own.count"));
            server.control().removeFlow("g");
            assertEquals(before, server.counters().names());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRemoveAStageThatWasAddedLaterWithItsFlow(final ThreadingMode mode)
    {
        launch(mode, new Recorder("a"));
        final Set<String> before = server.counters().names();
        for (int round = 0; round < ROUNDS; round++)
        {
            server.control().addFlow("g", f -> f.from(new InVmSource<>(Tick::new, 4)).to("b", new Recorder("b")));
            server.control().addStage("g", "c", "x", counting("own.second"));
            assertEquals(0, server.counters().value("c.handled"));
            server.control().removeFlow("g");
            assertEquals(before, server.counters().names());
        }
    }

    @Test
    void shouldLeaveTheCountersOfTheApplicationWhenAStageIsRefusedOrRemoved()
    {
        launch(ThreadingMode.INVOKER, new Recorder("a"));
        server.counters().add("b.errors", "of the application", () -> 5);
        server.counters().add("c.unkept", "of the application", () -> 6);
        final Set<String> before = server.counters().names();
        final String refusal = assertThrows(IllegalArgumentException.class,
            () -> server.control().addStage("f", "b", "x", new Recorder("b"))).getMessage();
        assertEquals("counter 'b.errors' exists already", refusal);
        assertEquals(before, server.counters().names());
        server.control().addStage("f", "c", "x", new Recorder("c"));
        server.control().removeStage("c");
        assertEquals(before, server.counters().names());
    }

    @Test
    void shouldAddAndRemoveAServiceAgainAlsoAfterAFailedStart()
    {
        launch(ThreadingMode.INVOKER, new Recorder("a"));
        final Set<String> before = server.counters().names();
        final CountingService service = new CountingService();
        for (int round = 0; round < ROUNDS; round++)
        {
            service.fails = true;
            assertThrows(IllegalStateException.class, () -> server.control().addService(service));
            assertEquals(before, server.counters().names());
            service.fails = false;
            server.control().addService(service);
            assertEquals(7, server.counters().value("s.own"));
            server.control().removeService("s");
            assertEquals(before, server.counters().names());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowTheCountersOfTheHandlerThatReplacesAnother(final ThreadingMode mode)
    {
        launch(mode, counting("second.0"));
        publish(0, 5);
        await("counted", () -> server.counters().value("own.count") == 5);
        final int size = server.counters().names().size();
        for (int round = 1; round <= ROUNDS; round++)
        {
            server.control().replaceHandler("a", counting("second." + round));
            assertEquals(0, server.counters().value("own.count"));
            publish(0, round);
            final long expected = round;
            await("counted", () -> server.counters().value("own.count") == expected);
            assertTrue(server.counters().names().contains("second." + round));
            assertEquals(size, server.counters().names().size(), server.counters().names().toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowTheCountersOfTheServiceThatReplacesAnother(final ThreadingMode mode)
    {
        launch(mode, new CountingHandlerService("s0", "second"));
        publish(0, 5);
        await("counted", () -> server.counters().value("own.count") == 5);
        final Set<String> before = server.counters().names();
        for (int round = 1; round <= ROUNDS; round++)
        {
            final String name = "s" + round;
            refused("counter 'a.handled' exists already",
                () -> server.control().replaceHandler("a", new CountingHandlerService(name, "a.handled")));
            assertEquals(before, server.counters().names());
            server.control().replaceHandler("a", new CountingHandlerService(name, "second"));
            assertEquals(0, server.counters().value("own.count"));
            publish(0, round);
            final long expected = round;
            await("counted", () -> server.counters().value("own.count") == expected);
            assertEquals(before, server.counters().names());
        }
    }

    @Test
    void shouldKeepTheCountersOfTheOldHandlerIfTheNewOneDoesNotStart()
    {
        launch(ThreadingMode.INVOKER, counting("second"));
        publish(0, 5);
        await("counted", () -> server.counters().value("own.count") == 5);
        final Set<String> before = server.counters().names();
        final Counting failing = new Counting("other", new IllegalStateException("no start"));
        for (int round = 0; round < ROUNDS; round++)
        {
            assertThrows(IllegalStateException.class, () -> server.control().replaceHandler("a", failing));
            assertEquals(before, server.counters().names());
            assertEquals(5, server.counters().value("own.count"));
        }
        server.control().replaceHandler("a", counting("second"));
        assertEquals(before, server.counters().names());
        assertEquals(0, server.counters().value("own.count"));
    }

    @Test
    void shouldRefuseANameThatAnotherPartHas()
    {
        launch(ThreadingMode.INVOKER, counting("second"));
        refused("counter 'own.count' exists already",
            () -> server.control().addStage("f", "b", "x", counting("third")));
        refused("counter 'a.handled' exists already",
            () -> server.control().replaceHandler("a", counting("a.handled")));
        assertTrue(server.counters().names().contains("second"));
    }
}
