package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Stages that join and leave a ring of many publishers, while no thread publishes. */
@Tag("normal")
class SharedRingStagesTest
{
    private static final int PUBLISHERS = 3;
    private static final int ROUNDS = 20;
    private static final int EVENTS = 700;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = InVmSource.shared(Tick::new, 256);
    private Server server;

    /** Counts for each publisher; its agent's thread. */
    private static final class Ledger implements EventHandler<Tick>
    {
        final long[] next = new long[PUBLISHERS];
        long wrong;
        volatile long handled;

        Ledger(final long first)
        {
            Arrays.fill(next, first);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            wrong += event.value == next[(int)event.key]++ ? 0 : 1;
            handled++;
        }
    }

    private void publish(final int publisher, final long first, final boolean invokes)
    {
        for (long value = first; value < first + EVENTS; value++)
        {
            Tick event = source.claim();
            while (event == null && invokes)
            {
                server.invoke();
                event = source.claim();
            }
            event.value = value;
            event.key = publisher;
            source.publish(event);
        }
    }

    private void publishAll(final long first, final boolean invokes) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < PUBLISHERS; i++)
        {
            final int publisher = i;
            if (invokes)
            {
                publish(publisher, first, true);
            }
            else
            {
                threads.add(new Thread(() -> publish(publisher, first, false), "publisher-" + i));
            }
        }
        threads.forEach(Thread::start);
        for (final Thread each : threads)
        {
            Await.ended(each);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldSeeEachEventFromTheCallOn(final ThreadingMode mode) throws InterruptedException
    {
        final boolean invokes = mode == ThreadingMode.INVOKER;
        final Ledger always = new Ledger(0);
        server = Server.launch(new Server.Context().name("shared").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).onFull(invokes ? BackPressure.FAIL : BackPressure.BLOCK).to("a", always)));
        try (Server closed = server)
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                final Ledger late = new Ledger((long)round * EVENTS);
                final long end = (long)(round + 1) * PUBLISHERS * EVENTS;
                closed.control().addStage("f", "late", round % 2 == 0 ? "late" : "shared-agent", late,
                    round % 3 == 0 ? new String[0] : new String[]{"a"});
                publishAll((long)round * EVENTS, invokes);
                Await.until("handled", () ->
                {
                    if (invokes)
                    {
                        closed.invoke();
                    }
                    return always.handled == end && late.handled == (long)PUBLISHERS * EVENTS;
                });
                assertEquals(0, closed.control().removeStage("late"));
                assertEquals(0, late.wrong);
            }
        }
        assertEquals(0, always.wrong);
        assertArrayEquals(new long[]{ROUNDS * EVENTS, ROUNDS * EVENTS, ROUNDS * EVENTS}, always.next);
        assertEquals(List.of(), errors);
    }
}
