package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each path that matches gives the executions that the book itself gives for the same commands, several laps of them.
 */
class MatchingPathsTest
{
    private static final CommandColumns COMMANDS = OrderFlow.closed(1, 1, 3_000);
    private static final ExpectedExecutions EXPECTED = new ExpectedExecutions(COMMANDS);
    private static final RoundPlan PLAN =
        new RoundPlan(1_000, 10, 256, RateHandler.MATCHING, Pinning.NONE, Pinning.NONE);

    static Stream<ReportPath> paths()
    {
        final List<ReportPath> paths = new ArrayList<>(ReportPath.of(RateHandler.MATCHING));
        paths.add(ReportPath.loop(RateHandler.MATCHING));
        return paths.stream();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void shouldMatchOnOneThreadAsTheBookDoes(final ReportPath path)
    {
        final CostRunner runner = new CostRunner(Contender.named(path.contender()), COMMANDS);
        final CostRunner.Cost cost = runner.run(PLAN.with(path.handler()), 3 * COMMANDS.count());
        assertTrue(cost.sent() > 3 * COMMANDS.count());
        assertEquals(COMMANDS.checksum(cost.sent()), cost.checksum());
        assertEquals(path.matches() ? EXPECTED.after(cost.sent()) : Executions.NONE, cost.executions());
        assertEquals(cost.executions(), Copies.of(cost).executions());
    }

    @Test
    void shouldRunTheEmptyHandlerOnlyWithTheMatchingOne()
    {
        assertEquals(List.of("server", "raw", "empty"),
            ReportPath.of(RateHandler.MATCHING).stream().map(ReportPath::name).toList());
        assertEquals(List.of("server", "raw"),
            ReportPath.of(RateHandler.EMPTY).stream().map(ReportPath::name).toList());
        assertTrue(ReportPath.of(RateHandler.EMPTY).stream().noneMatch(ReportPath::matches));
    }

    // Busy-spins on two threads for some 10 ms, so not in the default build.
    @Tag("stress")
    @ParameterizedTest
    @MethodSource("paths")
    void shouldMatchOnTwoThreadsAsTheBookDoes(final ReportPath path) throws InterruptedException
    {
        if (!path.contender().equals(Contender.LOOP))
        {
            final RoundRunner runner =
                new RoundRunner(Contender.named(path.contender()), COMMANDS);
            final RoundPlan plan = PLAN.at(200_000, 50).with(path.handler());
            final AnsweredRound<RateAnswer> answered = runner.run(plan);
            final Round round = answered.round();
            assertNull(answered.answer().wrong(round, plan.leadIn(), COMMANDS, path.matches() ?
                EXPECTED.after(plan.leadIn() + round.sent()) : Executions.NONE));
            assertEquals(round.sent(), round.intended().getTotalCount());
            assertEquals(round.sent(), round.direct().getTotalCount());
        }
    }
}
