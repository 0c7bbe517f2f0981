package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Periodic tasks between two events that are far apart, by the time of the events. */
class EventTimeGapTest
{
    private static final long TICK_NS = Scheduler.TICK_NS;
    private static final long LONGEST = 1 << 20;
    private static final long START_NS = TimeUnit.DAYS.toNanos(20_000);

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
    private final List<Long> ran = new ArrayList<>();

    /** Runs a periodic task at two events; where it ran, in ticks after the first one. */
    private List<Long> run(final long periodTicks, final long... eventTicks)
    {
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).eventTime(tick -> tick.value).to("a", new StageHandler<Tick>()
            {
                @Override
                public void onStart(final HandlerContext context)
                {
                    context.scheduler().every(periodTicks * TICK_NS, periodTicks * TICK_NS,
                        nowNs -> ran.add((nowNs - START_NS) / TICK_NS));
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                }
            }))))
        {
            for (final long ticks : eventTicks)
            {
                final Tick event = source.claim();
                event.value = START_NS + ticks * TICK_NS;
                source.publish(event);
                server.invoke();
            }
        }
        return ran;
    }

    @Test
    void shouldRunForEachPeriodOfALongGap()
    {
        run(1, 0, LONGEST);
        assertEquals(LONGEST, ran.size());
        assertEquals(LONGEST, ran.get(ran.size() - 1));
    }

    /** A period of a millisecond in a gap of 73 years: 2 x 10^12 runs. */
    @ParameterizedTest
    @ValueSource(longs = {LONGEST + 3, 1L << 41})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldRunOnceInAGapThatIsTooLong(final long gap)
    {
        assertEquals(List.of(1L, gap + 1, gap + 2), run(1, 0, gap, gap + 2));
    }

    /** The times keep their distance. */
    @Test
    void shouldKeepItsTimesAfterAGap()
    {
        final long gap = 7 * (LONGEST + 5) + 3;
        assertEquals(List.of(7L, 14L, gap + 11), run(7, 0, 8, gap + 8, gap + 11));
    }
}
