package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.jmh.Check;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
@Tag("slow")
class OptionRunnerTest
{
    private static final RoundPlan PLAN = new RoundPlan(1_000, 1, 4_096, "empty", Pinning.NONE, Pinning.NONE);

    static Stream<CostOption> onOneThread()
    {
        return Arrays.stream(CostOption.values()).filter(option -> option.setup().onOneThread);
    }

    static Stream<CostOption> onTwoThreads()
    {
        return Arrays.stream(CostOption.values()).filter(option -> option.setup().onTwoThreads);
    }

    static Stream<CostOption> whenFull()
    {
        return Arrays.stream(CostOption.values()).filter(option -> option.setup().whenFull);
    }

    private static OptionRunner runner(final CostOption option)
    {
        return new OptionRunner(option, BackoffIdleStrategy::new);
    }

    /** Each round ends with a check of the count, the order and the content of all events. */
    @ParameterizedTest
    @MethodSource("onOneThread")
    void shouldBringEveryEventThroughOnOneThread(final CostOption option) throws Exception
    {
        final OptionRound round = runner(option).onOneThread(PLAN);
        assertTrue(round.events() > 0);
        assertEquals(1, round.readings().cpuNs().length);
        assertEquals(round.toString(), Copies.of(round).toString());
    }

    @ParameterizedTest
    @MethodSource("onTwoThreads")
    void shouldBringEveryEventToAnotherThread(final CostOption option) throws Exception
    {
        final OptionRound round = runner(option).onTwoThreads(PLAN);
        assertTrue(round.events() > 0);
        assertTrue(round.readings().wallNs() > 0);
    }

    /** The events that come through are the first or the last ones, by policy, and the counters agree. */
    @ParameterizedTest
    @MethodSource("whenFull")
    void shouldAccountForEveryAttemptOnAFullRing(final CostOption option) throws Exception
    {
        assertTrue(runner(option).whenFull(PLAN).events() > 0);
    }

    @ParameterizedTest
    @EnumSource(CostOption.class)
    void shouldHaveAReference(final CostOption option)
    {
        assertTrue(option == CostOption.BASE || option.reference != null);
    }

    @ParameterizedTest
    @EnumSource(value = CostOption.class, mode = EnumSource.Mode.EXCLUDE, names = "BASE")
    void shouldBeMeasuredOnlyWhereItsReferenceIs(final CostOption option)
    {
        final OptionSetup own = option.setup();
        final OptionSetup reference = option.reference.setup();
        assertTrue(!own.onOneThread || reference.onOneThread);
        assertTrue(!own.onTwoThreads || reference.onTwoThreads);
        assertTrue(!own.whenFull || reference.whenFull);
    }

    @Test
    void shouldNoticeALostEvent()
    {
        final CostHandlers.Checking handler =
            CostHandlers.Checking.of(OptionSetup.Work.COUNT, new Check(1, CostEvent.fields(64)));
        final CostEvent event = CostEvent.ofSize(64).get();
        event.fill(0);
        handler.onEvent(event, 0, true);
        handler.verify(1);
        event.fill(2);
        handler.onEvent(event, 1, true);
        assertThrows(IllegalStateException.class, () -> handler.verify(2));
    }

    @Test
    void shouldNoticeAGapInARange()
    {
        final CostHandlers.Ranging handler = new CostHandlers.Ranging(new Check(1, CostEvent.fields(64)));
        final CostEvent event = CostEvent.ofSize(64).get();
        for (final long id : new long[] {8, 7, 9})
        {
            event.fill(id);
            handler.onEvent(event, id, true);
        }
        handler.verify(7, 3);
        event.fill(11);
        handler.onEvent(event, 11, true);
        assertThrows(IllegalStateException.class, () -> handler.verify(7, 4));
        assertThrows(IllegalStateException.class, () -> handler.verify(7, 5));
    }

    @Test
    void shouldNoticeWhatTheSecondStageDidNotSee()
    {
        assertThrows(IllegalStateException.class, () -> new CostHandlers.Second().verify(2));
    }

    @Test
    void shouldKnowTheNumberOfFieldsOfAnEvent()
    {
        for (final int bytes : new int[] {64, 96, 128})
        {
            final int fields = CostEvent.fields(bytes);
            final CostEvent event = CostEvent.ofSize(bytes).get();
            event.fill(5);
            assertEquals(5 * fields + fields * (fields - 1) / 2, event.sum());
        }
    }
}
