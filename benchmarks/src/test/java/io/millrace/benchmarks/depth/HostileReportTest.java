package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.engine.tables.OrderIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostileReportTest
{
    private static final int ORDERS = 2_000;
    private static final int WARM_UP_ROUNDS = 20;

    @ParameterizedTest
    @EnumSource(HostileCase.class)
    void shouldComeToTheRightAnswerAndAllocateNothing(final HostileCase one)
    {
        for (final boolean isHostile : new boolean[] {false, true})
        {
            final HostileRun run = one.run(isHostile, ORDERS).on(Pinning.NONE);
            HostileRound round = Copies.of(run.round());
            // Code that is compiled or loaded the first time may allocate.
            for (int i = 0; i < WARM_UP_ROUNDS && round.readings().allBytes() > 0; i++)
            {
                round = run.round();
            }
            assertEquals(round.wanted(), round.answer());
            assertEquals(0, round.readings().allBytes());
            assertEquals(round.commands(), round.times().getTotalCount());
        }
    }

    @Test
    void shouldMakeIdsOfOneBucket()
    {
        final OrderIndex index = new OrderIndex(new long[8 * ORDERS], ORDERS);
        final long[] ids = CollidingIds.of(ORDERS, ORDERS);
        assertEquals(1, Arrays.stream(ids).mapToInt(id -> index.firstSlot(id) / 16).distinct().count());
        assertEquals(ORDERS, Arrays.stream(ids).distinct().count());
        assertEquals(ORDERS, Arrays.stream(CollidingIds.random(ORDERS)).distinct().count());
    }

    @Test
    void shouldWriteTwoLinesForEachCase()
    {
        final Map<HostileCase, HostileSummary> summaries = new EnumMap<>(HostileCase.class);
        final HostileSummary summary = new HostileSummary();
        for (final boolean isHostile : new boolean[] {false, true})
        {
            summary.add(isHostile,
                HostileCase.SWEEP.run(isHostile, ORDERS).on(Pinning.NONE).round());
        }
        summaries.put(HostileCase.SWEEP, summary);
        final List<String> table = HostileSummary.table(summaries);
        assertTrue(table.get(1).startsWith("friendly    as many single trades"), table::toString);
        assertTrue(table.get(2).startsWith("hostile     one sweep of all, per order"), table::toString);
        assertTrue(table.get(3).contains("for 2,000 trades"), table::toString);
        assertEquals(3, HostileSummary.rounds(summaries).size());
    }

    @Test
    void shouldRefuseANumberOfOrdersThatIsOutOfRange()
    {
        final Properties properties = new Properties();
        assertEquals(100_000, HostileCase.orders(properties));
        properties.setProperty(HostileCase.PROPERTY, "10");
        final InputException refusal = assertThrows(InputException.class, () -> HostileCase.orders(properties));
        assertEquals("report.orders '10' is not a whole number in 1000..130000", refusal.getMessage());
    }
}
