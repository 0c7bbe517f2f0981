package io.millrace.server;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Timers of an agent that looks at its clock late, after some of them were due. */
class LateTimersTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<String> log = new ArrayList<>();
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
    private final CachedNanoClock clock = new CachedNanoClock();
    private Scheduler scheduler;
    private Server server;

    @BeforeEach
    void launch()
    {
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).clock(clock).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).to("a", new StageHandler<Tick>()
            {
                @Override
                public void onStart(final HandlerContext context)
                {
                    scheduler = context.scheduler();
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                }
            })));
    }

    @AfterEach
    void close()
    {
        server.close();
    }

    private void advanceTo(final long timeNs)
    {
        clock.update(timeNs);
        server.invoke();
    }

    private long after(final long delayNs, final String what)
    {
        return scheduler.after(delayNs, nowNs -> log.add(what));
    }

    @Test
    void shouldRunTheOthersWhenOneIsCancelled()
    {
        final long first = scheduler.at(5 * MS, nowNs -> log.add("first"));
        after(5 * MS, "second");
        final long third = after(6 * MS, "third");
        assertTrue(scheduler.cancel(first));
        // In the place of the first.
        after(7 * MS, "fourth");
        assertTrue(scheduler.cancel(third));
        after(8_000 * MS, "last");
        advanceTo(20 * MS);
        assertEquals(List.of("second", "fourth"), log);
        assertEquals(1, scheduler.pending());
    }

    @Test
    void shouldRunWhatIsDueAlsoIfATaskBeforeItAddsATimer()
    {
        scheduler.after(MS, nowNs ->
        {
            log.add("first");
            after(MS, "added");
        });
        after(5 * MS, "second");
        advanceTo(10 * MS);
        assertEquals(List.of("first", "second"), log);
        advanceTo(13 * MS);
        assertEquals(List.of("first", "second", "added"), log);
    }

    @Test
    void shouldRunANewTimerInTimeAfterALongPause()
    {
        after(TimeUnit.HOURS.toNanos(1), "far");
        final long pauseNs = TimeUnit.MINUTES.toNanos(10);
        advanceTo(pauseNs);
        after(5 * MS, "near");
        advanceTo(pauseNs + 10 * MS);
        assertEquals(List.of("near"), log);
        advanceTo(TimeUnit.HOURS.toNanos(2));
        assertEquals(List.of("near", "far"), log);
    }
}
