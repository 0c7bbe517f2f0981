package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Pinning;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BookRunnerTest
{
    private static final int TIMED = 20_000;

    private final BookFlow flow = BookFlow.generated(TIMED);
    private final BookRunner runner =
        new BookRunner(flow, BookContender.MILLRACE, Pinning.NONE);

    @TempDir
    Path dir;

    @Test
    void shouldTimeTheCommandsOfTheBenchmarkPhaseOnly()
    {
        assertEquals(1_000, flow.firstTimed());
        assertEquals(TIMED, flow.timed());
        assertEquals(flow.endTimed() + runner.verify().resting(), flow.commands().count());
        assertEquals(TIMED, runner.round().commands());
    }

    @Test
    void shouldComeToTheSameInEveryRoundAndAllocateNothing()
    {
        final BookRound first = runner.round();
        BookRound second = runner.round();
        assertEquals(first.answer(), second.answer());
        // The JVM itself allocates a little when it compiles; code that allocates does so in every round.
        for (int round = 0; second.readings().allBytes() != 0 && round < 6; round++)
        {
            second = runner.round();
            assertEquals(first.answer(), second.answer());
        }

        assertEquals(first.answer(), runner.types().answer());
        assertEquals(0, second.readings().allBytes());
        assertTrue(second.readings().allCpuNs() > 0 && second.calibrationNs() > 0, second::toString);
        // Byte by byte is another hash over the same events.
        final BookAnswer verified = runner.verify();
        assertEquals(first.answer().events(), verified.events());
        assertEquals(first.answer().levelHash(), verified.levelHash());
        assertNotEquals(first.answer().eventHash(), verified.eventHash());
    }

    @Test
    void shouldSendARoundToTheParent()
    {
        final BookRound round = runner.round();
        assertEquals(round.toString(), Copies.of(round).toString());
    }

    @Test
    void shouldTimeEachTypeOfCommand()
    {
        final BookTypes types = Copies.of(runner.types());

        assertEquals(Set.of("bench.CANCEL_ORDER", "bench.MOVE_ORDER", "bench.PLACE_FOK_BUDGET", "bench.PLACE_GTC",
            "bench.PLACE_IOC", "bench.REDUCE_ORDER"), types.byName().keySet());
        assertEquals(TIMED, types.byName().values().stream().mapToLong(Histogram::getTotalCount).sum());
        final long moves = types.byName().get("bench.MOVE_ORDER").getTotalCount();
        types.add(runner.types());
        assertEquals(2 * moves, types.byName().get("bench.MOVE_ORDER").getTotalCount());
    }

    @Test
    void shouldRefuseAFileWithNothingToTime() throws Exception
    {
        final Path file = Files.writeString(dir.resolve("fill.csv"),
            "seq,phase,cmd,orderId,uid,price,size,action,orderType,reserveBidPrice\n" +
                "0,F,PLACE_ORDER,1,393,34386,7,BID,GTC,42985\n");
        final InputException refusal = assertThrows(InputException.class, () -> BookFlow.of(file.toString()));
        assertEquals(file + ": no commands of the benchmark phase", refusal.getMessage());
    }
}
