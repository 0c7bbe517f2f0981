package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Changes under load: every event is handled once, by one handler or the next. */
class RedeployTest
{
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 256);
    private volatile boolean unlimited;
    private volatile long published;

    /** What all handlers of one stage have seen. Their agent's thread. */
    private static final class Ledger
    {
        long next = -1;
        long wrong;
        volatile long handled;
    }

    /** Follows on the handler before. */
    private static EventHandler<Tick> deployed(final Ledger ledger)
    {
        return new EventHandler<>()
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                ledger.wrong += ledger.next >= 0 && event.value != ledger.next ? 1 : 0;
                ledger.next = event.value + 1;
                ledger.handled++;
            }
        };
    }

    private Server launch(final ThreadingMode mode, final EventHandler<Tick> handler)
    {
        return Server.launch(new Server.Context().name("redeploy").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source)
                .onFull(mode == ThreadingMode.INVOKER ? BackPressure.FAIL : BackPressure.BLOCK).to("a", handler)));
    }

    private Thread publisher(final long count)
    {
        final Thread thread = new Thread(() ->
        {
            for (long value = 0; value < count || unlimited; value++)
            {
                final Tick event = source.claim();
                event.value = value;
                source.publish(event);
                published = value + 1;
            }
        }, "publisher");
        thread.start();
        return thread;
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SHARED", "DEDICATED"})
    void shouldLoseAndRepeatNothing(final ThreadingMode mode) throws InterruptedException
    {
        redeploy(mode, 100_000, 10);
    }

    @Tag("faults")
    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SHARED", "DEDICATED"})
    void shouldLoseAndRepeatNothingInAMillionEvents(final ThreadingMode mode) throws InterruptedException
    {
        redeploy(mode, 1_000_000, 100);
    }

    private void redeploy(final ThreadingMode mode, final long count, final int redeploys) throws InterruptedException
    {
        final Ledger ledger = new Ledger();
        try (Server server = launch(mode, deployed(ledger)))
        {
            final Thread publisher = publisher(count);
            for (int i = 1; i <= redeploys; i++)
            {
                final long from = count * i / (redeploys + 1);
                Await.until("event " + from, () -> ledger.handled >= from);
                server.control().replaceHandler("a", deployed(ledger));
            }
            Await.ended(publisher);
            Await.until("all are handled", () -> server.counters().value("a.handled") == count);
            assertEquals(count, ledger.handled);
        }
        assertEquals(0, ledger.wrong);
        assertEquals(count, ledger.next);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldLoseAndRepeatNothingInInvokerMode()
    {
        final Ledger ledger = new Ledger();
        try (Server server = launch(ThreadingMode.INVOKER, deployed(ledger)))
        {
            for (long value = 0; value < 100_000; value++)
            {
                Tick event = source.claim();
                while (event == null)
                {
                    server.invoke();
                    event = source.claim();
                }
                event.value = value;
                source.publish(event);
                if (value % 10_000 == 77)
                {
                    server.control().replaceHandler("a", deployed(ledger));
                }
            }
        }
        assertEquals(0, ledger.wrong);
        assertEquals(100_000, ledger.next);
        assertEquals(List.of(), errors);
    }

    /** A stage that joins sees each event from some event on; the ring wraps hundreds of times meanwhile. */
    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SHARED", "DEDICATED"})
    void shouldJoinAndLeaveARunningRingWithoutAGap(final ThreadingMode mode) throws InterruptedException
    {
        joinAndLeave(mode, 100_000, 10);
    }

    @Tag("faults")
    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SHARED", "DEDICATED"})
    void shouldJoinAndLeaveARunningRingAHundredTimes(final ThreadingMode mode) throws InterruptedException
    {
        joinAndLeave(mode, 1_000_000, 100);
    }

    private void joinAndLeave(final ThreadingMode mode, final long count, final int joins) throws InterruptedException
    {
        final Ledger ledger = new Ledger();
        final Ledger before = new Ledger();
        final List<Ledger> joined = new ArrayList<>();
        try (Server server = launch(mode, deployed(ledger)))
        {
            server.control().addStage("f", "gate", "gate", deployed(before));
            unlimited = true;
            final Thread publisher = publisher(count);
            for (int i = 1; i <= joins; i++)
            {
                final long from = count * i / (joins + 2);
                Await.until("event " + from, () -> ledger.handled >= from);
                final Ledger late = new Ledger();
                joined.add(late);
                server.control().addStage("f", "late", i % 2 == 0 ? "late" : "gate", deployed(late),
                    i % 3 == 0 ? new String[]{"a", "gate"} : i % 3 == 1 ? new String[]{"gate"} : new String[0]);
                Await.until("it sees events", () -> late.handled > 500);
                server.control().removeStage("late");
            }
            unlimited = false;
            Await.ended(publisher);
            Await.until("all are handled", () -> ledger.handled == published && before.handled == published);
        }
        joined.forEach(late -> assertEquals(0, late.wrong));
        assertTrue(published >= count);
        assertEquals(0, ledger.wrong);
        assertEquals(0, before.wrong);
        assertEquals(List.of(), errors);
    }

    /** A stage that stands still in the middle of the ring would lose events if the publisher did not wait for it. */
    @Test
    void shouldMakeThePublisherWaitForAStageThatJoined() throws InterruptedException
    {
        final Ledger ledger = new Ledger();
        final Ledger slow = new Ledger();
        final EventHandler<Tick> counted = deployed(slow);
        try (Server server = launch(ThreadingMode.DEDICATED, deployed(ledger)))
        {
            unlimited = true;
            final Thread publisher = publisher(0);
            server.control().addStage("f", "slow", "slow", (EventHandler<Tick>)(event, sequence, end) ->
            {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
                counted.onEvent(event, sequence, end);
            });
            Await.until("the ring has wrapped", () -> slow.handled > 1_000);
            unlimited = false;
            Await.ended(publisher);
            Await.until("all are handled", () -> ledger.handled == published && slow.next == published);
        }
        assertEquals(0, slow.wrong);
        assertEquals(List.of(), errors);
    }
}
