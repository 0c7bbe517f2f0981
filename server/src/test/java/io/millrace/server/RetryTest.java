package io.millrace.server;

import io.millrace.pool.PaddedLong;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Failing handlers: attempts, dead letters, and failures counted by kind. */
class RetryTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> seen = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
    private final InVmSource<Tick> letters = new InVmSource<>(Tick::new, 4);
    private Server server;
    private volatile int failures;

    @AfterEach
    void shouldClose()
    {
        if (server != null)
        {
            server.close();
        }
    }

    private Server.Context context(final ThreadingMode mode, final ErrorPolicy policy)
    {
        final String agent = mode == ThreadingMode.DEDICATED ? "a" : "shared";
        return new Server.Context().name("retry").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0).onError(policy)
            .agent(agent, a -> a.hosts("a").retry(3, 10_000, MS))
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                if (event.value < 0 && failures-- > 0)
                {
                    throw new IOException("disk " + event.value);
                }
                seen.add(event.value);
            }));
    }

    private Server.Context alone(
        final int retries, final long firstNs, final long maxNs, final EventHandler<Tick> handler)
    {
        return new Server.Context().name("retry").threadingMode(ThreadingMode.DEDICATED)
            .errorHandler(errors::add).stallTimeoutNs(0).agent("a", a -> a.hosts("a").retry(retries, firstNs, maxNs))
            .flow("f", f -> f.from(source).to("a", handler));
    }

    private void publish(final long... values)
    {
        for (final long value : values)
        {
            final Tick event = source.claim();
            event.value = value;
            source.publish(event);
        }
    }

    private void await(final ThreadingMode mode, final int count)
    {
        Await.until("handled", () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return server.counters().value("a.handled") == count;
        });
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldCallTheHandlerAgainAndKeepTheOrder(final ThreadingMode mode)
    {
        failures = 3;
        server = Server.launch(context(mode, ErrorPolicy.STOP_SERVER));
        publish(1, -2, 3);
        await(mode, 3);
        assertEquals(List.of(1L, -2L, 3L), seen);
        assertEquals(3, server.counters().value("a.retries"));
        assertEquals(0, server.counters().value("a.errors"));
        assertEquals(List.of(), errors);
    }

    /** Twice as long each time without a limit, the last waits would take many minutes. */
    @Test
    void shouldNotWaitLongerThanTheLongestDelay()
    {
        failures = 30;
        server = Server.launch(alone(30, 10_000, MS, (event, sequence, end) ->
        {
            if (failures-- > 0)
            {
                throw new IOException("disk");
            }
            seen.add(event.value);
        }));
        publish(1);
        await(ThreadingMode.DEDICATED, 1);
        assertEquals(List.of(1L), seen);
        assertEquals(30, server.counters().value("a.retries"));
    }

    /** Each wait has at least its length; how much longer it takes depends on the host. */
    @Test
    void shouldWaitTwiceAsLongBeforeEachAttemptUpToTheLongestDelay()
    {
        final long[] delaysNs = {2 * MS, 4 * MS, 8 * MS, 9 * MS, 9 * MS};
        server = Server.launch(alone(delaysNs.length, 2 * MS, 9 * MS, (event, sequence, end) ->
        {
            seen.add(System.nanoTime());
            if (seen.size() <= delaysNs.length)
            {
                throw new IOException("disk");
            }
        }));
        publish(1);
        await(ThreadingMode.DEDICATED, 1);
        for (int i = 0; i < delaysNs.length; i++)
        {
            assertTrue(seen.get(i + 1) - seen.get(i) >= delaysNs[i], seen::toString);
        }
    }

    /** With the last delay of the event before, each wait would take a second, and all of them some minutes. */
    @Test
    void shouldBeginWithTheFirstDelayForEachEvent()
    {
        final int calls = 20;
        server = Server.launch(alone(calls, 1, 1_000 * MS, (event, sequence, end) ->
        {
            if (++failures % calls != 0)
            {
                throw new IOException("disk");
            }
        }));
        publish(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        await(ThreadingMode.DEDICATED, 10);
        assertEquals(10 * (calls - 1), server.counters().value("a.retries"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldApplyThePolicyAfterTheLastAttempt(final ThreadingMode mode)
    {
        failures = 4;
        server = Server.launch(context(mode, ErrorPolicy.SKIP_AND_RECORD).deadLetters(
            new DeadLetterSink<>(letters, (stage, sequence, event, cause, into) -> into.value = sequence))
            .flow("letters", f -> f.from(letters).to("store", (event, sequence, end) -> seen.add(100 + event.value))));
        publish(1, -2, 3);
        await(mode, 3);
        Await.until("stored", () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return server.counters().value("store.handled") == 1;
        });
        seen.sort(null);
        assertEquals(List.of(1L, 3L, 101L), seen);
        assertEquals(3, server.counters().value("a.retries"));
        assertEquals(1, server.counters().value("a.errors"));
        assertEquals(0, server.counters().value("server.deadLettersLost"));
        assertEquals(1, server.errors().size(), "a dead letter is a failure");
        assertEquals(1, server.errors().get(0).count());
    }

    @Test
    void shouldCountDeadLettersThatFindNoCapacity()
    {
        failures = Integer.MAX_VALUE;
        server = Server.launch(context(ThreadingMode.INVOKER, ErrorPolicy.SKIP_AND_RECORD).deadLetters(
            new DeadLetterSink<>(letters, (stage, sequence, event, cause, into) ->
            {
                if (sequence == 0)
                {
                    throw new IllegalStateException("cannot copy");
                }
            })).flow("letters", f -> f.from(letters).to("store", Tick.ignored())));
        publish(-1, -1, -1, -1, -1, -1, -1, -1);
        server.invoke();
        assertEquals(8, server.counters().value("server.deadLetters"));
        // One could not be copied, four fill the flow, three find no capacity.
        server.invoke();
        assertEquals(8, server.counters().value("store.handled") +
            server.counters().value("server.deadLettersLost"));
        assertEquals(1, errors.size());
    }

    @Test
    void shouldEndTheWaitingWhenTheServerCloses()
    {
        failures = Integer.MAX_VALUE;
        server = Server.launch(new Server.Context().name("retry").errorHandler(errors::add).stallTimeoutNs(0)
            .agent("a", a -> a.retry(100, 1_000 * MS, 1_000 * MS))
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                failures--;
                throw new IOException("disk");
            })));
        publish(1);
        Await.until("it waits", () -> failures < Integer.MAX_VALUE);
        final long before = System.nanoTime();
        server.close();
        assertTrue(System.nanoTime() - before < Await.LONG_NS);
        assertTrue(server.failure().getCause() instanceof IOException);
    }

    /** An event that fails again and again is one failure, and none if it succeeds at last. */
    @Test
    void shouldCountAnEventThatIsPassedAgainOnce()
    {
        final PaddedLong failed = new PaddedLong(0);
        final RetriedFailures retried = new RetriedFailures(failed);
        retried.begin(true);
        fail(retried, 1);
        fail(retried, 1);
        retried.passed(1);
        fail(retried, 2);
        fail(retried, 2);
        assertEquals(0, failed.getPlain());
        retried.passed(3);
        assertEquals(1, failed.getPlain());
        fail(retried, 4);
        retried.settle();
        retried.settle();
        assertEquals(2, failed.getPlain());
        fail(retried, 5);
        retried.begin(false);
        fail(retried, 6);
        fail(retried, 7);
        assertEquals(4, failed.getPlain());
    }

    private static void fail(final RetriedFailures retried, final long sequence)
    {
        retried.passed(sequence);
        retried.failed(sequence);
    }

    @Test
    void shouldRefuseWhatCannotBeRetried()
    {
        assertThrows(IllegalArgumentException.class, () -> AgentSpec.named("a").retry(0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> AgentSpec.named("a").retry(101, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> AgentSpec.named("a").retry(1, 2, 1));
        assertThrows(IllegalArgumentException.class, () -> AgentSpec.named("a").retry(1, 0, 1_001 * MS));
        final String message = assertThrows(IllegalArgumentException.class, () -> new Server.Context()
            .agent("a", a -> a.retry(1, 0, 0)).flow("f", f -> f.from(source).to("a", new BatchHandler())).conclude())
            .getMessage();
        assertTrue(message.contains("completes at the end of a batch"), message);
    }

    /** P3: 1 % poison. */
    @Test
    void shouldCountFailuresByKind()
    {
        final InVmSource<Tick> many = new InVmSource<>(Tick::new, 1_024);
        server = Server.launch(new Server.Context().name("retry").threadingMode(ThreadingMode.INVOKER)
            .onError(ErrorPolicy.SKIP_AND_RECORD).errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(many).to("a", (event, sequence, end) ->
            {
                if (event.value % 100 == 0)
                {
                    throw new IllegalArgumentException("poison " + event.value);
                }
                if (event.value % 1_000 == 1)
                {
                    throw new IOException("disk " + event.value);
                }
            })));
        for (long value = 0; value < 10_000; value++)
        {
            Tick event = many.claim();
            while (event == null)
            {
                server.invoke();
                event = many.claim();
            }
            event.value = value;
            many.publish(event);
        }
        server.close();
        assertEquals(2, server.errors().size(), server.errors().toString());
        assertEquals(100, server.errors().get(0).count());
        assertTrue(server.errors().get(0).message().endsWith("poison 0"), server.errors().get(0).message());
        assertTrue(server.errors().get(0).stack().get(0).getMethodName().contains("shouldCountFailuresByKind"));
        assertEquals(10, server.errors().get(1).count());
        assertTrue(server.errors().get(1).firstMs() <= server.errors().get(1).lastMs());
        assertEquals(110, errors.size());
    }

    @Test
    void shouldBoundTheNumberOfKinds()
    {
        final DistinctErrors distinct = new DistinctErrors();
        for (int i = 0; i < DistinctErrors.MAX_KINDS + 10; i++)
        {
            assertEquals(i <= DistinctErrors.MAX_KINDS, distinct.add("part " + i, new Exception("e")));
            assertEquals(false, distinct.add("part 0", new Exception("f")));
        }
        assertEquals(DistinctErrors.MAX_KINDS + 1, distinct.list().size());
        assertEquals(10, distinct.list().get(DistinctErrors.MAX_KINDS).count());
    }

    /** Also if it follows an exception. */
    @Test
    void shouldWaitForTheNextAttemptAndEndTheAttemptsAtAnError() throws InterruptedException
    {
        final List<Long> times = Collections.synchronizedList(new ArrayList<>());
        server = Server.launch(new Server.Context().name("retry").threadingMode(ThreadingMode.DEDICATED)
            .errorHandler(errors::add).stallTimeoutNs(0).agent("a", a -> a.hosts("a").retry(3, 20 * MS, 20 * MS))
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                times.add(System.nanoTime());
                if (times.size() == 1)
                {
                    throw new IOException("disk");
                }
                throw new AssertionError("planted");
            })));
        publish(1);
        Await.closed(server);
        assertEquals("planted", server.failure().getCause().getMessage());
        assertEquals(1, server.counters().value("a.retries"));
        assertTrue(times.get(1) - times.get(0) >= 20 * MS, times::toString);
    }
}
