package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SettingsTest
{
    @Test
    void shouldTakeEmptyAsNotGiven()
    {
        final Properties properties = new Properties();
        properties.setProperty("report.rounds", "");
        properties.setProperty("report.jmh", " ");

        final Settings settings = Settings.of(properties);

        assertEquals(3, settings.rounds());
        assertEquals(600, settings.roundMs());
        assertTrue(settings.include().matcher("anything").find());
        assertEquals("jmh", settings.folder().getFileName().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "report.rounds        | 0    | report.rounds '0' is not a whole number in 1..99",
        "report.rounds        | many | report.rounds 'many' is not a whole number in 1..99",
        "report.roundMs       | 701  | report.roundMs '701' is not a whole number in 20..700",
        "report.budgetSeconds | -1   | report.budgetSeconds '-1' is not a whole number in 1..86400",
        "report.jmh           | (    | report.jmh '(' is not a regular expression: Unclosed group",
        "report.cpus          | 0    | report.cpus '0' is not two different CPUs out of",
    })
    void shouldRefuseImpossibleValuesByNameAndRange(final String name, final String value, final String message)
    {
        final Properties properties = new Properties();
        properties.setProperty(name, value);

        final String found = assertThrows(InputException.class, () -> Settings.of(properties)).getMessage();
        assertTrue(found.startsWith(message), found);
    }
}
