package io.millrace.engine.planted;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Bugs planted into the sources of all modules, one at a time: the test that names each one must fail with it, and pass
 * without. Nothing of this is in a shipped class: the changed source is compiled into a folder of the test.
 */
class PlantedBugsTest
{
    static final List<PlantedBug> ALL = PlantedBugs.ALL;
    /** One of the journal, one of the pipelines. */
    static final List<PlantedBug> FEW = ALL.stream().filter(bug ->
        bug.name().equals("skip the CRC check") || bug.name().equals("fan-out count one too low")).toList();
    private static final int LEAST = 25;

    @TempDir
    private Path folder;

    private void plant(final PlantedBug bug) throws IOException, InterruptedException
    {
        bug.compileTo(folder);
        final PlantedRun.Result result = PlantedRun.run(folder, List.of(bug.test()));
        assertFalse(result.failures().isEmpty(), () -> bug.name() + " is not caught by " + bug.test());
        System.out.println(bug.name() + ": " + result.failures().get(0));
    }

    @ParameterizedTest
    @FieldSource("FEW")
    void shouldCatchAFew(final PlantedBug bug) throws IOException, InterruptedException
    {
        plant(bug);
    }

    @Tag("faults")
    @ParameterizedTest
    @FieldSource("ALL")
    void shouldCatchEach(final PlantedBug bug) throws IOException, InterruptedException
    {
        plant(bug);
    }

    @Tag("faults")
    @Test
    void shouldPassWithoutABug() throws IOException, InterruptedException
    {
        final Map<Path, TreeSet<String>> tests = new TreeMap<>();
        ALL.forEach(bug ->
            tests.computeIfAbsent(PlantedBug.module(bug.test()), key -> new TreeSet<>()).add(bug.test()));
        for (final TreeSet<String> ofModule : tests.values())
        {
            final PlantedRun.Result result = PlantedRun.run(folder, List.copyOf(ofModule));
            assertEquals(List.of(), result.failures());
            assertTrue(result.succeeded() >= ofModule.size(), () -> result + " of " + ofModule);
        }
    }

    /** A change of a source must not leave its bug behind. */
    @Test
    void shouldFindTheTextOfEachBugInItsSource() throws IOException
    {
        assertTrue(ALL.size() >= LEAST);
        assertEquals(2, FEW.size());
        for (final PlantedBug bug : ALL)
        {
            assertNotNull(bug.source());
        }
    }
}
