package io.millrace.server;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * 0 bytes allocated by the publisher and by each thread of a server over 1,000,000 events after warm-up,
 * or as many as {@code -Dallocation.events} says.
 */
@Tag("normal")
@Tag("allocation")
class DedicatedAllocationTest
{
    private static final int EVENTS = Integer.getInteger("allocation.events", 1_000_000);
    private static final int WARM_UP = 1_000_000;
    /** See {@link ServerAllocationTest}. In addition, two threads interact in several ways. */
    private static final int MAX_WINDOWS = 6;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private long published;

    @ParameterizedTest
    @ValueSource(strings = {"ring-ordered", "disruptor-ordered", "ring-fan-out", "disruptor-fan-out"})
    void shouldAllocateNothingOnAnyThread(final String kind) throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8_192);
        final String name = "dedicated-" + kind;
        final boolean fanOut = kind.endsWith("fan-out");
        final List<String> stages = fanOut ? List.of("a", "b", "c") : List.of("a", "b");
        final Server server = Server.launch(new Server.Context().name(name).errorHandler(errors::add)
            .onStall((agent, stalledNs, stack) ->
            {
                // A busy host may keep an agent off its core for longer.
            })
            .flow("f", f ->
            {
                final Flow<Tick> flow = f.from(source).onFull(BackPressure.BLOCK)
                    .through(kind.startsWith("ring") ? Pipelines.ring() : Pipelines.disruptor(8_192))
                    .to("a", Tick.ignored());
                return fanOut ? flow.to("b", Tick.ignored()).to("c", Tick.ignored()) :
                    flow.to("b", Tick.ignored(), "a");
            }));
        final List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith(name)).collect(Collectors.toList());
        assertEquals(stages.size() + 2, threads.size(), "agents for the stages, stall detector, the thread that stops");
        final long[] ids = new long[threads.size() + 1];
        ids[0] = Thread.currentThread().getId();
        for (int i = 1; i < ids.length; i++)
        {
            ids[i] = threads.get(i - 1).getId();
        }
        final long[] bytes = new long[ids.length];
        pass(server, stages, source, WARM_UP, ids, bytes);
        final List<String> windows = new ArrayList<>();
        do
        {
            pass(server, stages, source, EVENTS, ids, bytes);
            windows.add(Arrays.toString(bytes));
        }
        while (LongStream.of(bytes).sum() != 0 && windows.size() < MAX_WINDOWS);
        assertArrayEquals(new long[ids.length], bytes,
            "bytes for each " + EVENTS + " events of the publisher and " + threads + ": " + windows);
        server.close();
        stages.forEach(stage -> assertEquals(published, server.counters().value(stage + ".handled")));
        assertEquals(List.of(), errors);
    }

    /** Passes events, waits until they are handled; returns the bytes that the threads allocated meanwhile. */
    private void pass(
        final Server server,
        final List<String> stages,
        final InVmSource<Tick> source,
        final int events,
        final long[] ids,
        final long[] bytes)
    {
        for (int i = ids.length - 1; i >= 0; i--)
        {
            bytes[i] = THREADS.getThreadAllocatedBytes(ids[i]);
        }
        for (int i = 0; i < events; i++)
        {
            final Tick event = source.claim();
            event.value = i;
            source.publish(event);
        }
        bytes[0] = THREADS.getThreadAllocatedBytes(ids[0]) - bytes[0];
        published += events;
        Await.until("all handled", () -> stages.stream()
            .allMatch(stage -> server.counters().value(stage + ".handled") == published));
        for (int i = 1; i < ids.length; i++)
        {
            bytes[i] = THREADS.getThreadAllocatedBytes(ids[i]) - bytes[i];
        }
    }
}
