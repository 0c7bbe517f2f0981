package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class IdleRunnerTest
{
    // Two laps of a small ring come first.
    private static final RoundPlan PLAN = new RoundPlan(1_000, 5, 64, "empty", Pinning.NONE, Pinning.NONE);

    @ParameterizedTest
    // The other two do not leave their core, which is not for the default build.
    @EnumSource(value = IdleKind.class, names = {"BACK_OFF", "SLEEPING", "SLEEPING_MILLIS"})
    void shouldWatchAnIdleServerAndWakeIt(final IdleKind kind)
    {
        final IdleRound round =
            new IdleRunner(kind, new SleepingMillisIdleStrategy()).run(PLAN, 3);
        assertEquals(3, round.wakeUps().getTotalCount());
        assertTrue(round.wallNs() > 0);
        assertEquals(round, Copies.of(round));
    }

    @ParameterizedTest
    @EnumSource(IdleKind.class)
    void shouldMakeAStrategyForEachAgent(final IdleKind kind)
    {
        assertTrue(kind.newStrategy() != kind.newStrategy());
    }
}
