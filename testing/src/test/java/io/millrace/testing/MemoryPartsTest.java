package io.millrace.testing;

import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The source and the sink in memory, also over real threads. */
class MemoryPartsTest
{
    private static final int CAPACITY = 16;
    private static final int EVENTS = 1_000;

    private final MemorySource<Price> source = new MemorySource<>();
    private final MemorySink<Price, Long> sink = new MemorySink<>(event -> event.value);

    private Server.Context context()
    {
        return new Server.Context().stallTimeoutNs(0)
            .flow("f", f -> f.from(Price::new, CAPACITY, source).to("a", sink));
    }

    private void addEvents()
    {
        for (long i = 0; i < EVENTS; i++)
        {
            final long value = i;
            source.add(event -> event.value = value);
        }
    }

    private static List<Long> expected()
    {
        return LongStream.range(0, EVENTS).boxed().collect(Collectors.toList());
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = "INVOKER", mode = EnumSource.Mode.EXCLUDE)
    void shouldPassAllEventsOverThreads(final ThreadingMode mode)
    {
        assertTrue(source.isExhausted());
        addEvents();
        assertFalse(source.isExhausted());
        try (Server server = Server.launch(context().threadingMode(mode)))
        {
            assertEquals(expected(), sink.await(EVENTS));
            Await.until("counted", () -> server.counters().value("a.handled") == EVENTS);
        }
        assertTrue(source.isExhausted());
    }

    @Test
    void shouldPassAllEventsOnOneThread()
    {
        try (TestServer test = TestServer.start(context()))
        {
            addEvents();
            test.awaitIdle();
            assertEquals(expected(), sink.values());
        }
    }

    @Test
    void shouldBoundTheWorkOfAPoll()
    {
        try (TestServer test = TestServer.start(new Server.Context().stallTimeoutNs(0)
            .flow("f", f -> f.from(Price::new, 1_024, source).to("a", sink))))
        {
            addEvents();
            test.server().invoke();
            assertEquals(256, test.server().counters().value("f.published"));
            test.awaitIdle();
            assertEquals(expected(), sink.values());
        }
    }

    /** The pool has more events than the pipeline has places. */
    @Test
    void shouldOfferAgainWhatTheFlowDidNotTake()
    {
        try (TestServer test = TestServer.start(new Server.Context().stallTimeoutNs(0)
            .flow("f", f -> f.from(Price::new, 4 * CAPACITY, source).through(Pipelines.spsc(CAPACITY))
                .onFull(BackPressure.FAIL).to("a", sink))))
        {
            addEvents();
            test.awaitIdle();
            assertEquals(expected(), sink.values());
        }
    }

    @Test
    void shouldGiveCopiesOfItsValues()
    {
        try (TestServer test = TestServer.start(context()))
        {
            source.add(event -> event.value = 7).add(event -> event.value = 8);
            test.awaitIdle();
            final List<Long> values = sink.values();
            assertEquals(2, sink.size());
            sink.clear();
            assertEquals(List.of(7L, 8L), values);
            assertEquals(List.of(), sink.values());
            values.add(9L);
            assertEquals(0, sink.size());
            assertEquals(List.of(), sink.await(0));
        }
    }

    @Test
    void shouldRefuseNull()
    {
        assertThrows(NullPointerException.class, () -> source.add(null));
        assertThrows(NullPointerException.class, () -> new MemorySink<Price, Long>(null));
        assertThrows(NullPointerException.class, () -> new ServerExtension(null));
    }

    @Test
    void shouldGoOnAfterAFailedFill()
    {
        try (TestServer test = TestServer.start(context().onError(ErrorPolicy.SKIP_AND_RECORD).errorHandler(ex ->
        {
        })).expectFailures())
        {
            // More than the flow has events: each is given back.
            for (int i = 0; i < 2 * CAPACITY; i++)
            {
                source.add(event ->
                {
                    throw new IllegalStateException("planted");
                });
            }
            source.add(event -> event.value = 7);
            for (int i = 0; i <= 2 * CAPACITY; i++)
            {
                test.awaitIdle();
            }
            assertEquals(List.of(7L), sink.values());
            assertEquals(2 * CAPACITY, test.server().counters().value("f-source.errors"));
        }
    }
}
