package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import io.millrace.pool.BasePoolAware;

import org.junit.jupiter.api.Test;

class BatchSourceTest
{
    private static final int CAPACITY = 64;

    private static final class Note extends BasePoolAware
    {
        private long number;
    }

    private final InVmSource<Note> source = new InVmSource<>(Note::new, CAPACITY);
    private final List<Long> handled = new ArrayList<>();
    private final List<Integer> batches = new ArrayList<>();
    private final List<Throwable> reported = new ArrayList<>();
    private int inBatch;

    private Server launch(final BackPressure policy)
    {
        // In checked mode, a test that closes with a claimed batch gets a report.
        return Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(reported::add)
            .flow("notes", f -> f.from(source).onFull(policy).to("read", (event, sequence, endOfBatch) ->
            {
                handled.add(event.number);
                inBatch++;
                if (endOfBatch)
                {
                    batches.add(inBatch);
                    inBatch = 0;
                }
            })));
    }

    private long publish(final long firstNumber, final int count)
    {
        final long first = source.claim(count);
        for (int i = 0; i < count && first >= 0; i++)
        {
            source.event(first + i).number = firstNumber + i;
        }
        if (first >= 0)
        {
            assertTrue(source.publish(first, count));
        }
        return first;
    }

    @Test
    void shouldDeliverBatchesInOrderAmongSingleEvents()
    {
        try (Server server = launch(BackPressure.FAIL))
        {
            publish(1, 5);
            final Note single = source.claim();
            single.number = 6;
            source.publish(single);
            publish(7, 3);
            while (server.invoke() > 0)
            {
                assertEquals(0, inBatch);
            }
            assertEquals(LongStream.rangeClosed(1, 9).boxed().toList(), handled);
            assertEquals(List.of(9), batches);
            assertEquals(9, server.counters().value("notes.published"));
        }
    }

    @Test
    void shouldReturnMinusOneWhenTheRingIsFullAndLoseNothing()
    {
        try (Server server = launch(BackPressure.FAIL))
        {
            assertEquals(0, publish(0, CAPACITY - 1));
            assertEquals(-1, source.claim(2));
            assertEquals(1, server.counters().value("notes.rejected"));
            assertEquals(CAPACITY - 1, publish(CAPACITY - 1, 1));
            while (server.invoke() > 0)
            {
                assertEquals(0, inBatch);
            }
            assertEquals(CAPACITY, publish(CAPACITY, CAPACITY));
            while (server.invoke() > 0)
            {
                assertEquals(0, inBatch);
            }
            assertEquals(LongStream.range(0, 2 * CAPACITY).boxed().toList(), handled);
        }
    }

    @Test
    void shouldDropAndCountWholeBatchesUnderDropNewest()
    {
        try (Server server = launch(BackPressure.DROP_NEWEST))
        {
            assertEquals(0, publish(0, CAPACITY));
            assertEquals(-1, publish(CAPACITY, 3));
            assertEquals(3, server.counters().value("notes.dropped"));
        }
        assertEquals(CAPACITY, handled.size());
    }

    @Test
    void shouldPublishABatchInParts()
    {
        try (Server server = launch(BackPressure.FAIL))
        {
            final long first = source.claim(4);
            for (int i = 0; i < 4; i++)
            {
                source.event(first + i).number = i;
            }
            assertTrue(source.publish(first, 1));
            assertTrue(source.publish(first + 1, 3));
            while (server.invoke() > 0)
            {
                assertEquals(0, inBatch);
            }
            assertEquals(List.of(0L, 1L, 2L, 3L), handled);
        }
    }

    @Test
    void shouldRefuseImpossibleBatchesAndClosedServers()
    {
        final Server server = launch(BackPressure.FAIL);
        assertThrows(IllegalArgumentException.class, () -> source.claim(0));
        assertThrows(IllegalArgumentException.class, () -> source.claim(CAPACITY + 1));
        assertThrows(IllegalArgumentException.class, () -> source.publish(0, 1));
        final long first = source.claim(2);
        server.close();
        assertFalse(source.publish(first, 2));
        assertEquals(-1, source.claim(1));
    }

    @Test
    void shouldRefuseBatchesWhereTheFlowGoesThroughAnotherPipeline()
    {
        final InVmSource<Note> other = new InVmSource<>(Note::new, CAPACITY);
        assertThrows(IllegalStateException.class, () -> other.claim(2));
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("notes", f -> f.from(other).through(Pipelines.spsc(CAPACITY)).to("read", (event, sequence, end) ->
                handled.add(sequence)))))
        {
            final String message = assertThrows(IllegalStateException.class, () -> other.claim(2)).getMessage();
            assertTrue(message.startsWith("batches need a flow through a ring"), message);
            assertEquals(0, server.invoke());
        }
    }
}
