package io.millrace.engine.service;

import io.millrace.journal.SimRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

/** The whole engine with users on a simulated disk, seed by seed. See {@link io.millrace.journal.Simulation}. */
class EngineSimulationTest
{
    private static final String REPLAY = "-pl engine -am -Dtest=EngineSimulationTest#shouldKeepItsPromises";

    private static void run(final long seeds)
    {
        SimRuns.run(seeds, TimeUnit.HOURS.toNanos(1), REPLAY, EngineRequests::new);
    }

    @Test
    void shouldKeepItsPromises()
    {
        run(10);
    }

    @Tag("faults")
    @Test
    void shouldKeepItsPromisesForAThousandSeeds()
    {
        run(1_000);
    }

    @Tag("nightly")
    @Test
    void shouldKeepItsPromisesForAMillionSeeds()
    {
        run(1_000_000);
    }
}
