package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * The recorded flow of 101,000 order commands, whole and once, through each path on one thread.
 */
class RecordedFlowTest
{
    private static final RoundPlan PLAN = new RoundPlan(1_000, 10, 1_024, "empty", Pinning.NONE, Pinning.NONE);

    @ParameterizedTest
    @ValueSource(strings = {"server", "raw", "loop"})
    void shouldHandleEachRecordedCommandOnceWithAllItsFields(final String contender) throws IOException
    {
        final CommandColumns commands = CommandFile.read(SharedFile.of("oracle/margin_100k.commands.csv.gz"));
        final MessageMeter meter = new MessageMeter("empty");
        try (PathUnderTest<?> path = Contender.named(contender).open(PLAN, meter, false))
        {
            pass(path, commands);
            assertEquals(0, path.dropped());
        }
        assertEquals(101_000, meter.handled());
        assertEquals(commands.checksum(101_000), meter.ledger().checksum());
        assertEquals(summaryCounts("oracle/margin_100k.summary.txt"), CommandWord.byName(meter.ledger().counts()));
        assertEquals(7_111L, CommandWord.byName(meter.ledger().counts()).get("bench.CANCEL_ORDER"));
        assertEquals(71_220L, CommandWord.byName(meter.ledger().counts()).get("bench.MOVE_ORDER"));
    }

    private static <M extends RateMessage> void pass(final PathUnderTest<M> path, final CommandColumns commands)
    {
        final OpenLoop loop = new OpenLoop(new MessageSender<>(path, commands), false);
        // Batches that do not divide the capacity, so that the ring wraps at every place.
        for (int left = commands.count(); left > 0; left -= 100)
        {
            loop.sendUntimed(Math.min(100, left));
            int handled = 0;
            while (handled < Math.min(100, left))
            {
                handled += path.handle();
            }
        }
    }

    @Test
    void shouldReadTheExchangeFlowAsItsSummaryHasIt() throws IOException
    {
        final CommandColumns commands = CommandFile.read(SharedFile.of("oracle/exchange_100k.commands.csv.gz"));
        assertEquals(summaryCounts("oracle/exchange_100k.summary.txt"),
            CommandWord.byName(commands.counts(commands.count())));
    }

    // Busy-spins on two threads for some 10 ms, so not in the default build.
    @Tag("stress")
    @Test
    void shouldPassTimedRoundsOnTwoThreadsWithTheRightAnswer() throws IOException, InterruptedException
    {
        final CommandColumns commands = CommandFile.read(SharedFile.of("oracle/margin_100k.commands.csv.gz"));
        final RoundPlan plan = new RoundPlan(20_000, 10, 64, "empty", Pinning.NONE, Pinning.NONE);
        // Those that match nothing; MatchingPathsTest has the others.
        for (final String contender : List.of("server", "raw"))
        {
            final AnsweredRound<RateAnswer> answered =
                new RoundRunner(Contender.named(contender), commands).run(plan);
            final Round result = answered.round();
            assertNull(answered.answer().wrong(result, plan.leadIn(), commands, Executions.NONE), contender);
            assertEquals(plan.events(), result.intended().getTotalCount() + result.rejected(), contender);
            assertEquals(result.sent(), result.direct().getTotalCount(), contender);
        }
    }

    private static Map<String, Long> summaryCounts(final String name) throws IOException
    {
        final Map<String, Long> counts = new TreeMap<>();
        for (final String line : Files.readAllLines(SharedFile.of(name)))
        {
            if (line.startsWith("byCommand={"))
            {
                for (final String entry : line.substring(11, line.length() - 1).split(", "))
                {
                    counts.put(entry.split("=")[0], Long.parseLong(entry.split("=")[1]));
                }
            }
        }
        return counts;
    }
}
