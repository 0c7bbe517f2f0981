package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.WrongAnswerException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A report takes no figure of a contender whose answer is wrong: other commands, or no book behind the path. */
class CheckedContenderTest
{
    private static final RoundPlan PLAN =
        new RoundPlan(1_000, 10, 256, RateHandler.EMPTY, Pinning.NONE, Pinning.NONE);
    private static final ReportPath EMPTY = new ReportPath("empty", "server", RateHandler.EMPTY, false);
    /** Says that it matches, and does not. */
    private static final ReportPath IDLE = new ReportPath("idle", "server", RateHandler.EMPTY, true);
    private static final int COUNT = 3_000;

    @TempDir
    Path dir;

    private Path file(final int seed) throws IOException
    {
        final Path file = dir.resolve(seed + ".csv");
        CommandFile.write(OrderFlow.closed(1, seed, COUNT), file);
        return file;
    }

    /** The parent knows the first file; the contender reads the other one. */
    private CheckedContender start(final ReportPath path, final int seed) throws IOException
    {
        return CheckedContender.start(path, ReportInput.of(file(1).toString()), PLAN, file(seed));
    }

    @Test
    void shouldTakeACostWhoseAnswerIsRight() throws IOException
    {
        try (CheckedContender contender = start(EMPTY, 1))
        {
            assertTrue(contender.cost(COUNT).sent() > COUNT);
        }
    }

    @Test
    void shouldTakeNoCostOverOtherCommands() throws IOException
    {
        try (CheckedContender contender = start(EMPTY, 2))
        {
            final String message =
                assertThrows(WrongAnswerException.class, () -> contender.cost(COUNT)).getMessage();
            assertTrue(message.startsWith("empty on one thread, checksum over "), message);
        }
    }

    @Test
    void shouldTakeNoCostWithoutTheExecutions() throws IOException
    {
        try (CheckedContender contender = start(IDLE, 1))
        {
            final String message =
                assertThrows(WrongAnswerException.class, () -> contender.cost(COUNT)).getMessage();
            assertTrue(message.startsWith("idle on one thread, executions"), message);
        }
    }

    // Busy-spins on two threads for some 10 ms, so not in the default build.
    @Tag("stress")
    @Test
    void shouldTakeNoRoundWhoseAnswerIsWrong() throws IOException
    {
        try (CheckedContender right = start(EMPTY, 1); CheckedContender other = start(EMPTY, 2);
            CheckedContender idle = start(IDLE, 1))
        {
            assertEquals(0, right.round(200_000, 20, "round 1").dropped());
            assertWrong(other, "empty at 200000/s, round 1: checksum ");
            assertWrong(idle, "idle at 200000/s, round 1: executions ");
        }
    }

    private static void assertWrong(final CheckedContender contender, final String start)
    {
        final String message =
            assertThrows(WrongAnswerException.class, () -> contender.round(200_000, 20, "round 1")).getMessage();
        assertTrue(message.startsWith(start), message);
    }
}
