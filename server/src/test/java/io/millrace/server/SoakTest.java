package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PoolCheck;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A server under load for ten minutes: two publishers of a shared source, requests and answers, timers, latencies, a
 * feed with four subscriptions, redeploys, and a flow that joins and leaves. It comes to rest 60 times. At each rest
 * every event is accounted for, all pools are full, and the heap is measured.
 * <p>
 * {@code -Dstress.soakMs} sets the length: by default 600,000, or 10,000 if {@code stress.events} shortens the others.
 * DEDICATED runs so long, the other modes a tenth of it; checked mode runs a hundredth.
 */
@Tag("stress")
final class SoakTest
{
    private static final long LENGTH_MS =
        Long.getLong("stress.soakMs", System.getProperty("stress.events") == null ? 600_000 : 10_000) /
        (PoolCheck.ENABLED ? 100 : 1);
    private static final int ROUNDS = 60;
    private static final int PUBLISHERS = 2;
    private static final int BURST = 64;
    /** One event of so many is a request: a publisher that waits for each answer would publish little. */
    private static final int ASK_EVERY = 512;
    private static final int CAPACITY = 1_024;
    private static final int KEPT = 16;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);
    /** Longer than any thread waits for a processor on a busy host. */
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(5);
    /** Nothing may end by a timeout: the host may stand still for minutes. */
    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);
    /** A loss of 16 bytes per 1,000 events exceeds it in 10 minutes; the test's own lists stay far below. */
    private static final long MAX_GROWTH_BYTES = 1 << 20;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> stalls = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Order> source = InVmSource.shared(Order::new, CAPACITY, NEVER_NS);
    private final Feed<Order> feed = new Feed<Order>("orders").keepLast(KEPT, Order::new, SoakTest::copy);
    private final Requests<Answer> requests = new Requests<>(Answer::new, 8);
    private final Publisher[] publishers = new Publisher[PUBLISHERS];
    private final Ledger all = new Ledger();
    private final long[] usedBytes = new long[ROUNDS];
    private Server server;
    private boolean invokes;
    private long longestGapNs;
    private long joinedHandled;
    /** Number of the rest that the publishers shall keep; 0: publish; -1: end. */
    private volatile long rest;
    private volatile long timersFired;

    private static final class Order extends BasePoolAware
    {
        int publisher;
        long number;
        long correlation;
        long startNs;
    }

    private static final class Answer
    {
        long number;
    }

    /** What the handlers of one stage have seen, in the order of each publisher. */
    private static final class Ledger
    {
        final long[] next = new long[PUBLISHERS];
        long wrong;
        volatile long handled;

        void add(final Order order)
        {
            wrong += next[order.publisher] == order.number ? 0 : 1;
            next[order.publisher] = order.number + 1;
            handled++;
        }
    }

    /** Answers requests and has a timer. */
    private final class Checker implements StageHandler<Order>
    {
        private final Ledger ledger;

        Checker(final Ledger ledger)
        {
            this.ledger = ledger;
        }

        @Override
        public void onStart(final HandlerContext context)
        {
            context.scheduler().every(0, TimeUnit.MILLISECONDS.toNanos(10), nowNs -> timersFired++);
        }

        @Override
        public void onEvent(final Order order, final long sequence, final boolean endOfBatch)
        {
            ledger.add(order);
            final Answer answer = requests.answerTo(order.correlation);
            if (answer != null)
            {
                answer.number = order.number;
                requests.send(order.correlation);
            }
        }
    }

    /** A new object at each redeploy, with the same ledger. */
    private static EventHandler<Order> noting(final Ledger ledger)
    {
        return new EventHandler<>()
        {
            @Override
            public void onEvent(final Order order, final long sequence, final boolean endOfBatch)
            {
                ledger.add(order);
            }
        };
    }

    private final class Publisher implements Runnable
    {
        private final int index;
        private long next;
        private volatile long restedIn;

        Publisher(final int index)
        {
            this.index = index;
        }

        @Override
        public void run()
        {
            try
            {
                for (long asked = rest; asked >= 0; asked = rest)
                {
                    if (asked == 0)
                    {
                        burst();
                    }
                    else
                    {
                        restedIn = asked;
                    }
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
            catch (final Throwable ex)
            {
                errors.add(ex);
            }
        }

        void burst()
        {
            for (int i = 0; i < BURST; i++)
            {
                Order order = source.claim();
                while (order == null && invokes)
                {
                    server.invoke();
                    order = source.claim();
                }
                final long correlation = next % ASK_EVERY == 0 ? requests.open(NEVER_NS) : Requests.NONE;
                order.publisher = index;
                order.number = next;
                order.correlation = correlation;
                order.startNs = System.nanoTime();
                assertTrue(source.publish(order));
                if (correlation != Requests.NONE)
                {
                    final Answer answer = invokes ? invokeUntilAnswered(correlation) : requests.await(correlation);
                    assertNotNull(answer);
                    assertEquals(next, answer.number);
                    requests.close(correlation);
                }
                next++;
            }
        }

        private Answer invokeUntilAnswered(final long correlation)
        {
            await("answered", () -> requests.poll(correlation) != null);
            return requests.poll(correlation);
        }
    }

    private static void copy(final Order from, final Order into)
    {
        into.publisher = from.publisher;
        into.number = from.number;
        into.startNs = from.startNs;
    }

    private Server.Context context(final ThreadingMode mode, final Ledger checked)
    {
        return new Server.Context().name("soak").threadingMode(mode).errorHandler(errors::add)
            .stallTimeoutNs(STALL_NS).onStall(new StallListener()
            {
                @Override
                public void onStall(final String agent, final long stalledNs, final StackTraceElement[] stack)
                {
                }

                @Override
                public void onStall(final String agent, final long stalledNs, final StallCause cause,
                    final StackTraceElement[] stack)
                {
                    stalls.add(agent + " for " + stalledNs + " ns " + cause + " " + Arrays.toString(stack));
                }
            })
            .flow("in", f -> f.from(source).onFull(invokes ? BackPressure.FAIL : BackPressure.BLOCK)
                .latency(order -> order.startNs).to("check", new Checker(checked)).to("out", feed, "check"))
            .flow("all", f -> f.from(Order::new, CAPACITY, feed.subscribe(SoakTest::copy))
                .onFull(BackPressure.BLOCK).to("note", noting(all)))
            .flow("last", f -> f.from(Order::new, 64, feed.subscribe(SoakTest::copy))
                .through(Pipelines.conflating(PUBLISHERS, order -> order.publisher)).to("screen", ignoring()))
            .flow("some", f -> f.from(Order::new, 64, feed.subscribe(SoakTest::copy))
                .onFull(BackPressure.DROP_NEWEST).to("sample", ignoring()));
    }

    private static EventHandler<Order> ignoring()
    {
        return noting(new Ledger());
    }

    /** The wait is also the clock of the host: a host that stands still makes agents stall. */
    private void await(final String what, final BooleanSupplier reached)
    {
        final long[] lookNs = {System.nanoTime()};
        Await.until(what, () ->
        {
            if (invokes)
            {
                server.invoke();
            }
            final long nowNs = System.nanoTime();
            longestGapNs = Math.max(longestGapNs, nowNs - lookNs[0]);
            lookNs[0] = nowNs;
            return reached.getAsBoolean() || !errors.isEmpty();
        });
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldKeepItsHeapAndItsBalance(final ThreadingMode mode, final TestInfo info) throws InterruptedException
    {
        invokes = mode == ThreadingMode.INVOKER;
        final long roundNs = TimeUnit.MILLISECONDS.toNanos(LENGTH_MS) /
            (mode == ThreadingMode.DEDICATED ? ROUNDS : 10 * ROUNDS);
        final Ledger checked = new Ledger();
        final List<Thread> threads = new ArrayList<>();
        server = Server.launch(context(mode, checked));
        for (int i = 0; i < PUBLISHERS; i++)
        {
            publishers[i] = new Publisher(i);
            if (!invokes)
            {
                threads.add(new Thread(publishers[i], "publisher " + i));
            }
        }
        threads.forEach(Thread::start);
        try
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                rest = 0;
                load(roundNs);
                bringToRest(round + 1, checked);
                System.gc();
                usedBytes[round] = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            }
        }
        finally
        {
            rest = -1;
            for (final Thread thread : threads)
            {
                Await.ended(thread);
            }
            server.close();
        }
        report(info.getDisplayName(), checked);
        Await.noThreadOf("soak");
    }

    /** One round; in its middle a handler is redeployed, and a flow joins and leaves. */
    private void load(final long roundNs)
    {
        final long startNs = System.nanoTime();
        await("the first half", () -> loads() && System.nanoTime() - startNs >= roundNs / 2);
        server.control().replaceHandler("note", noting(all));
        server.control().pause("screen");
        final Ledger joined = new Ledger();
        server.control().addFlow("late", f -> f.from(Order::new, 64, feed.subscribe(SoakTest::copy).withKept())
            .onFull(BackPressure.BLOCK).to("join", new EventHandler<Order>()
            {
                @Override
                public void onEvent(final Order order, final long sequence, final boolean endOfBatch)
                {
                    if (joined.next[order.publisher] == 0)
                    {
                        joined.next[order.publisher] = order.number;
                    }
                    joined.add(order);
                }
            }));
        await("the second half", () -> loads() && System.nanoTime() - startNs >= roundNs && joined.handled > KEPT);
        server.control().resume("screen");
        server.control().removeFlow("late");
        assertEquals(0, joined.wrong);
        joinedHandled += joined.handled;
    }

    private boolean loads()
    {
        for (int i = 0; invokes && i < PUBLISHERS; i++)
        {
            publishers[i].burst();
        }
        return true;
    }

    private void bringToRest(final long number, final Ledger checked)
    {
        rest = number;
        await("the publishers rest", () -> invokes ||
            Arrays.stream(publishers).allMatch(publisher -> publisher.restedIn == number));
        final long published = Arrays.stream(publishers).mapToLong(publisher -> publisher.next).sum();
        await("all are handled", () -> checked.handled == published && all.handled == published);
        await("all pools are full", () -> value("in.pool.available") == CAPACITY &&
            value("all.pool.available") == CAPACITY && value("last.pool.available") == 64 &&
            value("some.pool.available") == 64);
        assertEquals(0, checked.wrong + all.wrong);
        for (final String flow : List.of("all", "last", "some"))
        {
            final String stage = flow.equals("all") ? "note" : flow.equals("last") ? "screen" : "sample";
            assertEquals(published, value(flow + ".offered"), flow);
            assertEquals(published, value(stage + ".handled") + value(flow + ".rejected") +
                value(flow + ".dropped") + value(flow + ".displaced"), flow);
        }
        for (final String flow : List.of("in", "all", "last", "some"))
        {
            assertEquals(0, value(flow + ".pool.doubleReleases") + value(flow + ".pool.abandoned") +
                value(flow + ".pool.revoked") + value(flow + ".undelivered"), flow);
        }
        assertEquals(requests.opened(), requests.answered());
        assertEquals(0, requests.inUse() + requests.refused() + requests.late());
        assertEquals("UP", server.health().toString());
    }

    private long value(final String counter)
    {
        return server.counters().value(counter);
    }

    private void report(final String mode, final Ledger checked)
    {
        final long first = median(0);
        final long last = median(ROUNDS - ROUNDS / 3);
        System.out.printf(Locale.ROOT, "soak %s: %,d events, %,d of late flows, %,d requests, %,d timers; used heap " +
            "%,d bytes, at last %,d; longest gap of the host %,d us; stalls %s%n", mode, checked.handled,
            joinedHandled, requests.opened(), timersFired, first, last, longestGapNs / 1_000, stalls);
        assertTrue(timersFired > 0);
        assertTrue(last - first < MAX_GROWTH_BYTES, () -> "used bytes " + Arrays.toString(usedBytes));
        if (longestGapNs < STALL_NS)
        {
            assertEquals(List.of(), stalls.stream()
                .filter(stall -> !stall.contains(StallCause.DID_NOT_RUN.name())).toList());
        }
    }

    /** Of a third of the rounds. */
    private long median(final int from)
    {
        return Arrays.stream(usedBytes, from, from + ROUNDS / 3).sorted().skip(ROUNDS / 6).findFirst().orElseThrow();
    }
}
