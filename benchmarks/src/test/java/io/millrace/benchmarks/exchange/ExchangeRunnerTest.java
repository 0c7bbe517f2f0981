package io.millrace.benchmarks.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;

class ExchangeRunnerTest
{
    private static final int TIMED = 20_000;
    // What the readings around a round allocate on other threads is not in it; this is what the JIT may leave.
    private static final double SOME_BYTES = 1.0;

    private static ExchangePlan plan(final long perSecond, final int commands)
    {
        return new ExchangePlan(perSecond, commands, Pinning.NONE, Pinning.NONE, false);
    }

    private static ExchangeRound run(final ExchangeFlow flow, final ExchangePlan plan) throws InterruptedException
    {
        return new ExchangeRunner(new HostFiles(Path.of("/")), flow).run(plan);
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldComeToTheExpectedBooksFlatOut(final ExchangeSetup setup) throws InterruptedException
    {
        final ExchangeFlow flow = ExchangeFlow.of(setup, 1_000, TIMED, 7);
        final ExchangeRound round = run(flow, plan(0, TIMED));
        assertEquals(TIMED, round.sent());
        assertEquals(TIMED, round.handled());
        assertEquals(flow.expected(flow.count()), round.answer());
        assertEquals(0, round.intended().getTotalCount());
        assertTrue(round.elapsedNs() > 0);
    }

    @Test
    void shouldTimeAHandfulFlatOutFromTheFirstOneOn() throws InterruptedException
    {
        // Done with in less than any head start.
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MARGIN, 1_000, 100, 7);
        assertTrue(run(flow, plan(0, 10)).elapsedNs() > 0);
    }

    @Test
    void shouldTimeWhatIsSentOnASchedule() throws InterruptedException
    {
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MARGIN, 1_000, TIMED, 7);
        // What is loaded the first time allocates.
        run(flow, plan(0, TIMED));
        final ExchangeRound round = run(flow, plan(100_000, 10_000));
        // A machine that is busy may give some up; what was sent is all there.
        assertEquals(round.sent(), round.handled());
        assertEquals(round.sent(), round.intended().getTotalCount());
        assertEquals(flow.expected(flow.fill() + (int)round.sent()), round.answer());
        assertTrue(round.bytesPerCommand() < SOME_BYTES, () -> "bytes " + round.bytesPerCommand());
    }
}
