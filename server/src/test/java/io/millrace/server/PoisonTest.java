package io.millrace.server;

import io.millrace.pool.PoolCheck;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P3. SKIP_AND_RECORD: one stage fails at one event in a hundred; no other event is affected, and all return to the
 * pool.
 */
class PoisonTest
{
    private static final int MANY = PoolCheck.ENABLED ? 50_000 : 1_000_000;
    private static final int CAPACITY = 1_024;

    private final List<Throwable> errors = new ArrayList<>();
    private final List<Letter> letters = new ArrayList<>();
    private long applied;

    private static final class Letter
    {
        final String stage;
        final long sequence;
        final long value;
        final Throwable cause;

        Letter(final String stage, final long sequence, final long value, final Throwable cause)
        {
            this.stage = stage;
            this.sequence = sequence;
            this.value = value;
            this.cause = cause;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "journal, RuntimeException", "risk, AssertionError", "match, StackOverflowError", "audit, RuntimeException",
        "match, AssertionError", "journal, StackOverflowError"})
    void shouldApplyAllExceptThePoisonOnARing(final String stage, final String kind)
    {
        shouldApplyAllExceptThePoison(Pipelines.ring(), stage, thrown(kind), MANY);
    }

    @ParameterizedTest
    @CsvSource({"journal, AssertionError", "risk, StackOverflowError", "match, RuntimeException"})
    void shouldApplyAllExceptThePoisonOnADisruptor(final String stage, final String kind)
    {
        shouldApplyAllExceptThePoison(Pipelines.disruptor(256), stage, thrown(kind), MANY / 10);
    }

    private static Throwable thrown(final String kind)
    {
        switch (kind)
        {
            case "AssertionError":
                return new AssertionError("poison");
            case "StackOverflowError":
                return new StackOverflowError("poison");
            default:
                return new IllegalArgumentException("poison");
        }
    }

    private void shouldApplyAllExceptThePoison(
        final Pipelines.Spec<Tick> pipeline, final String poisoned, final Throwable thrown, final int count)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
        // Journal and risk are fused; match follows them on its own agent; audit follows nothing.
        final Server server = Server.launch(new Server.Context().name("poison").threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) ->
                letters.add(new Letter(stage, sequence, ((Tick)event).value, cause)))
            .agent("one", a -> a.hosts("journal", "risk")).agent("two", a -> a.hosts("match"))
            .agent("three", a -> a.hosts("audit"))
            .flow("ticks", f -> f.from(source).through(pipeline)
                .to("journal", poison("journal", poisoned, thrown)).to("risk", poison("risk", poisoned, thrown))
                .to("match", poison("match", poisoned, thrown), "journal", "risk")
                .to("audit", poison("audit", poisoned, thrown))));
        for (int i = 0; i < count;)
        {
            final Tick event = source.claim();
            if (event == null)
            {
                server.invoke();
                continue;
            }
            event.value = i;
            if (source.publish(event))
            {
                i++;
            }
            else
            {
                event.release();
                server.invoke();
            }
        }
        server.close();
        assertEquals(count / 100 * 99L, applied);
        assertLetters(server, poisoned, thrown, count);
    }

    private EventHandler<Tick> poison(final String stage, final String poisoned, final Throwable thrown)
    {
        return (event, sequence, endOfBatch) ->
        {
            if (stage.equals(poisoned))
            {
                if (event.value % 100 == 42)
                {
                    Sneaky.raise(thrown);
                }
                applied++;
            }
        };
    }

    private void assertLetters(final Server server, final String poisoned, final Throwable thrown, final int count)
    {
        assertEquals(count / 100, letters.size());
        for (int i = 0; i < letters.size(); i++)
        {
            final Letter letter = letters.get(i);
            assertEquals(poisoned, letter.stage);
            assertEquals(i * 100L + 42, letter.sequence);
            assertEquals(i * 100L + 42, letter.value);
            assertSame(thrown, letter.cause);
        }
        final Counters counters = server.counters();
        for (final String stage : List.of("journal", "risk", "match", "audit"))
        {
            assertEquals(count, counters.value(stage + ".handled"), stage);
            assertEquals(stage.equals(poisoned) ? count / 100 : 0, counters.value(stage + ".errors"), stage);
        }
        assertEquals(count / 100, counters.value("server.deadLetters"));
        assertEquals(0, counters.value("server.errors"));
        assertEquals(0, counters.value("ticks.undelivered"));
        assertEquals(CAPACITY, counters.value("ticks.pool.available"));
        assertEquals(0, counters.value("ticks.pool.doubleReleases"));
        assertNull(server.failure());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldContinueWithASourceThatThrows()
    {
        final int count = MANY / 10;
        final EventSource<Tick> source = new EventSource<>()
        {
            private int polls;

            @Override
            public int poll(final EventPublication<Tick> out)
            {
                if (polls++ % 100 == 42)
                {
                    throw new AssertionError("poison");
                }
                final Tick event = out.claim();
                return event != null && out.offer(event) ? 1 : 0;
            }
        };
        final Server server = Server.launch(new Server.Context().name("poison").threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("ticks", f -> f.from(Tick::new, 64, source).to("a", Tick.IGNORED)));
        for (int i = 0; i < count; i++)
        {
            server.invoke();
        }
        server.close();
        assertEquals(count / 100, server.counters().value("ticks-source.errors"));
        assertEquals(count / 100 * 99, server.counters().value("a.handled"));
        assertEquals(count / 100, errors.size());
        assertTrue(errors.get(0).getMessage().contains("source 'ticks-source' failed and continues"));
    }

    @Test
    void shouldSurviveAStackOverflowOfTheHandlerItself()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("deep")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) -> deeper(event.value))));
        source.publish(source.claim());
        source.publish(source.claim());
        server.close();
        assertEquals(2, server.counters().value("a.handled"));
        assertEquals(2, errors.size());
        assertTrue(errors.get(1).getCause() instanceof StackOverflowError);
        assertTrue(errors.get(1).getMessage().contains("stage 'a' failed on event 1"), errors.get(1).getMessage());
    }

    /** An exception that computes its message from what has gone meanwhile. */
    private static final class Silent extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage()
        {
            throw new UnsupportedOperationException("no message");
        }

        @Override
        public StackTraceElement[] getStackTrace()
        {
            return null;
        }
    }

    @ParameterizedTest
    @EnumSource(value = ErrorPolicy.class, names = {"SKIP_AND_RECORD", "STOP_AGENT"})
    void shouldApplyThePolicyToAnExceptionThatCannotBeRead(final ErrorPolicy policy)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("silent").onError(policy)
            .errorHandler(errors::add).stallTimeoutNs(0).threadingMode(ThreadingMode.INVOKER)
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                throw new Silent();
            })));
        source.publish(source.claim());
        source.publish(source.claim());
        server.invoke();
        final boolean skips = policy == ErrorPolicy.SKIP_AND_RECORD;
        assertEquals(skips ? 2 : 1, server.counters().value("a.handled"));
        assertEquals(skips ? 2 : 1, errors.size());
        assertTrue(errors.get(0).getCause() instanceof Silent);
        assertEquals(ServerState.RUNNING, server.state());
        final String kind = Silent.class.getName();
        assertTrue(server.errors().get(0).message().endsWith(": " + kind), server.errors().toString());
        assertEquals(List.of(), server.errors().get(0).stack());
        assertEquals(skips ? "UP" : "DOWN: agent 'shared' has ended: server 'silent': stage 'a' failed on event 0: " +
            kind, server.health().toString());
        server.close();
    }

    private static long deeper(final long value)
    {
        return deeper(value + 1) + 1;
    }

    @Test
    void shouldContinueAlthoughTheDeadLetterHandlerThrows()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("letters").errorHandler(error ->
        {
            errors.add(error);
            throw new AssertionError("the error handler throws as well");
        })
            .threadingMode(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) ->
            {
                throw new AssertionError("dead");
            })
            .flow("ticks", f -> f.from(source)
                .to("a", poison("a", "a", new IllegalStateException("poison"))).to("b", Tick.IGNORED, "a")));
        for (int i = 0; i < 10; i++)
        {
            final Tick event = source.claim();
            event.value = 42;
            source.publish(event);
        }
        server.close();
        assertEquals(10, server.counters().value("a.handled"));
        assertEquals(10, server.counters().value("b.handled"));
        assertEquals(10, server.counters().value("server.deadLetters"));
        assertEquals(10, errors.size());
        assertEquals(20, server.counters().value("server.errors"), "ten, and ten that the error handler threw on");
        assertTrue(errors.get(9).getMessage().contains("dead-letter handler failed on event 9 of stage 'a'"));
        assertEquals(List.of(10L, 10L), server.errors().stream().map(DistinctError::count).toList());
    }

    @Test
    void shouldAllowTheDeadLetterHandlerToRetainTheEvent()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 4);
        final List<Tick> kept = new ArrayList<>();
        final Server server = Server.launch(new Server.Context().name("keep")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) ->
            {
                event.retain(1);
                kept.add((Tick)event);
            })
            .flow("ticks", f -> f.from(source).through(Pipelines.spsc(4))
                .to("a", poison("a", "a", new IllegalStateException("poison")))));
        final Tick event = source.claim();
        event.value = 42;
        source.publish(event);
        server.invoke();
        assertEquals(3, server.counters().value("ticks.pool.available"));
        assertEquals(42, kept.get(0).value);
        kept.get(0).release();
        assertEquals(4, server.counters().value("ticks.pool.available"));
        server.close();
        assertEquals(List.of(), errors);
    }
}
