package io.millrace.server;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests that are opened while their table closes, or whose answer cannot be created or comes too late. */
final class RequestsCloseTest
{
    @Test
    void shouldFreeTheSlotIfTheFactoryThrows()
    {
        final int[] created = new int[1];
        final Requests<RequestsTest.Answer> failing = new Requests<>(() ->
        {
            if (++created[0] == 2)
            {
                throw new IllegalStateException("boom");
            }
            return new RequestsTest.Answer();
        }, 1);
        final long first = failing.open(new CompletableFuture<>(), RequestsTest.LONG_NS);
        failing.answerTo(first);
        failing.send(first);
        assertThrows(IllegalStateException.class, () -> failing.open(RequestsTest.LONG_NS));
        assertEquals(0, failing.inUse());
        assertNotEquals(Requests.NONE, failing.open(RequestsTest.LONG_NS));
    }

    /** The caller that gets NONE reports the failure itself: it must not also get it by a callback or a future. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseARequestDuringWhoseOpeningTheTableCloses(final boolean byCallback)
    {
        final List<Requests<RequestsTest.Answer>> table = new ArrayList<>();
        final int[] created = new int[1];
        table.add(new Requests<>(() ->
        {
            if (++created[0] == 2)
            {
                table.get(0).closeAll();
            }
            return new RequestsTest.Answer();
        }, 1));
        final Requests<RequestsTest.Answer> requests = table.get(0);
        final long first = requests.open(new CompletableFuture<>(), RequestsTest.LONG_NS);
        requests.answerTo(first);
        requests.send(first);
        // The answer went with the future, so the next request creates another one, and finds the table open before.
        final List<Long> ended = new ArrayList<>();
        final CompletableFuture<RequestsTest.Answer> future = new CompletableFuture<>();
        assertEquals(Requests.NONE, byCallback ?
            requests.open((correlation, answer) -> ended.add(correlation), RequestsTest.LONG_NS) :
            requests.open(future, RequestsTest.LONG_NS));
        assertEquals(List.of(), ended);
        assertFalse(future.isDone());
        assertEquals(List.of(1L, 1L, 0L, 1L),
            List.of(requests.opened(), requests.answered(), requests.cancelled(), requests.refused()));
        assertEquals(0, requests.inUse());
    }

    /** NONE is what a full table returns. A caller that does not look at it must not wait for ever. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldDoNothingForTheCorrelationOfNoRequest()
    {
        final Requests<RequestsTest.Answer> requests = new Requests<>(RequestsTest.Answer::new, 1);
        requests.close(Requests.NONE);
        assertNull(requests.await(Requests.NONE));

        final long open = requests.open(RequestsTest.LONG_NS);
        assertEquals(Requests.NONE, requests.open(RequestsTest.LONG_NS));
        requests.close(Requests.NONE);
        assertNull(requests.await(Requests.NONE));
        assertNull(requests.poll(Requests.NONE));
        assertNull(requests.answerTo(Requests.NONE));
        assertEquals(1, requests.inUse());
        assertEquals(0, requests.late());
        requests.close(open);
        assertEquals(0, requests.inUse());
    }

    /** Without the fences, one to four of them fail between far cores: many tables, so that their memory is cold. */
    @RepeatedTest(4)
    @Tag("slow")
    void shouldCancelEachRequestThatIsOpenedDuringTheClose() throws Exception
    {
        final int rounds = 20_000;
        final List<Requests<RequestsTest.Answer>> tables = new ArrayList<>();
        final List<CompletableFuture<RequestsTest.Answer>> futures = new ArrayList<>();
        for (int i = 0; i < rounds; i++)
        {
            tables.add(new Requests<>(RequestsTest.Answer::new, 1));
            futures.add(new CompletableFuture<>());
        }
        final AtomicInteger arrived = new AtomicInteger();
        final Thread closer = new Thread(() ->
        {
            for (int i = 0; i < rounds; i++)
            {
                meet(arrived, i);
                tables.get(i).closeAll();
            }
        });
        closer.start();
        for (int i = 0; i < rounds; i++)
        {
            meet(arrived, i);
            tables.get(i).open(futures.get(i), RequestsTest.LONG_NS);
        }
        Await.ended(closer);
        for (int i = 0; i < rounds; i++)
        {
            assertEquals(0, tables.get(i).inUse(), "round " + i);
            assertEquals(tables.get(i).opened() == 1, futures.get(i).isDone(), "round " + i);
        }
    }

    /** Both threads leave at the same moment. */
    private static void meet(final AtomicInteger arrived, final int round)
    {
        arrived.incrementAndGet();
        for (int looks = 1; arrived.get() < 2 * (round + 1); looks++)
        {
            // A thread that yields each time leaves later than the other one.
            if (looks % 65_536 == 0)
            {
                Thread.yield();
            }
        }
    }

    /** Each handler throws; all the same, the handler of every request is called. */
    @Test
    void shouldEndEachRequestAlthoughHandlersThrow()
    {
        final Requests<RequestsTest.Answer> table = new Requests<>(RequestsTest.Answer::new, 4);
        final List<Long> told = new ArrayList<>();
        final AnswerHandler<RequestsTest.Answer> failing = (correlation, answer) ->
        {
            told.add(correlation);
            throw new IllegalStateException("boom " + told.size());
        };
        table.open(failing, 1);
        table.open(failing, 1);
        final CompletableFuture<RequestsTest.Answer> future = new CompletableFuture<>();
        table.open(future, 1);
        final IllegalStateException expired = assertThrows(IllegalStateException.class, table::expire);
        assertEquals("boom 1", expired.getMessage());
        assertEquals("boom 2", expired.getSuppressed()[0].getMessage());
        assertTrue(future.isCompletedExceptionally());
        assertEquals(3, table.timedOut());

        final long fourth = table.open(failing, RequestsTest.LONG_NS);
        final long fifth = table.open(failing, RequestsTest.LONG_NS);
        final long waiting = table.open(RequestsTest.LONG_NS);
        assertEquals("boom 3", assertThrows(IllegalStateException.class, table::closeAll).getMessage());
        assertEquals(Set.of(fourth, fifth), Set.copyOf(told.subList(2, told.size())));
        assertNull(table.await(waiting));
        assertEquals(3, table.cancelled());
        assertEquals(0, table.inUse());
        table.closeAll();
    }

    /** The requester hears of the timeout at once, and only of the timeout. The slot is free after the late answer. */
    @Test
    void shouldEndARequestWhoseAnswerIsBeingFilled()
    {
        final Requests<RequestsTest.Answer> table = new Requests<>(RequestsTest.Answer::new, 2);
        final List<Boolean> told = new ArrayList<>();
        final long withHandler = table.open((correlation, answer) -> told.add(answer == null), 1);
        final CompletableFuture<RequestsTest.Answer> future = new CompletableFuture<>();
        final long withFuture = table.open(future, 1);
        table.answerTo(withHandler);
        table.answerTo(withFuture);
        assertEquals(2, table.expire());
        assertEquals(List.of(true), told);
        assertSame(TimeoutException.class,
            assertThrows(ExecutionException.class, future::get).getCause().getClass());
        assertEquals(2, table.inUse());
        assertEquals(0, table.expire());
        assertFalse(table.send(withHandler));
        assertFalse(table.send(withFuture));
        assertEquals(List.of(true), told);
        assertEquals(2, table.timedOut());
        assertEquals(2, table.late());
        assertEquals(0, table.inUse());
    }
}
