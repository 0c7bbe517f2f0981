package io.millrace.benchmarks.jmh.report;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class LineTest
{
    private static final int CPUS = 2;

    private final Line reference = line("queue");
    private final Line line = line("ring");

    private static Line line(final String contender)
    {
        final Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("contender", contender);
        parameters.put("threads", "1to2");
        return new Line("io.millrace.benchmarks.jmh.PoolQueue.cycle", parameters);
    }

    private static ForkRound round(final int number, final double ns, final double stealPercent, final int runnable)
    {
        return round(number, ns, 0, stealPercent, runnable);
    }

    private static ForkRound round(
        final int number, final double ns, final double compiling, final double stealPercent, final int runnable)
    {
        return new ForkRound(number, ns, 0, compiling, new HostWatch.Reading(stealPercent / 100, runnable), CPUS, null);
    }

    @Test
    void shouldBelongToAGroupByEverythingButTheContender()
    {
        assertEquals("PoolQueue.cycle threads=1to2", line.group());
        assertEquals("PoolQueue.cycle threads=1to2 contender=ring", line.id());
        assertEquals(3, line.busyThreads());
    }

    @Test
    void shouldCountOnlyQuietRounds()
    {
        line.add(round(1, 10, 0.0, 2));
        line.add(round(2, 99, 1.1, 2));
        line.add(round(3, 99, 0.0, 3));
        line.add(round(4, 20, 1.0, 1));
        line.add(round(5, 30, 0.0, 2));

        assertTrue(line.rounds.isValid());
        assertEquals(List.of(10.0, 20.0, 30.0), line.rounds.kept().stream().map(ForkRound::ns).toList());
    }

    @Test
    void shouldBeInvalidWithHalfOfTheRoundsNoisyAndThenCountAll()
    {
        line.add(round(1, 10, 0.0, 2));
        line.add(round(2, 99, 50.0, 2));
        line.add(round(3, 99, 0.0, 9));

        assertFalse(line.rounds.isValid());
        assertEquals(3, line.rounds.kept().size());
        assertTrue(Table.of(List.of(line)).get(2).endsWith(
            "1/3  INVALID: steal above 1 % in 1, more runnable threads than CPUs in 1, code still being compiled in " +
                "0 rounds"));
    }

    @Test
    void shouldNotCountARoundWhoseCodeWasNotYetCompiledAndWarmUpLonger()
    {
        assertEquals(1, line.warmUps());
        line.add(round(1, 99, 0.51, 0.0, 2));
        assertEquals(2, line.warmUps());
        line.add(round(2, 10, 0.5, 0.0, 2));
        assertEquals(2, line.warmUps());
        line.add(round(3, 20, 0.0, 0.0, 2));
        assertEquals(List.of(10.0, 20.0), line.rounds.kept().stream().map(ForkRound::ns).toList());

        for (int i = 4; i <= 7; i++)
        {
            line.add(round(i, 99, 2.0, 0.0, 2));
        }
        assertEquals(8, line.warmUps());
        assertTrue(Table.reason(line).endsWith("code still being compiled in 5 rounds"), Table.reason(line));
    }

    @Test
    void shouldCallARoundQuietWhereTheHostIsUnknown()
    {
        assertTrue(round(1, 10, Double.NaN, 0).isQuiet());
    }

    @Test
    void shouldCompareWithTheReferenceOfTheSameRound()
    {
        reference.add(round(1, 10, 0, 2));
        reference.add(round(2, 100, 0, 2));
        reference.add(round(3, 20, 0, 2));
        line.add(round(1, 5, 0, 2));
        line.add(round(2, 50, 0, 2));
        line.add(round(3, 20, 0, 2));

        assertEquals(0.5, line.rounds.ratioTo(reference.rounds, ForkRound::ns));
        final String row = Table.of(List.of(reference, line)).get(3).trim().replaceAll(" +", " ");
        assertEquals("ring 20.00 5.00 50.00 50.00 0.50 0 3/3", row);
    }

    @Test
    void shouldShowWhatFailed()
    {
        reference.add(round(1, 10, 0, 2));
        line.fail("wrong answer");

        assertTrue(Table.of(List.of(reference, line)).get(3).endsWith("FAILED: wrong answer"));
    }

    @Test
    void shouldNeedMoreThanHalfOfTheRoundsThatWereRun()
    {
        for (int i = 1; i <= 12; i++)
        {
            line.add(round(i, 10, i <= 6 ? 0.0 : 50.0, 2));
            assertEquals(i < 11, line.rounds.isValid(), "6 quiet of " + i);
        }
    }

    @Test
    void shouldNotCallALittleAllocationNone()
    {
        assertEquals("0", Table.bytes(0.0));
        assertEquals("<0.05", Table.bytes(0.0001));
        assertEquals("0.1", Table.bytes(0.05));
    }
}
