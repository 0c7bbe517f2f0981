package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Round;
import io.millrace.journal.Durability;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("slow")
class ExchangeRunnerTest
{
    private static final int TIMED = 20_000;
    // The readings around a round allocate on other threads, so they are not in it; this is for the JIT.
    private static final double SOME_BYTES = 1.0;

    private static ExchangePlan plan(final long perSecond, final int commands)
    {
        return new ExchangePlan(perSecond, commands, Pinning.NONE, Pinning.NONE, false, false);
    }

    private static AnsweredRound<ExchangeAnswer> run(final ExchangeFlow flow, final ExchangePlan plan)
        throws Exception
    {
        return new ExchangeRunner(flow, ExchangeJournal.NONE, null).run(plan);
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldComeToTheExpectedBooksFlatOut(final ExchangeSetup setup) throws Exception
    {
        final ExchangeFlow flow = ExchangeFlow.of(setup, 1_000, TIMED, 7);
        final AnsweredRound<ExchangeAnswer> answered = run(flow, plan(0, TIMED));
        final Round round = answered.round();
        assertEquals(TIMED, round.sent());
        assertEquals(TIMED, round.handled());
        assertEquals(flow.expected(flow.count()), answered.answer());
        assertEquals(0, round.intended().getTotalCount());
        assertTrue(round.elapsedNs() > 0);
    }

    @Test
    void shouldComeToTheSameBooksWhenItPublishesLevels() throws Exception
    {
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.SPOT, 1_000, TIMED, 7);
        final ExchangePlan plan = new ExchangePlan(0, TIMED, Pinning.NONE, Pinning.NONE, false, true);
        assertEquals(flow.expected(flow.count()), run(flow, plan).answer());
    }

    @ParameterizedTest
    @EnumSource(value = ExchangeJournal.Kind.class, names = {"SERIAL", "PARALLEL", "BARE"})
    void shouldComeToTheSameBooksWithAJournal(final ExchangeJournal.Kind kind, @TempDir final Path dir)
        throws Exception
    {
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MARGIN, 1_000, TIMED, 7);
        final JournalDisk disk = new JournalDisk(dir.resolve("journal"), 1 << 22);
        final ExchangeRunner runner = new ExchangeRunner(
            flow, new ExchangeJournal(kind, Durability.OS_CACHE), disk);
        for (int round = 0; round < 2; round++)
        {
            assertEquals(flow.expected(flow.count()), runner.run(plan(0, TIMED)).answer());
        }
        disk.delete();
    }

    @Test
    void shouldTimeAHandfulFlatOutFromTheFirstOneOn() throws Exception
    {
        // Done with in less than any head start.
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MARGIN, 1_000, 100, 7);
        assertTrue(run(flow, plan(0, 10)).round().elapsedNs() > 0);
    }

    @Test
    void shouldTimeWhatIsSentOnASchedule() throws Exception
    {
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MARGIN, 1_000, TIMED, 7);
        // Code that is loaded the first time allocates.
        run(flow, plan(0, TIMED));
        final AnsweredRound<ExchangeAnswer> answered = run(flow, plan(100_000, 10_000));
        final Round round = answered.round();
        // A machine that is busy may give some up; what was sent is all there.
        assertEquals(round.sent(), round.handled());
        assertEquals(round.sent(), round.intended().getTotalCount());
        assertEquals(flow.expected(flow.fill() + (int)round.sent()), answered.answer());
        assertTrue(round.bytesPerEvent() < SOME_BYTES, () -> "bytes " + round.bytesPerEvent());
    }
}
