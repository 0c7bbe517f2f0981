package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.Copies;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.jmh.Contenders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
@Tag("slow")
final class RaceRunnerTest
{
    private static final long ROUND_MS = 5;

    static Stream<String> contenders(final Discipline discipline)
    {
        return Comparison.all().stream().filter(comparison -> comparison.discipline() == discipline)
            .flatMap(comparison -> comparison.contenders().stream()).filter(Contenders::isBuilt).distinct();
    }

    static Stream<String> throughput()
    {
        return contenders(Discipline.THROUGHPUT);
    }

    static Stream<String> roundTrip()
    {
        return contenders(Discipline.ROUND_TRIP);
    }

    static Stream<String> oneWay()
    {
        return contenders(Discipline.ONE_WAY);
    }

    @ParameterizedTest
    @MethodSource("throughput")
    void shouldBringAllEventsThrough(final String contender) throws Exception
    {
        final RaceResult result = run(contender, Discipline.THROUGHPUT, 0);
        assertEquals(0, result.events() % ThroughputProducer.CHUNK);
        assertTrue(result.figure(Discipline.THROUGHPUT) > 0);
    }

    @ParameterizedTest
    @MethodSource("roundTrip")
    void shouldBringEachEventThereAndBack(final String contender) throws Exception
    {
        final RaceResult result = run(contender, Discipline.ROUND_TRIP, 0);
        assertEquals(result.events(), result.latencies().getTotalCount());
    }

    @ParameterizedTest
    @MethodSource("oneWay")
    void shouldSendOnASchedule(final String contender) throws Exception
    {
        final RaceResult result = run(contender, Discipline.ONE_WAY, 100_000);
        assertEquals(result.events(), result.latencies().getTotalCount());
        assertTrue(result.events() <= 496, "no more than asked for: " + result.events());
    }

    @ParameterizedTest
    @MethodSource("sustained")
    void shouldSearchForARate(final String contender) throws Exception
    {
        final RaceResult result = run(contender, Discipline.SUSTAINED, 0);
        assertTrue(result.perSecond() <= 32_000_000, "rate " + result.perSecond());
    }

    static List<String> sustained()
    {
        return List.of("ring", "server");
    }

    private static RaceResult run(final String contender, final Discipline discipline, final long perSecond)
        throws InterruptedException
    {
        final RacePlan plan = new RacePlan(discipline, perSecond, ROUND_MS, Pinning.NONE, Pinning.NONE, true);
        assertEquals(plan, Copies.of(plan));
        final RaceResult result = new RaceRunner(contender).run(plan);
        final RaceResult copy = Copies.of(result);
        assertEquals(result.events(), copy.events());
        assertEquals(result.latencies().getTotalCount(), copy.latencies().getTotalCount());
        assertTrue(result.elapsedNs() > 0);
        return result;
    }
}
