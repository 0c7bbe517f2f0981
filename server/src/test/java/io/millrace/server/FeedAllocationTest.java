package io.millrace.server;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** P15 for feeds: 0 bytes allocated per event on each way and under each policy, also when it loses events. */
@Tag("normal")
@Tag("allocation")
class FeedAllocationTest
{
    private static final int EVENTS = Integer.getInteger("allocation.events", 500_000);
    private static final int MAX_WINDOWS = 6;
    private static final int BATCH = 64;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1_024);
    private final InVmSource<Tick> other = new InVmSource<>(Tick::new, 1_024);
    private final Feed<Tick> feed = new Feed<>("ticks", 2, event -> (int)event.value & 1);
    private final Feed<Tick> second = new Feed<>("others");
    private final List<Throwable> errors = new ArrayList<>();
    private long handled;

    private void shouldAllocateNothing(final UnaryOperator<Server.Context> definition)
    {
        try (Server server = Server.launch(definition.apply(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0).flow("f", f -> f.from(source).to("a", feed))
            .flow("g", f -> f.from(other).to("b", second)))))
        {
            pass(server);
            AllocationWindows.assertNothing(EVENTS + " events", MAX_WINDOWS, () -> pass(server));
        }
        assertEquals(List.of(), errors);
        assertTrue(handled > 0);
    }

    private void pass(final Server server)
    {
        for (int i = 0; i < EVENTS; i += BATCH)
        {
            for (int k = 0; k < BATCH; k++)
            {
                final InVmSource<Tick> to = (k & 1) == 0 ? source : other;
                final Tick event = to.claim();
                if (event != null)
                {
                    event.value = i + (k >> 1);
                    event.key = k & 7;
                    to.publish(event);
                }
            }
            server.invoke();
        }
    }

    private Flow<Tick> subscribed(final Flow.Start start, final int capacity)
    {
        return start.from(Tick::new, capacity, feed.subscribe(Tick::copy))
            .to("to" + capacity, (event, sequence, end) -> handled++);
    }

    @Test
    void shouldAllocateNothingForTwoFeedsIntoOneHandler()
    {
        shouldAllocateNothing(context -> context.flow("both", f -> f.from(FeedTest.Quote::new, 1_024,
            feed.subscribe((from, into) -> into.price = from.value),
            second.subscribe((from, into) -> into.price = from.key)).to("h", (event, sequence, end) -> handled++)));
    }

    @Test
    void shouldAllocateNothingForABroadcastToThree()
    {
        shouldAllocateNothing(context -> context.flow("x", f -> subscribed(f, 1_024)).flow("y", f -> subscribed(f, 512))
            .flow("z", f -> subscribed(f, 256)));
    }

    @Test
    void shouldAllocateNothingForPoliciesThatLoseEvents()
    {
        shouldAllocateNothing(context -> context
            .flow("fail", f -> subscribed(f, 8))
            .flow("newest", f -> subscribed(f, 16).onFull(BackPressure.DROP_NEWEST))
            .flow("oldest", f -> subscribed(f, 32).through(Pipelines.spsc(8)).onFull(BackPressure.DROP_OLDEST))
            .flow("conflate", f -> subscribed(f, 64).through(Pipelines.conflating(8, event -> event.key))));
    }

    @Test
    void shouldAllocateNothingUnderBlockWithAnAlarm()
    {
        shouldAllocateNothing(context -> context
            .flow("block", f -> subscribed(f, 8).onFull(BackPressure.BLOCK).alarmAt(8).pollLimit(8)));
    }

    @Test
    void shouldAllocateNothingForAPipeWithRoutesAndKeptEvents()
    {
        final Feed<Tick> third = new Feed<>("third");
        feed.keepLast(8, Tick::new, Tick::copy);
        second.keepLastByKey(8, event -> event.key, Tick::new, Tick::copy);
        shouldAllocateNothing(context -> context
            .flow("pipe", f -> f.from(Tick::new, 256, feed.subscribe(1, Tick::copy)).to("c", third))
            .flow("end", f -> f.from(Tick::new, 256, third.subscribe(Tick::copy)).through(Pipelines.direct())
                .to("d", (event, sequence, end) -> handled++)));
    }
}
