package io.millrace.journal;

import io.millrace.journal.SimTally.Count;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Whole systems on a simulated disk, seed by seed. See {@link Simulation}. */
class SimulationTest
{
    private static final String REPLAY = "-pl journal -am -Dtest=SimulationTest#shouldKeepItsPromises";
    /** A liar is found after a few of them. */
    private static final int MANY = 1_000;

    @Test
    void shouldKeepItsPromises()
    {
        SimRuns.run(40, Long.MAX_VALUE, REPLAY, Requests::new);
    }

    /**
     * Seeds that found a bug: the first segments were lost, which were never forced, and the start was refused; a new
     * record was skipped, because one that was lost had its number; a snapshot was written after its force had failed.
     */
    @ParameterizedTest
    @ValueSource(longs = {6_301, 12_552, 18_025, 18_336, 19_418, 328_308})
    void shouldKeepItsPromisesWhereItHasNot(final long seed)
    {
        runOne(seed);
    }

    /** J16: each power failure loses creations, renames and deletions that were not forced. */
    @Tag("faults")
    @Test
    void shouldKeepItsPromisesInTenThousandPowerFailures()
    {
        final SimTally tally = SimRuns.runWhile(
            done -> done.get(Count.POWER_FAILURES) < 10_000, Long.MAX_VALUE / 2, REPLAY, Requests::new);
        for (final Count each : Count.values())
        {
            assertTrue(tally.get(each) > 0, () -> each + ": " + tally.text());
        }
    }

    @Tag("nightly")
    @Test
    void shouldKeepItsPromisesForAMillionSeeds()
    {
        SimRuns.run(1_000_000, TimeUnit.HOURS.toNanos(1), REPLAY, Requests::new);
    }

    @Test
    void shouldRepeatARunToTheByte()
    {
        for (long seed = 0; seed < 5; seed++)
        {
            assertEquals(runOne(seed), runOne(seed), "seed " + seed);
        }
    }

    private static long runOne(final long seed)
    {
        return SimRuns.run(seed, REPLAY, new Simulation<>(seed, new Requests(), new SimTally()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFindADiskThatLies(final boolean inForcesOfFiles)
    {
        final AssertionError found = assertThrows(AssertionError.class, () ->
        {
            for (long seed = 0; seed < MANY; seed++)
            {
                final Simulation<Command> simulation = new Simulation<>(seed, new Requests(), new SimTally());
                simulation.disk.forcesFiles = !inForcesOfFiles;
                simulation.disk.forcesDirectory = inForcesOfFiles;
                SimRuns.run(seed, REPLAY, simulation);
            }
        });
        assertTrue(found.getMessage().matches("(?s)seed \\d+: .*\nReplay: mvn .* -Dsim.seed=\\d+ .*"),
            found.getMessage());
    }
}
