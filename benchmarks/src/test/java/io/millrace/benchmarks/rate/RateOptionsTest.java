package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RateOptionsTest
{
    private static final List<Integer> CPUS = List.of(0, 1, 4);

    @TempDir
    Path dir;

    @Test
    void shouldTakeTheDefaultsForMissingAndEmptySettings()
    {
        final Properties properties = properties("report.rates", "");
        properties.setProperty("report.rounds", " ");
        final RateOptions options = RateOptions.from(properties, CPUS);

        assertEquals("", options.input());
        assertEquals(Rate.parseList("10k,100k,1m,10m"), options.rates());
        assertEquals(9, options.run().rounds());
        assertEquals(700, options.run().roundMs());
        assertEquals("matching", options.handler());
        assertTrue(options.isMatching());
        assertEquals(170, options.run().budgetSeconds());
        assertEquals(4_096, options.capacity());
        assertEquals(0, options.run().sourceCpu());
        assertEquals(1, options.run().handlerCpu());
    }

    @Test
    void shouldNotPinByDefaultWithoutTwoCpus()
    {
        for (final List<Integer> allowed : List.of(List.of(3), List.<Integer>of()))
        {
            final RateOptions options = RateOptions.from(properties("report.cpus", ""), allowed);
            assertEquals(Pinning.NONE, options.run().sourceCpu());
            assertEquals(Pinning.NONE, options.run().handlerCpu());
        }
    }

    @Test
    void shouldTakeTheCpusThatAreAskedFor()
    {
        final RateOptions options = RateOptions.from(properties("report.cpus", "4, 0"), CPUS);
        assertEquals(4, options.run().sourceCpu());
        assertEquals(0, options.run().handlerCpu());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "report.rounds|0|report.rounds '0' is not a whole number in 1..99",
        "report.rounds|many|report.rounds 'many' is not a whole number in 1..99",
        "report.roundMs|701|report.roundMs '701' is not a whole number in 10..700",
        "report.roundMs|9|report.roundMs '9' is not a whole number in 10..700",
        "report.capacity|32|report.capacity '32' is not a whole number in 64..1048576",
        "report.capacity|1000|report.capacity 1000 is not a power of two in 64..1048576",
        "report.budgetSeconds|3601|report.budgetSeconds '3601' is not a whole number in 1..3600",
        "report.handler|fast|report.handler 'fast' is not one of [matching, empty]",
        "report.cpus|0|report.cpus '0' is not two different CPUs out of [0, 1, 4], like 0,1",
        "report.cpus|1,1|report.cpus '1,1' is not two different CPUs out of [0, 1, 4], like 0,1",
        "report.cpus|0,2|report.cpus '0,2' is not two different CPUs out of [0, 1, 4], like 0,1",
        "report.cpus|a,b|report.cpus 'a,b' is not two different CPUs out of [0, 1, 4], like 0,1",
        "report.rates|fast|report.rates 'fast' is not a rate like 10k, 2.5m or 250000"})
    void shouldRefuseWhatIsImpossibleAndNameTheRange(final String name, final String value, final String message)
    {
        assertEquals(message,
            assertThrows(InputException.class, () -> RateOptions.from(properties(name, value), CPUS)).getMessage());
    }

    @Test
    void shouldRefuseAFolderThatTakesNoFile() throws IOException
    {
        for (final Path folder : List.of(Files.writeString(dir.resolve("file"), "").resolve("below"), Path.of("/proc")))
        {
            final Properties properties = properties("report.dir", folder.toString());
            final String message =
                assertThrows(InputException.class, () -> RateOptions.from(properties, CPUS)).getMessage();
            assertTrue(message.startsWith("report.dir " + folder + " cannot be written to: "), message);
        }
    }

    private Properties properties(final String name, final String value)
    {
        final Properties properties = new Properties();
        properties.setProperty("report.dir", dir.toString());
        properties.setProperty(name, value);
        return properties;
    }

    @Test
    void shouldRefuseANameThatNoReportReadsAndListThoseThatExist()
    {
        final Properties mistyped = properties("report.ronds", "3");
        final String message =
            assertThrows(InputException.class, () -> Options.refuseUnknown(mistyped, null)).getMessage();
        assertTrue(message.startsWith("no report reads report.ronds; those that exist are report.book, "), message);
        assertTrue(message.contains(", report.rounds, ") && message.endsWith(", race.rounds"), message);
        final String given = "{maven.home=/m, race.only=ring, report.rats=1k, my.report.x=1}";
        assertTrue(assertThrows(InputException.class, () -> Options.refuseUnknown(new Properties(), given))
            .getMessage().startsWith("no report reads report.rats; "));
        Options.refuseUnknown(properties("report.rounds", "3"), "{report.jvm=-Xmx1g, race.rounds=1}");
    }

    @Test
    void shouldKnowEveryNameThatThePomPassesOn() throws IOException
    {
        final Matcher name = Pattern.compile("-D((report|race)\\.\\w+)=").matcher(Files.readString(Path.of("pom.xml")));
        int names = 0;
        for (; name.find(); names++)
        {
            Options.refuseUnknown(properties(name.group(1), ""), null);
        }
        assertTrue(names > 10, "names: " + names);
    }
}
