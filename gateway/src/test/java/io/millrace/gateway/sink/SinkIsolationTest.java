package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A slow, dead or broken sink delays neither the others nor the publisher, and every event is counted once. */
@Tag("server")
class SinkIsolationTest
{
    private static final int EVENTS = 20_000;

    /** Keeps the sequences; waits in its first event until it is opened. */
    private static class RecordingSink implements Sink
    {
        final SinkStatus status = new SinkStatus();
        final List<Long> sequences = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch open;

        RecordingSink(final boolean blocked)
        {
            open = new CountDownLatch(blocked ? 1 : 0);
        }

        @Override
        public SinkStatus status()
        {
            return status;
        }

        @Override
        public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            open.await();
            sequences.add(event.sequence());
            status.delivered(1);
        }
    }

    @Test
    void shouldNotStartWithoutTheFlowsOfTheSinks()
    {
        final SinkFanOut sinks =
            new SinkFanOut("sinks").add("quick", new RecordingSink(false), SinkQueue.conflate(64));
        final Server.Context context = new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("bbo", f -> f.from(new InVmSource<>(BboEvent::new, 64)).to("fan-out", sinks));
        final String message =
            assertThrows(IllegalStateException.class, () -> Server.launch(context)).getMessage();
        assertTrue(message.contains("the sinks of fan-out 'sinks' have no flows"), message);
    }

    @Test
    void shouldDelayNobodyWhenASinkHangs()
    {
        final RecordingSink quick = new RecordingSink(false);
        final RecordingSink conflating = new RecordingSink(true);
        final RecordingSink newest = new RecordingSink(true);
        final RecordingSink oldest = new RecordingSink(true);
        try (SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            rig.add("quick", quick, SinkQueue.dropNewest(32_768)).add("conflating", conflating, SinkQueue.conflate(64))
                .add("newest", newest, SinkQueue.dropNewest(1_024)).add("oldest", oldest, SinkQueue.dropOldest(1_024))
                .launch();
            rig.publish(EVENTS);
            // The last one too has got all events before the others start.
            SinkRig.until(
                "quick", () -> quick.sequences.size() == EVENTS && rig.counter("oldest.offered") == EVENTS);
            assertEquals(0, newest.sequences.size());
            conflating.open.countDown();
            newest.open.countDown();
            oldest.open.countDown();
            rig.end();
            for (final String sink : List.of("quick", "conflating", "newest", "oldest"))
            {
                rig.checkSums(sink);
                assertEquals(0, rig.counter(sink + ".undelivered"));
            }
            for (int i = 0; i < EVENTS; i++)
            {
                assertEquals(i + 1, quick.sequences.get(i));
            }
            // The event that the handler had, and the newest of each symbol.
            assertTrue(conflating.sequences.size() <= 2 * SinkRig.SYMBOLS, "conflated to " + conflating.sequences);
            final List<Long> last = conflating.sequences.subList(
                conflating.sequences.size() - SinkRig.SYMBOLS, conflating.sequences.size());
            assertEquals(SinkRig.SYMBOLS, last.stream().filter(number -> number > EVENTS - SinkRig.SYMBOLS).count());
            assertTrue(newest.sequences.size() >= 1_024, "kept " + newest.sequences.size());
            assertEquals(1L, newest.sequences.get(0));
            assertEquals(EVENTS, oldest.sequences.get(oldest.sequences.size() - 1));
            assertEquals(List.of(), rig.errors);
        }
    }

    @Test
    void shouldGoOnWhenASinkThrows()
    {
        final RecordingSink good = new RecordingSink(false);
        final RecordingSink bad = new RecordingSink(false)
        {
            @Override
            public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
            {
                throw new IllegalStateException("planned");
            }
        };
        try (SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            rig.add("good", good, SinkQueue.dropNewest(64)).add("bad", bad, SinkQueue.dropNewest(64)).launch();
            rig.publish(10);
            SinkRig.until("both", () -> good.sequences.size() == 10 && rig.errors.size() == 10);
            assertEquals(10, rig.counter("bad.errors"));
            assertTrue(rig.server.failure() == null);
        }
    }

    /** An operator's check of the server must see that nobody receives the events. */
    @Test
    void shouldDegradeTheServerWhileASinkIsNotUp()
    {
        final RecordingSink first = new RecordingSink(false);
        final RecordingSink second = new RecordingSink(false);
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER))
        {
            rig.add("first", first, SinkQueue.dropNewest(64)).add("second", second, SinkQueue.dropNewest(64)).launch();
            first.status.up();
            second.status.up();
            assertEquals("UP", rig.server.health().toString());
            second.status.down("planted");
            assertEquals("DEGRADED: service 'sinks': second is DOWN: planted", rig.server.health().toString());
            first.status.degraded("late");
            assertEquals("DEGRADED: service 'sinks': first is DEGRADED: late; second is DOWN: planted",
                rig.server.admin().execute("health"));
            // A client library's text may have several lines.
            second.status.down("lost:\n\tbroker 1\r\n\tbroker 2\n");
            assertEquals("first DEGRADED: late\nsecond DOWN: lost: broker 1 broker 2\n", rig.fanOut.describe());
            assertEquals("DEGRADED: service 'sinks': first is DEGRADED: late; second is DOWN: lost: broker 1 broker 2",
                rig.server.admin().execute("health"));
            first.status.up();
            second.status.up();
            assertEquals("UP", rig.server.health().toString());
            rig.server.control().removeFlow("second");
            second.status.closed();
            assertEquals("second DOWN: closed", rig.fanOut.describe().lines().toList().get(1));
            assertEquals("UP", rig.server.health().toString());
        }
    }

    @Test
    void shouldCountAnEventOfTooManySymbols()
    {
        final RecordingSink sink = new RecordingSink(false);
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER))
        {
            rig.add("few", sink, SinkQueue.conflate(16)).launch();
            rig.publish(SinkRig.SYMBOLS);
            rig.invokeUntil("handled", () -> rig.counter("few.handled") == 16);
            rig.end();
            rig.checkSums("few");
            assertEquals(SinkRig.SYMBOLS - 16, rig.counter("few.rejected"));
        }
    }

    @Test
    void shouldRefuseImpossibleQueues()
    {
        assertEquals("capacity 3 is not a power of two in 1..33554432: take 2 or 4",
            assertThrows(IllegalArgumentException.class, () -> SinkQueue.dropNewest(3)).getMessage());
        assertEquals("capacity 67108864 is not in 1..33554432",
            assertThrows(IllegalArgumentException.class, () -> SinkQueue.dropOldest(1 << 26)).getMessage());
        assertEquals("capacity 33554432 is not in 1..16777216",
            assertThrows(IllegalArgumentException.class, () -> SinkQueue.conflate(1 << 25)).getMessage());
    }
}
