package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.Rounds;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RateAnswerTest
{
    private static final CommandColumns COMMANDS = OrderFlow.of(1, 7, 100);
    private static final RoundPlan PLAN = Rounds.PLAN;
    private static final long SENT = PLAN.leadIn() + PLAN.events();

    private final Round good = Rounds.good();

    private static RateAnswer answer(final long checksum)
    {
        return new RateAnswer(checksum, COMMANDS.counts(SENT), Executions.NONE);
    }

    private static RateAnswer right()
    {
        return answer(COMMANDS.checksum(SENT));
    }

    @Test
    void shouldArriveInTheParentAsItWas()
    {
        final AnsweredRound<RateAnswer> answered = Copies.of(new AnsweredRound<>(good, right()));
        final Round back = answered.round();
        assertEquals(good.intended(), back.intended());
        assertEquals(good.direct(), back.direct());
        assertArrayEquals(good.readings().cpuNs(), back.readings().cpuNs());
        assertEquals(good.placement(), back.placement());
        assertEquals(good.readings().steal(), back.readings().steal());
        assertEquals(good.readings().startMs(), back.intended().getStartTimeStamp());
        assertNull(answered.answer().wrong(back, PLAN.leadIn(), COMMANDS, Executions.NONE));
        assertEquals(PLAN, Copies.of(PLAN));
    }

    @Test
    void shouldFindEveryWrongAnswer()
    {
        assertNull(right().wrong(good, PLAN.leadIn(), COMMANDS, Executions.NONE));
        assertWrong(right(), changed(good.handled() - 1, 0), "offered 10000 != handled 9999");
        assertWrong(right(), changed(good.handled() - 1, 1), "1 events were dropped");
        assertWrong(answer(COMMANDS.checksum(SENT) + 1), good, "checksum ");
        final RateAnswer other = right();
        other.counts()[CommandWord.counter(COMMANDS.word(0))]--;
        assertWrong(other, good, "counts by command ");
    }

    @Test
    void shouldFindWrongExecutions()
    {
        final Executions one = new Executions(1, 2, 3, 4, 5, 6);
        final String wrong = right().wrong(good, PLAN.leadIn(), COMMANDS, one);
        assertTrue(wrong.startsWith("executions TRADE 0 REJECT 0 REDUCE 0 refused 0 resting 0 checksum "), wrong);
        assertTrue(wrong.endsWith(" instead of TRADE 1 REJECT 2 REDUCE 3 refused 4 resting 6 checksum " +
            "0000000000000005"), wrong);
        assertEquals(FieldChecksum.START, Executions.NONE.checksum());
    }

    private static void assertWrong(final RateAnswer answer, final Round round, final String start)
    {
        final String wrong = answer.wrong(round, PLAN.leadIn(), COMMANDS, Executions.NONE);
        assertTrue(wrong != null && wrong.startsWith(start), wrong);
    }

    private Round changed(final long handled, final long dropped)
    {
        return new Round(good.perSecond(), good.offered(), good.sent(), handled, dropped, 0, good.elapsedNs(),
            good.intended(), good.direct(), good.readings(), 2, "");
    }

    @Test
    void shouldTakeWhatBothDoOutOfTheRatioOfCosts()
    {
        final List<CostRunner.Cost[]> costs = List.of(
            costs(90, 60, 50), costs(100, 70, 40), costs(130, 65, 45));
        final List<String> lines = ReportTable.cost(costs);
        assertTrue(lines.get(0).contains(
            "server 100.0 ns/event (best 90.0), raw baseline 65.0 (best 60.0), ratio 1.50; server allocated 0 bytes"),
            lines::toString);
        assertTrue(lines.get(1).contains("both include 45.0 (best 40.0) for filling, handling and checking an event; " +
            "ratio of the rest, of the medians: 2.75"),
            lines::toString);
        assertEquals(2, lines.size(), "no empty handler without another one");
        assertEquals("-", ReportTable.beyond(100, 45, 45));
        assertEquals("-", ReportTable.beyond(165.2, 77.5, 77.2), "the difference of the raw baseline is noise");
    }

    @Test
    void shouldReportTheCostOfMatchingByTheEmptyHandler()
    {
        final List<String> lines = ReportTable.cost(List.of(
            new CostRunner.Cost[] {cost(90), cost(60), cost(50), cost(20)},
            new CostRunner.Cost[] {cost(100), cost(60), cost(50), cost(24)}));
        assertEquals("server with the empty handler: 22.0 (best 20.0); so matching and its executions cost 73.0 " +
            "ns/event, of the medians", lines.get(2));
    }

    /** What a path allocates, it allocates in each round; what the JVM allocates once, in one. */
    @Test
    void shouldReportInHowManyRoundsTheServerAllocated()
    {
        final CostRunner.Cost[] once = costs(90, 60, 50);
        once[0] = new CostRunner.Cost(10, 900, 56, 10, 0, Executions.NONE);
        assertTrue(ReportTable.cost(List.of(costs(90, 60, 50), once, costs(90, 60, 50))).get(0)
            .endsWith("; server allocated 56 bytes in 1 of 3 rounds"));
        assertTrue(ReportTable.cost(List.of(once, once)).get(0)
            .endsWith("; server allocated 112 bytes in 2 of 2 rounds"));
    }

    private static CostRunner.Cost[] costs(final long serverNs, final long rawNs, final long loopNs)
    {
        return new CostRunner.Cost[] {cost(serverNs), cost(rawNs), cost(loopNs)};
    }

    private static CostRunner.Cost cost(final long perEventNs)
    {
        return new CostRunner.Cost(10, 10 * perEventNs, 0, 10, 0, Executions.NONE);
    }

    @Test
    void shouldPairRoundsForRatiosAndLeaveOutWhatDoesNotCount()
    {
        // The ratios of the pairs are 5, 6, 2, 9, 4, 7, 3, 8, 10; the last pair's raw and the first two's server do
        // not count. Quotients of other pairs or of medians differ from these.
        final long[] server = {500, 1200, 600, 1800, 1200, 700, 150, 1600, 5000};
        final long[] raw = {100, 200, 300, 200, 300, 100, 50, 200, 500};
        final List<Round> ours = new ArrayList<>();
        final List<Round> baselines = new ArrayList<>();
        for (int i = 0; i < 9; i++)
        {
            ours.add(Rounds.slow(server[i], i < 2 ? 0.02 : 0.0));
            baselines.add(Rounds.slow(raw[i], i == 8 ? 0.02 : 0.0));
        }
        final RateSummary rate = Rounds.summary(new Rate(1_000_000), ours, baselines);
        assertArrayEquals(new double[] {2.0, 9.0, 4.0, 7.0, 3.0, 8.0}, rate.server().series()
            .pairs(rate.raw().series(), (one, other) -> one.intendedNs(50.0) / other.intendedNs(50.0)), 1e-9);
        assertEquals(5.5, rate.server().series().ratioTo(rate.raw().series(), round -> round.intendedNs(50.0)), 1e-9);
        assertTrue(ReportTable.ratios(List.of(rate)).get(1)
            .matches("1m +5\\.50 +5\\.50 +5\\.50 +5\\.50 +5\\.50 +6 +- .*"),
            ReportTable.ratios(List.of(rate))::toString);
    }
}
