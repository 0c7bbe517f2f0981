package io.millrace.server;

import io.millrace.pool.PoolCheck;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Requests and their answers: three ways to wait, timeouts, late answers, a full table, and exact counters.
 */
final class RequestsTest
{
    static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    /** An answer. */
    static final class Answer
    {
        long value;
    }

    private final Requests<Answer> requests = new Requests<>(Answer::new, 2);

    @AfterEach
    void everyRequestEndsOnce()
    {
        requests.closeAll();
        assertEquals(requests.opened(), requests.answered() + requests.timedOut() + requests.cancelled());
    }

    private boolean answer(final long correlation, final long value)
    {
        final Answer answer = requests.answerTo(correlation);
        if (answer != null)
        {
            answer.value = value;
            return requests.send(correlation);
        }
        return false;
    }

    @Test
    void shouldCountAFutureThatTheRequesterHasCancelled()
    {
        final CompletableFuture<Answer> future = new CompletableFuture<>();
        final long correlation = requests.open(future, LONG_NS);
        assertTrue(future.cancel(false));
        assertFalse(answer(correlation, 1), "delivered to nobody");
        assertEquals(0, requests.answered());
        assertEquals(1, requests.cancelled());
        assertEquals(1, requests.late());
        // Its slot is free.
        final CompletableFuture<Answer> next = new CompletableFuture<>();
        assertTrue(answer(requests.open(next, LONG_NS), 2));
        assertEquals(2, next.join().value);
        assertEquals(1, requests.answered());
    }

    @Test
    void shouldReturnTheAnswerToTheOneWhoAsked()
    {
        final long first = requests.open(LONG_NS);
        final long second = requests.open(LONG_NS);
        assertNull(requests.poll(first));
        assertTrue(answer(second, 2));
        assertTrue(answer(first, 1));

        assertEquals(1, requests.await(first).value);
        assertEquals(2, requests.poll(second).value);
        requests.close(first);
        requests.close(second);
        requests.close(second);
        assertNull(requests.await(first));
        assertEquals(2, requests.answered());
        assertEquals(0, requests.inUse());
    }

    @Test
    void shouldCountALateAnswerAndDeliverItToNobodyElse()
    {
        final long slow = requests.open(1);
        assertNull(requests.await(slow));
        final List<Long> others = List.of(requests.open(LONG_NS), requests.open(LONG_NS));
        assertFalse(others.contains(slow));

        assertFalse(answer(slow, -1));
        assertEquals(1, requests.late());
        others.forEach(other ->
        {
            assertNull(requests.poll(other));
            assertTrue(answer(other, other));
            assertEquals(other, requests.await(other).value);
            requests.close(other);
        });
        assertEquals(1, requests.timedOut());
        assertEquals(0, requests.inUse());
    }

    @Test
    void shouldKeepTheSlotOfARequesterWhoGaveUpUntilTheAnswerIsFilled()
    {
        final long slow = requests.open(1);
        final Answer filling = requests.answerTo(slow);
        assertNull(requests.await(slow));
        assertEquals(1, requests.inUse());
        final long other = requests.open(LONG_NS);
        assertEquals(Requests.NONE, requests.open(LONG_NS));
        filling.value = 7;

        assertFalse(requests.send(slow));
        assertEquals(1, requests.late());
        assertNull(requests.poll(other));
        assertEquals(1, requests.inUse());
    }

    /** So an answer of several events is taken at the first one and kept. */
    @Test
    void shouldGiveAnAnswerThatIsBeingFilledToNobodyElse()
    {
        final long correlation = requests.open(LONG_NS);
        final Answer filling = requests.answerTo(correlation);
        assertNull(requests.answerTo(correlation));
        assertEquals(1, requests.late());
        filling.value = 7;
        assertTrue(requests.send(correlation));
        assertEquals(7, requests.await(correlation).value);
        requests.close(correlation);
    }

    @Test
    void shouldRefuseAndCountMoreRequestsThanItHolds()
    {
        requests.open(LONG_NS);
        requests.open(LONG_NS);
        assertEquals(Requests.NONE, requests.open(LONG_NS));
        assertEquals(1, requests.refused());
        assertNull(requests.answerTo(Requests.NONE));
        assertEquals(0, requests.late());
    }

    @Test
    void shouldMakeRoomByRequestsWhoseTimeIsOver()
    {
        final long forgotten = requests.open(1);
        requests.open(LONG_NS);
        final long next = requests.open(LONG_NS);

        assertNotEquals(Requests.NONE, next);
        assertNull(requests.await(forgotten));
        assertEquals(1, requests.timedOut());
        assertTrue(answer(next, 3));
    }

    @Test
    void shouldCallBackOnceWithTheAnswerOrWithNull()
    {
        final List<String> calls = new ArrayList<>();
        final AnswerHandler<Answer> handler =
            (correlation, answer) -> calls.add(answer == null ? "none" : "answer " + answer.value);
        assertTrue(answer(requests.open(handler, LONG_NS), 5));
        final long slow = requests.open(handler, 1);
        assertEquals(1, requests.expire());
        assertEquals(0, requests.expire());
        answer(slow, 6);
        requests.close(requests.open(handler, LONG_NS));

        assertEquals(List.of("answer 5", "none", "none"), calls);
        assertEquals(0, requests.inUse());
    }

    @Test
    void shouldFreeTheSlotAlthoughTheCallbackThrows()
    {
        final long correlation = requests.open((ignored, answer) ->
        {
            throw new IllegalStateException("planned");
        }, LONG_NS);
        assertThrows(IllegalStateException.class, () -> answer(correlation, 1));
        assertEquals(0, requests.inUse());
        assertEquals(1, requests.answered());
    }

    @Test
    void shouldCompleteAFutureWithAnAnswerOfItsOwn() throws Exception
    {
        final CompletableFuture<Answer> first = new CompletableFuture<>();
        final CompletableFuture<Answer> second = new CompletableFuture<>();
        answer(requests.open(first, LONG_NS), 1);
        answer(requests.open(second, LONG_NS), 2);
        for (int i = 0; i < 4; i++)
        {
            final long next = requests.open(LONG_NS);
            answer(next, -1);
            assertNotSame(first.get(), requests.await(next));
            requests.close(next);
        }
        assertEquals(1, first.get().value);
        assertEquals(2, second.get().value);

        final CompletableFuture<Answer> slow = new CompletableFuture<>();
        requests.open(slow, 1);
        requests.expire();
        assertSame(TimeoutException.class, assertThrows(ExecutionException.class, slow::get).getCause().getClass());
        final CompletableFuture<Answer> cancelled = new CompletableFuture<>();
        requests.open(cancelled, LONG_NS);
        requests.closeAll();
        assertThrows(CancellationException.class, cancelled::get);
        assertEquals(Requests.NONE, requests.open(LONG_NS));
    }

    @Test
    void shouldStopWaitingWhenInterruptedOrClosed() throws Exception
    {
        Thread.currentThread().interrupt();
        assertNull(requests.await(requests.open(LONG_NS)));
        assertTrue(Thread.interrupted());
        final long correlation = requests.open(LONG_NS);
        final Thread other = new Thread(requests::closeAll);
        other.start();
        assertNull(requests.await(correlation));
        other.join();
    }

    @Test
    void shouldRefuseWrongValues()
    {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> requests.open(0)).getMessage()
            .contains("timeoutNs 0 is not in 1..3600000000000"));
        assertThrows(IllegalArgumentException.class, () -> requests.open(Requests.MAX_TIMEOUT_NS + 1));
        assertEquals("capacity 3 is not a power of two in 1..1048576: take 2 or 4",
            assertThrows(IllegalArgumentException.class, () -> new Requests<>(Answer::new, 3)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> new Requests<>(Answer::new, 2 * Requests.MAX_CAPACITY));
        assertEquals("capacity 0 is not in 1..1048576",
            assertThrows(IllegalArgumentException.class, () -> new Requests<>(Answer::new, 0)).getMessage());
        assertThrows(NullPointerException.class, () -> new Requests<>(() -> null, 2));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> requests.send(12345)).getMessage()
            .contains("answerTo()"));
        assertThrows(IllegalArgumentException.class, () -> requests.send(requests.open(LONG_NS)));
    }

    /** Answers each event with its value + 1. */
    private static final class Adder implements EventHandler<Tick>
    {
        final Requests<Answer> answers;

        Adder(final Requests<Answer> answers)
        {
            this.answers = answers;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            final Answer answer = answers.answerTo(event.key);
            if (answer != null)
            {
                answer.value = event.value + 1;
                answers.send(event.key);
            }
        }
    }

    private static Server launch(final InVmSource<Tick> source, final Adder adder, final Requests<Answer> table)
    {
        final Server server = Server.launch(new Server.Context().idle(YieldingIdleStrategy::new).flow("questions",
            f -> f.from(source).onFull(BackPressure.BLOCK).to("add", adder)));
        table.addCounters(server.counters(), "requests");
        return server;
    }

    private static void ask(final InVmSource<Tick> source, final Requests<Answer> table, final long value)
    {
        final long correlation = table.open(LONG_NS);
        final Tick event = source.claim();
        event.value = value;
        event.key = correlation;
        assertTrue(source.publish(event));
        assertEquals(value + 1, table.await(correlation).value);
        table.close(correlation);
    }

    private static void askFromFourThreads(final ExecutorService threads) throws Exception
    {
        final int each = 5_000;
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, 16);
        final Requests<Answer> table = new Requests<>(Answer::new, 4);
        try (Server server = launch(source, new Adder(table), table))
        {
            final List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 4; i++)
            {
                final int thread = i;
                done.add(threads.submit(() ->
                {
                    for (int k = 0; k < each; k++)
                    {
                        ask(source, table, thread * (long)each + k);
                    }
                }));
            }
            for (final Future<?> one : done)
            {
                one.get(1, TimeUnit.MINUTES);
            }
            assertEquals(4 * each, server.counters().value("requests.answered"));
            assertEquals(0, server.counters().value("requests.late"));
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldAnswerSeveralThreads() throws Exception
    {
        askFromFourThreads(Executors.newFixedThreadPool(4));
    }

    @Test
    void shouldAnswerVirtualThreads() throws Exception
    {
        final ExecutorService threads;
        try
        {
            threads = (ExecutorService)Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        }
        catch (final ReflectiveOperationException ex)
        {
            assumeTrue(false, "virtual threads need JDK 21: " + ex);
            return;
        }
        askFromFourThreads(threads);
    }

    @Test
    void shouldAllocateNothingOnEitherSide()
    {
        assumeFalse(PoolCheck.ENABLED, "checked mode allocates");
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, 16);
        final Requests<Answer> table = new Requests<>(Answer::new, 4);
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).flow("questions",
            f -> f.from(source).to("add", new Adder(table))));
        askManyTimes(server, source, table);
        AllocationWindows.assertNothing("100,000 requests", 7, () -> askManyTimes(server, source, table));
        server.close();
    }

    /** Every fourth one is late. All on this thread, so both sides are measured. */
    private static void askManyTimes(
        final Server server, final InVmSource<Tick> source, final Requests<Answer> table)
    {
        for (int i = 0; i < 100_000; i++)
        {
            final long correlation = table.open(LONG_NS);
            final Tick event = source.claim();
            event.value = i;
            event.key = correlation;
            source.publish(event);
            if (i % 4 == 0)
            {
                table.close(correlation);
            }
            server.invoke();
            final Answer answer = table.poll(correlation);
            if (answer == null == (i % 4 != 0) || answer != null && answer.value != i + 1)
            {
                throw new AssertionError("request " + i);
            }
            table.close(correlation);
        }
    }

    @Test
    void shouldEndEachRequestOnceWhileAnswersAndTimeoutsRace() throws Exception
    {
        final int count = 20_000;
        final Requests<Answer> table = new Requests<>(Answer::new, 8);
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, 64);
        final List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
        final Server server = launch(source, new Adder(table), table);
        final Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++)
        {
            final int thread = t;
            threads[t] = new Thread(() ->
            {
                for (int i = 0; i < count; i++)
                {
                    final long correlation = table.open(1 + (i * 37L + thread * 1_001L) % 4_000);
                    if (correlation != Requests.NONE)
                    {
                        final Tick event = source.claim();
                        event.value = i * 3L + thread;
                        event.key = correlation;
                        source.publish(event);
                        final Answer answer = table.await(correlation);
                        if (answer != null && answer.value != i * 3L + thread + 1)
                        {
                            wrong.add(new AssertionError(answer.value + " for " + (i * 3L + thread)));
                        }
                        table.close(correlation);
                    }
                }
            });
            threads[t].start();
        }
        for (final Thread thread : threads)
        {
            Await.ended(thread);
        }
        server.close();
        assertEquals(List.of(), wrong);
        assertEquals((long)threads.length * count, table.opened() + table.refused());
        assertEquals(table.opened(), table.answered() + table.timedOut());
        assertEquals(table.opened(), table.answered() + table.late());
        assertEquals(0, table.inUse());
    }
}
