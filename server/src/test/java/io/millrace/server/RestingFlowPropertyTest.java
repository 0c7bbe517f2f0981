package io.millrace.server;

import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.ThrottledHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random flows of plain, throttled and gate stages on the test's thread. Events are published, or claimed and released;
 * stages demand nothing, stay closed, are paused and continue. When a flow has handled all events, its whole capacity
 * is free, although no stage takes another event; then it also closes at once. The message of a failure has the seed:
 * {@code -Dseed=N} repeats it.
 */
final class RestingFlowPropertyTest
{
    private static final int STEPS = 60;
    private static final List<String> PIPELINES = List.of("ring", "shared ring", "spsc", "disruptor");

    private final List<String> log = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private final Set<String> paused = new TreeSet<>();
    private final List<Long> accepted = new ArrayList<>();
    private Random random;
    private InVmSource<Tick> source;
    private Server server;

    /** A plain stage; the parent of the others. */
    private class Stage implements EventHandler<Tick>
    {
        final List<Long> values = new ArrayList<>();
        private final List<String> ends = new ArrayList<>();
        int most;

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            values.add(event.value);
        }

        @Override
        public void onDrained()
        {
            ends.add("drained after " + values.size());
        }

        @Override
        public void onClose()
        {
            ends.add("closed");
        }
    }

    private final class Throttled extends Stage implements ThrottledHandler<Tick>
    {
        @Override
        public int demand()
        {
            return most;
        }
    }

    private final class Gate extends Stage implements EventGate<Tick>
    {
        @Override
        public boolean isOpen(final Tick event, final long sequence)
        {
            final boolean open = most-- > 0;
            if (open)
            {
                values.add(event.value);
            }
            return open;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            throw new AssertionError("a gate handles an event");
        }

        @Override
        public boolean completesAtEndOfBatch()
        {
            return true;
        }
    }

    private static String name(final int stage)
    {
        return "s" + stage;
    }

    /** Each stage follows the one before it, or none. A gate has a follower. */
    private Flow<Tick> flow(final Flow<Tick> begun, final String pipeline, final int count)
    {
        Flow<Tick> flow = begun.through(pipeline.equals("spsc") ? Pipelines.spsc(source.capacity()) :
            pipeline.equals("disruptor") ? Pipelines.disruptor(source.capacity()) : Pipelines.ring());
        for (int i = 0; i < count; i++)
        {
            final boolean isFollowed = i + 1 < count && !pipeline.equals("spsc");
            final int type = random.nextInt(isFollowed ? 3 : 2);
            final boolean follows = i > 0 && (stages.get(i - 1) instanceof Gate || random.nextBoolean());
            stages.add(type == 0 ? new Stage() : type == 1 ? new Throttled() : new Gate());
            flow = follows ? flow.to(name(i), stages.get(i), name(i - 1)) : flow.to(name(i), stages.get(i));
        }
        log.add(pipeline + " of " + source.capacity() + ", " + stages.stream()
            .map(stage -> stage.getClass().getSimpleName()).toList());
        return flow;
    }

    private void step()
    {
        final int stage = random.nextInt(stages.size());
        switch (random.nextInt(5))
        {
            case 0 -> publish(random.nextInt(source.capacity() + 1));
            case 1 -> stages.get(stage).most = random.nextInt(5) - 1;
            case 2 ->
            {
                server.control().pause(name(stage));
                paused.add(name(stage));
            }
            case 3 -> resume();
            default -> server.invoke();
        }
    }

    private void publish(final int most)
    {
        for (int i = 0; i < most; i++)
        {
            final Tick event = source.claim();
            if (event == null)
            {
                return;
            }
            if (random.nextInt(4) == 0)
            {
                event.release();
            }
            else
            {
                event.value = accepted.size();
                assertTrue(source.publish(event));
                accepted.add(event.value);
            }
        }
        log.add("published " + accepted.size());
    }

    private void resume()
    {
        paused.forEach(server.control()::resume);
        paused.clear();
    }

    /** All is handled; then the stages stop to take events, in one of the two ways. */
    private void rest(final boolean pauses)
    {
        resume();
        for (int i = 0; i < 4 * (stages.size() + 1) * (source.capacity() + 1); i++)
        {
            stages.forEach(stage -> stage.most = Integer.MAX_VALUE);
            server.invoke();
        }
        stages.forEach(stage ->
        {
            assertEquals(accepted, stage.values);
            stage.most = -random.nextInt(2);
        });
        for (int i = 0; pauses && i < stages.size(); i++)
        {
            server.control().pause(name(i));
            paused.add(name(i));
        }
        // Nothing is to be handled of these; a paused stage passes them when it continues.
        for (int i = pauses ? 0 : random.nextInt(source.capacity() / 2 + 1); i > 0; i--)
        {
            source.claim().release();
        }
        source.awaitCapacity(source.capacity());
        server.invoke();
        server.invoke();
        assertTrue(source.awaitCapacity(source.capacity()), "handled events are not free");
    }

    private void live(final long seed)
    {
        log.clear();
        stages.clear();
        paused.clear();
        accepted.clear();
        random = new Random(seed);
        final String pipeline = PIPELINES.get(random.nextInt(PIPELINES.size()));
        final int capacity = 2 << random.nextInt(5);
        source = pipeline.equals("shared ring") ?
            InVmSource.shared(Tick::new, capacity) : new InVmSource<>(Tick::new, capacity);
        final int count = pipeline.equals("spsc") ? 1 : 1 + random.nextInt(3);
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).stallTimeoutNs(0)
            .flow("f", f -> flow(f.from(source), pipeline, count)));
        try
        {
            for (int i = 0; i < STEPS; i++)
            {
                step();
                if (random.nextInt(STEPS / 3) == 0)
                {
                    rest(random.nextBoolean());
                }
            }
            rest(false);
        }
        finally
        {
            server.close();
        }
        // A handler that the close waits for in vain is not drained.
        stages.forEach(stage ->
            assertEquals(List.of("drained after " + accepted.size(), "closed"), stage.ends));
        assertEquals(0, server.counters().value("f.undelivered"));
        assertEquals("", server.pools().describeInFlight());
    }

    private void live(final long firstSeed, final int lives)
    {
        for (long seed = firstSeed; seed < firstSeed + lives; seed++)
        {
            try
            {
                live(seed);
            }
            catch (final AssertionError | RuntimeException ex)
            {
                throw new AssertionError("-Dseed=" + seed + " " + log, ex);
            }
        }
    }

    private static long seed()
    {
        return Long.getLong("seed", System.nanoTime());
    }

    @Test
    void shouldFreeTheWholeCapacityAndCloseAtOnce()
    {
        live(seed(), 100);
    }

    @Test
    @Tag("slow")
    void shouldFreeTheWholeCapacityAndCloseAtOnceInManyLives()
    {
        live(seed(), 3_000);
    }
}
