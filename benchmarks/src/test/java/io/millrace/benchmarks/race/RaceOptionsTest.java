package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.InputException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RaceOptionsTest
{
    private final Properties properties = new Properties();
    @TempDir
    private Path dir;

    @BeforeEach
    void useADirOfItsOwn()
    {
        properties.setProperty("race.dir", dir.toString());
    }

    private RaceOptions read()
    {
        return RaceOptions.from(properties, List.of(0, 1));
    }

    @Test
    void shouldRunAllComparisonsInNineRoundsOfHalfASecond()
    {
        final RaceOptions options = read();
        assertEquals(Comparison.all().stream().map(Comparison::name).toList(), options.comparisons().stream()
            .map(Comparison::name).toList());
        assertEquals(9, options.run().rounds());
        assertEquals(500, options.run().roundMs());
        assertEquals(List.of(0, 1), options.plan(options.comparisons().get(0)).cpus());
    }

    @Test
    void shouldSelectDisciplinesAndContenders()
    {
        properties.setProperty("race.disciplines", "roundtrip,server");
        properties.setProperty("race.only", "ring|lmax.*");
        final List<Comparison> comparisons = read().comparisons();
        assertTrue(comparisons.stream().noneMatch(comparison -> "throughput".equals(comparison.group())));
        assertEquals(List.of("ring", "lmax"), comparisons.get(0).contenders());
    }

    @ParameterizedTest
    @CsvSource({
        "race.rounds, 0", "race.rounds, 100", "race.roundMs, 701", "race.roundMs, many", "race.cpus, '0,0'",
        "race.cpus, '0,7'", "race.budgetSeconds, 0", "race.disciplines, swimming", "race.only, none",
        "race.only, '('"})
    void shouldRefuseTheImpossibleByItsName(final String name, final String value)
    {
        properties.setProperty(name, value);
        final InputException refused = assertThrows(InputException.class, this::read);
        assertTrue(refused.getMessage().contains(name) && refused.getMessage().contains(value), refused.getMessage());
    }
}
