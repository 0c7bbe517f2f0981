package io.millrace.server;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Timers on the handler's own agent: by hand, live, and by the time of recorded events. */
class SchedulerTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1024);
    private final CachedNanoClock clock = new CachedNanoClock();
    private Scheduler scheduler;
    private Server server;

    private class Timed implements StageHandler<Tick>
    {
        private Scheduler own;

        @Override
        public void onStart(final HandlerContext context)
        {
            scheduler = context.scheduler();
            own = scheduler;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            log.add("event at " + own.now() / MS);
        }
    }

    private void launch(final ErrorPolicy policy)
    {
        server = Server.launch(new Server.Context().name("timers").threadingMode(ThreadingMode.INVOKER).clock(clock)
            .onError(policy)
            .errorHandler(errors::add).stallTimeoutNs(0).flow("f", f -> f.from(source).to("a", new Timed())));
    }

    private void advanceTo(final long timeNs)
    {
        clock.update(timeNs);
        server.invoke();
    }

    @AfterEach
    void shouldClose()
    {
        if (server != null)
        {
            server.close();
        }
    }

    @Test
    void shouldRunTasksNeverEarlyAndAtMostOneTickLate()
    {
        launch(ErrorPolicy.STOP_SERVER);
        final Random random = new Random(1);
        final long[] due = new long[500];
        final long[] ran = new long[500];
        for (int i = 0; i < due.length; i++)
        {
            final int index = i;
            due[i] = random.nextInt(3_000) * MS / 2;
            scheduler.at(due[i], now -> ran[index] = now);
        }
        assertEquals(500, server.counters().value("shared.timers.pending"));
        for (long now = 0; now < 1_600 * MS; now += MS / 8)
        {
            advanceTo(now);
        }
        for (int i = 0; i < due.length; i++)
        {
            final long late = ran[i] - due[i];
            assertTrue(late >= 0 && late <= Scheduler.TICK_NS + MS / 8, "timer " + i + " late by " + late);
        }
        assertEquals(0, server.counters().value("shared.timers.pending"));
        assertEquals(500, server.counters().value("shared.timers.fired"));
    }

    @Test
    void shouldRepeatWithoutABurstAfterAPause()
    {
        launch(ErrorPolicy.STOP_SERVER);
        final long id = scheduler.every(10 * MS, 10 * MS, now -> log.add("" + now / MS));
        for (int now = 0; now < 45; now++)
        {
            advanceTo(now * MS);
        }
        assertEquals(List.of("11", "21", "31", "41"), log);
        // P16: stopped for three seconds.
        advanceTo(3_045 * MS);
        advanceTo(3_046 * MS);
        assertEquals(5, log.size(), log.toString());
        for (int now = 3_047; now < 3_065; now++)
        {
            advanceTo(now * MS);
        }
        assertEquals(7, log.size(), log.toString());
        assertTrue(scheduler.cancel(id));
        assertFalse(scheduler.cancel(id));
        advanceTo(4_000 * MS);
        assertEquals(7, log.size());
        assertEquals(0, scheduler.pending());
    }

    @Test
    void shouldCancelAlsoFromAnotherTaskOfTheSameTick()
    {
        launch(ErrorPolicy.STOP_SERVER);
        final long[] ids = new long[2];
        ids[0] = scheduler.after(MS, now -> log.add("0 " + scheduler.cancel(ids[1])));
        ids[1] = scheduler.after(MS, now -> log.add("1 " + scheduler.cancel(ids[0])));
        advanceTo(10 * MS);
        assertEquals(List.of("0 true"), log);
        // A timer that ran does not cancel the one that has its place now.
        final long later = scheduler.after(MS, now -> log.add("later"));
        assertFalse(scheduler.cancel(ids[0]));
        assertFalse(scheduler.cancel(ids[1]));
        assertFalse(scheduler.cancel(-1));
        assertFalse(scheduler.cancel(Long.MAX_VALUE));
        assertTrue(later > 0);
        advanceTo(20 * MS);
        assertEquals(List.of("0 true", "later"), log);
        assertThrows(IllegalArgumentException.class, () -> scheduler.after(-1, now -> log.add("")));
        assertEquals("every(0, 1): delayNs is at least 0, periodNs at least a tick of 1048576",
            assertThrows(IllegalArgumentException.class, () -> scheduler.every(0, 1, now -> log.add(""))).getMessage());
    }

    @Test
    void shouldApplyTheErrorPolicyToTasks()
    {
        launch(ErrorPolicy.SKIP_AND_RECORD);
        scheduler.after(0, now ->
        {
            throw new IllegalStateException("boom");
        });
        scheduler.after(0, now -> log.add("next"));
        advanceTo(5 * MS);
        assertEquals(List.of("next"), log);
        assertEquals(1, errors.size());
        server.close();
        errors.clear();
        final Server skipping = server;
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 16);
        server = Server.launch(new Server.Context().name("timers").threadingMode(ThreadingMode.INVOKER).clock(clock)
            .errorHandler(errors::add).stallTimeoutNs(0).flow("f", f -> f.from(other).to("a", new Timed())));
        scheduler.after(0, now ->
        {
            throw new IllegalStateException("boom");
        });
        advanceTo(10 * MS);
        assertEquals(ServerState.FAILED, server.state());
        assertTrue(server.failure().getMessage().contains("a timer of agent 'shared' failed"));
        assertEquals(ServerState.CLOSED, skipping.state());
    }

    @Test
    void shouldRunOnTheAgentsThread()
    {
        final AtomicLong seen = new AtomicLong();
        final Thread[] threads = new Thread[2];
        server = Server.launch(new Server.Context().name("timers").errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).to("a", new StageHandler<Tick>()
            {
                @Override
                public void onStart(final HandlerContext context)
                {
                    threads[0] = Thread.currentThread();
                    context.scheduler().every(0, 2 * MS, now ->
                    {
                        threads[1] = Thread.currentThread();
                        seen.incrementAndGet();
                    });
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                }
            })));
        Await.until("it ticks", () -> seen.get() > 5);
        server.close();
        assertEquals(threads[0], threads[1]);
        assertEquals(List.of(), errors);
    }

    /** The same recording gives the same output, in batches of any size and in every threading mode. */
    @Test
    void shouldFollowTheTimeOfRecordedEvents() throws InterruptedException
    {
        final List<String> expected = replay(ThreadingMode.INVOKER, Pipelines.direct(), 1);
        assertTrue(expected.size() > 2_000, "size " + expected.size());
        same(expected, replay(ThreadingMode.INVOKER, Pipelines.ring(), 256));
        same(expected, replay(ThreadingMode.INVOKER, Pipelines.ring(), 1));
        same(expected, replay(ThreadingMode.DEDICATED, Pipelines.ring(), 7));
        same(expected, replay(ThreadingMode.DEDICATED, Pipelines.direct(), 7));
        same(expected, replay(ThreadingMode.SHARED, Pipelines.spsc(2048), 100));
    }

    private static void same(final List<String> expected, final List<String> actual)
    {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertEquals(expected.get(i), actual.get(i), "line " + i);
        }
    }

    private static EventSource<Tick> recorded(final int batch)
    {
        final Random random = new Random(7);
        final long[] state = {1_700_000_000_000_000_000L, 0};
        return new EventSource<>()
        {
            @Override
            public int poll(final EventPublication<Tick> into)
            {
                int count = 0;
                while (count < batch && state[1] < 2_000)
                {
                    final Tick event = into.claim();
                    if (event == null)
                    {
                        return count;
                    }
                    state[0] += random.nextInt(5) * MS + random.nextInt(1_000);
                    event.value = state[0];
                    state[1]++;
                    into.offer(event);
                    count++;
                }
                return count;
            }

            @Override
            public boolean isExhausted()
            {
                return state[1] == 2_000;
            }
        };
    }

    private List<String> replay(final ThreadingMode mode, final Pipelines.Spec<Tick> pipeline, final int batch)
        throws InterruptedException
    {
        final List<String> out = new ArrayList<>();
        final EventSource<Tick> recorded = recorded(batch);
        try (Server replay = Server.launch(new Server.Context().name("replay").threadingMode(mode)
            .flow("f", f -> f.from(Tick::new, 1024, recorded).through(pipeline).eventTime(event -> event.value)
                .to("a", new StageHandler<>()
                {
                    private Scheduler timers;

                    @Override
                    public void onStart(final HandlerContext context)
                    {
                        timers = context.scheduler();
                        timers.every(100 * MS, 100 * MS, now -> out.add("tick " + now));
                    }

                    @Override
                    public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                    {
                        out.add("event " + event.value + " " + timers.now());
                        if (event.value % 3 == 0)
                        {
                            timers.after(event.value % (50 * MS), now -> out.add(sequence + " fires at " + now));
                        }
                    }
                }))))
        {
            while (mode == ThreadingMode.INVOKER && (replay.invoke() > 0 || !recorded.isExhausted()))
            {
                assertTrue(out.size() < 100_000);
            }
            assertTrue(mode == ThreadingMode.INVOKER || replay.awaitExhausted(Await.LONG_NS));
        }
        return out;
    }

    @Test
    void shouldRefuseATimerBeyondTheLimit()
    {
        launch(ErrorPolicy.STOP_SERVER);
        final Scheduler.Task task = now -> log.add("");
        for (int i = 0; i < Scheduler.MAX_TIMERS; i++)
        {
            assertTrue(scheduler.after(MS * 1_000_000, task) > 0);
        }
        assertEquals(Scheduler.FULL, scheduler.after(0, task));
        advanceTo(100 * MS);
        assertEquals(List.of(), log);
    }

    @Test
    void shouldNotRunWhatIsDueInCenturies()
    {
        clock.update(-5_000 * MS);
        launch(ErrorPolicy.STOP_SERVER);
        advanceTo(-3_000 * MS);
        scheduler.after(Long.MAX_VALUE, now -> log.add("after"));
        scheduler.every(Long.MAX_VALUE, Long.MAX_VALUE, now -> log.add("later"));
        scheduler.every(0, Long.MAX_VALUE, now -> log.add("once"));
        for (int now = -2_999; now < 100; now++)
        {
            advanceTo(now * MS);
        }
        assertEquals(List.of("once"), log);
        assertEquals(3, scheduler.pending());
    }

    private void launchEventTime(final StageHandler<Tick> handler)
    {
        server = Server.launch(new Server.Context().name("timers").threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).flow("f", f -> f.from(source).eventTime(tick -> tick.value).to("a", handler)));
    }

    private void publishAt(final InVmSource<Tick> to, final long timeNs)
    {
        final Tick tick = to.claim();
        tick.value = timeNs;
        to.publish(tick);
        server.invoke();
    }

    @Test
    void shouldKeepTheOrderOfTimersThatAreOlderThanTheFirstEvent()
    {
        launchEventTime(new Timed()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                super.onStart(context);
                final long gone = scheduler.after(MS, now -> log.add("gone"));
                scheduler.after(MS, now -> log.add("first"));
                scheduler.cancel(gone);
                // In the place of the cancelled one.
                scheduler.after(MS, now -> log.add("second"));
                scheduler.at(Long.MAX_VALUE, now -> log.add("never"));
            }
        });
        publishAt(source, 1_000 * MS);
        publishAt(source, 1_010 * MS);
        assertEquals(List.of("event at 1000", "first", "second", "event at 1010"), log);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGiveStagesAndFlowsThatJoinTheTimeOfTheEvents()
    {
        final long epochNs = 1_700_000_000_000L * MS;
        launchEventTime(new Timed());
        scheduler.every(MS, 1_000 * MS, now -> log.add("timer"));
        publishAt(source, epochNs);
        final InVmSource<Tick> joining = new InVmSource<>(Tick::new, 8);
        // The agent has that time already: it must not start at 0 again, some 10^12 ticks before the next event.
        server.control().addFlow("g", f -> f.from(joining).eventTime(tick -> tick.value).to("b", new Timed()));
        publishAt(joining, epochNs + 1_002 * MS);
        assertEquals(List.of("event at 1700000000000", "timer", "timer", "event at 1700000001002"), log);

        log.clear();
        server.control().addStage("f", "late", "other", new Timed());
        publishAt(source, epochNs + 1_003 * MS);
        assertEquals(List.of("event at 1700000001003", "event at 1700000001003"), log);
        assertEquals(List.of(), errors);
    }

    /** Ten years are 3 x 10^11 ticks. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldRunWhatIsDueInALongGapInOrder()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final long years = 10 * 365 * 86_400_000L;
        final long startNs = 1_700_000_000_000L * MS;
        launchEventTime(new Timed());
        publishAt(source, startNs);
        final List<Long> due = new ArrayList<>();
        final List<Long> ran = new ArrayList<>();
        for (int i = 0; i < 200; i++)
        {
            final long ticks = (random.nextBoolean() ? random.nextInt(3_000) : random.nextLong() >>> 26) + 1;
            due.add(startNs + ticks * Scheduler.TICK_NS);
            scheduler.at(due.get(i), now -> ran.add(now));
        }
        due.sort(null);
        for (long now = startNs; now < startNs + years * MS; now += (random.nextLong() >>> 7) / 8)
        {
            final long present = now;
            publishAt(source, present);
            assertEquals(due.stream().filter(each -> each <= present).toList(), ran, "seed " + seed);
        }
        scheduler.after(years * MS, now -> log.add("later"));
        assertEquals(1 + due.size() - ran.size(), scheduler.pending(), "seed " + seed);
    }

    /** The clock of the agent changes while timers wait: they keep what remains of their time. */
    @Test
    void shouldKeepTheTimersOfALiveClockWhenAFlowWithEventTimeJoins()
    {
        clock.update(1_000_000 * MS);
        launch(ErrorPolicy.STOP_SERVER);
        scheduler.after(100 * MS, now -> log.add("once at " + now / MS));
        scheduler.every(200 * MS, 1_000 * MS, now -> log.add("again at " + now / MS));
        advanceTo(1_000_040 * MS);
        final InVmSource<Tick> joining = new InVmSource<>(Tick::new, 8);
        server.control().addFlow("g", f -> f.from(joining).eventTime(tick -> tick.value).to("b", new Timed()));
        publishAt(joining, 5_000 * MS);
        publishAt(joining, 5_050 * MS);
        publishAt(joining, 5_070 * MS);
        publishAt(joining, 5_200 * MS);
        assertEquals(List.of("event at 5000", "event at 5050", "once at 5060", "event at 5070", "again at 5160",
            "event at 5200"), log);
        assertEquals(List.of(), errors);
    }
}
