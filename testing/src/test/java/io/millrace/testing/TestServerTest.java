package io.millrace.testing;

import io.millrace.server.ErrorPolicy;
import io.millrace.server.EventPublication;
import io.millrace.server.HandlerContext;
import io.millrace.server.InVmSource;
import io.millrace.server.Scheduler;
import io.millrace.server.Server;
import io.millrace.server.StageHandler;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TestServerTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final InVmSource<Price> prices = new InVmSource<>(Price::new, 64);
    private final MemorySink<Price, Long> sink = new MemorySink<>(event -> event.value);

    private void publish(final long value)
    {
        final Price event = prices.claim();
        event.value = value;
        prices.publish(event);
    }

    /** Forwards each event to another flow, and keeps every third. */
    private static final class Forward implements StageHandler<Price>
    {
        private EventPublication<Price> out;

        @Override
        public void onStart(final HandlerContext context)
        {
            out = context.publication("out", Price.class);
        }

        @Override
        public void onEvent(final Price event, final long sequence, final boolean endOfBatch)
        {
            final Price copy = out.claim();
            copy.value = event.value;
            out.offer(copy);
        }
    }

    @Test
    void shouldHaveHandledAllThatFollowsWhenIdle()
    {
        final InVmSource<Price> between = new InVmSource<>(Price::new, 64);
        try (TestServer test = TestServer.start(new Server.Context()
            .flow("in", f -> f.from(prices).to("forward", new Forward()))
            .flow("out", f -> f.from(between).to("sink", sink))))
        {
            publish(1);
            publish(2);
            assertEquals(4, test.awaitIdle(), "two events in two flows");
            assertEquals(List.of(1L, 2L), sink.values());
            assertEquals(0, test.awaitIdle());
            sink.clear();
            assertEquals(0, sink.size());
        }
    }

    /** Publishes one event in its first idle cycle. */
    private final class Late implements EventHandler<Price>
    {
        private boolean done;

        @Override
        public void onEvent(final Price event, final long sequence, final boolean endOfBatch)
        {
        }

        @Override
        public void onIdle()
        {
            if (!done)
            {
                done = true;
                publish(5);
            }
        }
    }

    @Test
    void shouldHandleWhatAnIdleCycleHasPublished()
    {
        final InVmSource<Price> others = new InVmSource<>(Price::new, 64);
        try (TestServer test = TestServer.start(new Server.Context()
            .flow("in", f -> f.from(prices).to("sink", sink))
            .flow("other", f -> f.from(others).to("late", new Late()))))
        {
            assertEquals(0, test.clock().nanoTime());
            assertEquals(1, test.awaitIdle());
            assertEquals(List.of(5L), sink.values());
        }
    }

    @Test
    void shouldComeToRestAlsoWithoutATimeToPass()
    {
        final List<Long> timesNs = new ArrayList<>();
        final HandClock[] clock = new HandClock[1];
        try (TestServer test = TestServer.start(new Server.Context().flow("f", f -> f.from(prices).to("a",
            (event, sequence, endOfBatch) -> timesNs.add(clock[0].nanoTime())))))
        {
            clock[0] = test.clock();
            publish(1);
            assertEquals(1, test.advance(0));
            publish(2);
            assertEquals(1, test.advance(Scheduler.TICK_NS));
            assertEquals(Scheduler.TICK_NS, test.clock().nanoTime());
            assertEquals(List.of(0L, 0L), timesNs, "what was published before the clock moves");
            assertEquals("durationNs -1 is below 0",
                assertThrows(IllegalArgumentException.class, () -> test.advance(-1)).getMessage());
        }
    }

    @Test
    void shouldNotFailBecauseOfExpectedFailures()
    {
        final TestServer test = TestServer.start(new Server.Context().errorHandler(ex ->
        {
        }).flow("f", f -> f.from(prices).to("a", (event, sequence, endOfBatch) ->
        {
            throw new IllegalStateException("planted");
        })));
        publish(1);
        test.expectFailures().awaitIdle();
        assertEquals(1, test.server().errors().size());
        test.close();
    }

    @Test
    void shouldRunTimersAsTheClockMoves()
    {
        final List<Long> times = new ArrayList<>();
        final StageHandler<Price> timed = new StageHandler<>()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                context.scheduler().every(SECOND_NS, SECOND_NS, timeNs ->
                {
                    times.add(timeNs);
                    publish(timeNs);
                });
            }

            @Override
            public void onEvent(final Price event, final long sequence, final boolean endOfBatch)
            {
            }
        };
        try (TestServer test = TestServer.start(new Server.Context().flow("f", f -> f.from(prices).to("timed", timed))))
        {
            test.awaitIdle();
            assertEquals(List.of(), times, "the clock stands still");
            assertTrue(test.advance(3 * SECOND_NS + Scheduler.TICK_NS) >= 3, "three events of the timer");
            assertEquals(3 * SECOND_NS + Scheduler.TICK_NS, test.clock().nanoTime());
            assertEquals(3, times.size());
            for (int i = 0; i < 3; i++)
            {
                final long lateNs = times.get(i) - (i + 1) * SECOND_NS;
                assertTrue(lateNs >= 0 && lateNs <= Scheduler.TICK_NS, () -> "times " + times);
            }
            assertThrows(IllegalArgumentException.class, () -> test.clock().set(1));
        }
    }

    @Test
    void shouldShowATimerItsOwnTimeAfterAPartOfATick()
    {
        final List<Long> lateNs = new ArrayList<>();
        final StageHandler<Price> timed = new StageHandler<>()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                for (long timeNs = 1; timeNs < 20 * Scheduler.TICK_NS; timeNs += 700_001)
                {
                    final long dueNs = timeNs;
                    context.scheduler().at(dueNs, nowNs -> lateNs.add(nowNs - dueNs));
                }
            }

            @Override
            public void onEvent(final Price event, final long sequence, final boolean endOfBatch)
            {
            }
        };
        try (TestServer test = TestServer.start(new Server.Context().flow("f", f -> f.from(prices).to("timed", timed))))
        {
            test.advance(500_000);
            test.advance(500_000);
            test.advance(20 * Scheduler.TICK_NS);
        }
        assertEquals(30, lateNs.size());
        lateNs.forEach(each -> assertTrue(each >= 0 && each < Scheduler.TICK_NS, () -> "late by " + lateNs));
    }

    @Test
    void shouldFailBecauseOfAFailureBeforeItWasStartedAgain()
    {
        final TestServer test = TestServer.start(new Server.Context().errorHandler(ex ->
        {
        }).onError(ErrorPolicy.SKIP_AND_RECORD).flow("f", f -> f.from(prices).to("a", (event, sequence, endOfBatch) ->
        {
            throw new IllegalStateException("planted");
        })));
        publish(1);
        test.awaitIdle();
        test.server().stop();
        test.server().start();
        final AssertionError failed = assertThrows(AssertionError.class, test::close);
        assertTrue(failed.getMessage().endsWith("before it was started again"), failed.getMessage());
        test.expectFailures().close();
    }

    @Test
    void shouldFailIfTheServerFailed()
    {
        final IllegalStateException cause = new IllegalStateException("planted");
        final TestServer test = TestServer.start(new Server.Context().errorHandler(ex ->
        {
        }).flow("f", f -> f.from(prices).to("a", (event, sequence, endOfBatch) ->
        {
            throw cause;
        })));
        publish(1);
        final AssertionError failed = assertThrows(AssertionError.class, test::awaitIdle);
        assertSame(cause, failed.getCause().getCause());
        assertTrue(failed.getMessage().contains("stage 'a' failed on event 0: " + cause), failed.getMessage());
        assertThrows(AssertionError.class, test::close);
        test.expectFailures().close();
    }

    @Test
    void shouldFailAtTheCloseIfAnEventWasSkipped()
    {
        final TestServer test = TestServer.start(new Server.Context().errorHandler(ex ->
        {
        }).onError(ErrorPolicy.SKIP_AND_RECORD).flow("f", f -> f.from(prices).to("a", (event, sequence, endOfBatch) ->
        {
            throw new IllegalStateException("planted");
        })));
        publish(1);
        test.awaitIdle();
        final AssertionError failed = assertThrows(AssertionError.class, test::close);
        assertTrue(failed.getMessage().contains("planted"), failed.getMessage());
    }

    @Test
    void shouldFailIfAnEventWasNotReleased()
    {
        final List<Price> kept = new ArrayList<>();
        final TestServer test = TestServer.start(new Server.Context()
            .flow("f", f -> f.from(prices).to("a", (event, sequence, endOfBatch) ->
            {
                event.retain(1);
                kept.add(event);
            })));
        publish(1);
        test.awaitIdle();
        final AssertionError failed = assertThrows(AssertionError.class, test::close);
        assertTrue(failed.getMessage().contains("not released"), failed.getMessage());
        kept.get(0).release();
        test.close();
    }

    @Test
    void shouldFailIfTheServerNeverRests()
    {
        final TestServer test = TestServer.start(new Server.Context()
            .flow("f", f -> f.from(Price::new, 64, out -> 1).to("a", sink)));
        final AssertionError failed = assertThrows(AssertionError.class, test::awaitIdle);
        assertTrue(failed.getMessage().contains("duty cycles"), failed.getMessage());
        test.close();
    }

    @Test
    void shouldRunTheWholePathWithoutAllocation()
    {
        final long[] sum = new long[1];
        try (TestServer test = TestServer.start(new Server.Context()
            .flow("f", f -> f.from(prices).to("a", (event, sequence, endOfBatch) -> sum[0] += event.value))))
        {
            Allocations.shouldBeNone(() ->
            {
                for (int i = 0; i < 100_000; i++)
                {
                    publish(i);
                    test.server().invoke();
                }
            });
            assertFalse(sum[0] == 0);
        }
        final List<Object> kept = new ArrayList<>();
        final AssertionError failed =
            assertThrows(AssertionError.class, () -> Allocations.shouldBeNone(() -> kept.add(new byte[1_000])));
        assertTrue(failed.getMessage().startsWith("the code allocates: bytes of each run: ["), failed.getMessage());
        assertTrue(Allocations.bytes(() -> kept.add(new byte[1_000])) >= 1_000);
    }
}
