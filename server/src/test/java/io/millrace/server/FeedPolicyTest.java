package io.millrace.server;

import io.millrace.server.pipeline.ThrottledHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A slow and a fast flow of one feed: for each policy of the slow one, every event is accounted for. */
class FeedPolicyTest
{
    private static final int KEYS = 16;
    private static final int QUEUE = 64;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1_024);
    private final Feed<Tick> feed = new Feed<>("ticks");
    private final Slow slow = new Slow();
    private long fastNext;
    private long fastWrong;

    /** Takes a few events in every second poll. */
    private static final class Slow implements ThrottledHandler<Tick>
    {
        private final long[] lastOfKey = new long[KEYS];
        private long polls;
        private long handled;
        private long last = -1;
        private long wrong;

        @Override
        public int demand()
        {
            return (polls++ & 1) == 0 ? 8 : 0;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            handled++;
            wrong += event.value > lastOfKey[(int)event.key] || handled == 1 ? 0 : 1;
            lastOfKey[(int)event.key] = event.value;
            last = Math.max(last, event.value);
        }
    }

    static Stream<Arguments> cases()
    {
        return Stream.of(BackPressure.values())
            .flatMap(policy -> Stream.of(ThreadingMode.values()).map(mode -> Arguments.of(policy, mode)));
    }

    private static Flow<Tick> queue(final Flow<Tick> flow, final BackPressure policy)
    {
        return policy == BackPressure.CONFLATE ? flow.through(Pipelines.conflating(KEYS, event -> event.key)) :
            policy == BackPressure.DROP_OLDEST ? flow.through(Pipelines.spsc(QUEUE / 2)).onFull(policy) :
            flow.onFull(policy);
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("slow")
    void shouldAccountForEveryEvent(final BackPressure policy, final ThreadingMode mode)
    {
        publishAndCount(policy, mode, 100_000);
    }

    @Tag("faults")
    @ParameterizedTest
    @MethodSource("cases")
    void shouldAccountForEachOfTenMillionEvents(final BackPressure policy, final ThreadingMode mode)
    {
        publishAndCount(policy, mode, 10_000_000);
    }

    private void publishAndCount(final BackPressure policy, final ThreadingMode mode, final long count)
    {
        final Counters counters;
        try (Server server = Server.launch(new Server.Context().name("policy").threadingMode(mode).stallTimeoutNs(0)
            .errorHandler(errors::add)
            .flow("in", f -> f.from(source)
                .onFull(mode == ThreadingMode.INVOKER ? BackPressure.FAIL : BackPressure.BLOCK).to("out", feed))
            .flow("fast", f -> f.from(Tick::new, 1_024, feed.subscribe(Tick::copy))
                .onFull(BackPressure.BLOCK).to("f", (event, sequence, end) -> onFast(event)))
            .flow("slow", f -> queue(f.from(Tick::new, QUEUE, feed.subscribe(Tick::copy)), policy)
                .to("s", slow))))
        {
            counters = server.counters();
            for (long value = 1; value <= count; value++)
            {
                Tick event = source.claim();
                while (event == null)
                {
                    server.invoke();
                    event = source.claim();
                }
                event.value = value;
                event.key = value % KEYS;
                assertTrue(source.publish(event));
            }
        }
        assertEquals(List.of(), errors);
        assertEquals(0, fastWrong);
        assertEquals(count, fastNext);
        assertEquals(count, counters.value("fast.published"));
        check(policy, mode, count, counters);
    }

    private void onFast(final Tick event)
    {
        fastNext++;
        fastWrong += event.value == fastNext ? 0 : 1;
    }

    private void check(final BackPressure policy, final ThreadingMode mode, final long count, final Counters counters)
    {
        final long published = counters.value("slow.published");
        final long lost =
            counters.value("slow.rejected") + counters.value("slow.dropped") + counters.value("slow.displaced");
        assertEquals(count, counters.value("slow.offered"));
        assertEquals(count, published + counters.value("slow.rejected") + counters.value("slow.dropped"));
        assertEquals(slow.handled, published - counters.value("slow.displaced"));
        assertEquals(slow.handled, counters.value("s.handled"));
        assertEquals(count, slow.handled + lost);
        assertEquals(0, slow.wrong);
        final String losing = policy == BackPressure.FAIL ? "rejected" :
            policy == BackPressure.DROP_NEWEST ? "dropped" : "displaced";
        assertEquals(lost, policy == BackPressure.BLOCK ? 0 : counters.value("slow." + losing));
        if (mode == ThreadingMode.INVOKER)
        {
            assertEquals(policy == BackPressure.BLOCK, lost == 0, "it loses events, except under BLOCK: " + lost);
        }
        if (policy == BackPressure.DROP_OLDEST || policy == BackPressure.CONFLATE || policy == BackPressure.BLOCK)
        {
            assertEquals(count, slow.last);
        }
        if (policy == BackPressure.CONFLATE)
        {
            final long[] expected = new long[KEYS];
            for (long value = count - KEYS + 1; value <= count; value++)
            {
                expected[(int)(value % KEYS)] = value;
            }
            assertArrayEquals(expected, slow.lastOfKey);
        }
    }
}
