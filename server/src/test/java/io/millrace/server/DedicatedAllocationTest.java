package io.millrace.server;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

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
    /** Two threads interact in several ways. */
    private static final int MAX_WINDOWS = 6;

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
        publish(source, WARM_UP);
        awaitHandled(server, stages);
        AllocationWindows.assertNothing(EVENTS + " events, publisher and " + threads, MAX_WINDOWS,
            () -> publish(source, EVENTS), () -> awaitHandled(server, stages),
            threads.stream().mapToLong(Thread::getId).toArray());
        server.close();
        stages.forEach(stage -> assertEquals(published, server.counters().value(stage + ".handled")));
        assertEquals(List.of(), errors);
    }

    private void publish(final InVmSource<Tick> source, final int events)
    {
        for (int i = 0; i < events; i++)
        {
            final Tick event = source.claim();
            event.value = i;
            source.publish(event);
        }
        published += events;
    }

    private void awaitHandled(final Server server, final List<String> stages)
    {
        Await.until("all handled", () -> stages.stream()
            .allMatch(stage -> server.counters().value(stage + ".handled") == published));
    }
}
