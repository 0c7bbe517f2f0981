package io.millrace.benchmarks.harness;

import io.millrace.benchmarks.cost.CostReport;
import io.millrace.benchmarks.entry.EntryMeasurement;
import io.millrace.benchmarks.gateway.GatewayMeasurement;
import io.millrace.benchmarks.ipc.IpcMeasurement;
import io.millrace.benchmarks.itch.ItchMeasurement;
import io.millrace.benchmarks.journal.JournalCost;
import io.millrace.benchmarks.recovery.RecoveryMeasurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A setting that a report could not honour is refused before anything is started. */
class RunOptionsTest
{
    private static final String REFUSAL = "report.budgetSeconds '60' is not possible here: this report runs nothing " +
        "again; use fewer rounds to shorten it";

    private static Properties budget(final String seconds)
    {
        final Properties properties = new Properties();
        properties.setProperty("report.budgetSeconds", seconds);
        return properties;
    }

    private static RunOptions read(final Properties properties, final int budgetSeconds)
    {
        return RunOptions.from(new Options(properties, "report."), 500, budgetSeconds, RunOptions.DIR, "", List.of());
    }

    private static void assertRefused(final Executable action)
    {
        assertEquals(REFUSAL, assertThrows(InputException.class, action).getMessage());
    }

    @Test
    void shouldRefuseABudgetOfAReportThatRunsNothingAgain()
    {
        assertRefused(() -> new GatewayMeasurement(budget("60"), System.out));
        assertRefused(() -> new IpcMeasurement(budget("60"), System.out));
        assertRefused(() -> new JournalCost(budget("60"), System.out));
        assertRefused(() -> new EntryMeasurement(budget("60"), System.out));
        assertRefused(() -> new ItchMeasurement(budget("60"), System.out));
        assertRefused(() -> new RecoveryMeasurement(budget("60"), System.out));
        assertRefused(() -> new CostReport(budget("60"), System.out));
        assertRefused(() -> read(budget("60"), RunOptions.NO_BUDGET));
    }

    @Test
    void shouldRefuseADurationOfRoundsThatAreAsLongAsTheirWork()
    {
        final Properties properties = new Properties();
        properties.setProperty("report.roundMs", "50");
        for (final Executable report : List.<Executable>of(
            () -> new ItchMeasurement(properties, System.out),
            () -> new RecoveryMeasurement(properties, System.out)))
        {
            assertEquals("report.roundMs '50' is not possible here: a round of this report is as long as its " +
                "commands; use fewer of them to shorten it", assertThrows(InputException.class, report).getMessage());
        }
    }

    @Test
    void shouldRefuseToMeasureNoPart(@TempDir final Path dir)
    {
        final Properties properties = new Properties();
        properties.setProperty("report.dir", dir.toString());
        properties.setProperty("report.cost", "turbo");
        for (final Executable report : List.<Executable>of(
            () -> new GatewayMeasurement(properties, System.out),
            () -> new EntryMeasurement(properties, System.out),
            () -> new JournalCost(properties, System.out)))
        {
            final String message = assertThrows(InputException.class, report).getMessage();
            assertTrue(message.matches("report\\.cost 'turbo' is in no name; these are \\[\\w+, .*]"), message);
        }
    }

    @Test
    void shouldTakeABudgetOfOtherReports()
    {
        assertEquals(RunOptions.NO_BUDGET, read(budget(""), RunOptions.NO_BUDGET).budgetSeconds());
        assertEquals(60, read(budget("60"), 170).budgetSeconds());
        assertEquals(170, read(budget(""), 170).budgetSeconds());
    }
}
