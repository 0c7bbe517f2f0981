package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CostPlanTest
{
    @TempDir
    Path dir;

    private CostPlan plan(final String... settings)
    {
        final Properties properties = new Properties();
        properties.setProperty("report.dir", dir.toString());
        for (final String setting : settings)
        {
            final int equals = setting.indexOf('=');
            properties.setProperty(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return CostPlan.from(properties, List.of(0, 1));
    }

    @Test
    void shouldMeasureEverythingByDefault()
    {
        final CostPlan plan = plan("report.roundMs=200");
        assertEquals(CostOption.values().length, plan.options().size());
        assertEquals(List.of(IdleKind.values()), plan.idle());
        assertEquals(List.of(FanOutKind.values()), plan.fanOuts());
        assertEquals(9, plan.rounds());
        assertEquals(18, plan.idleRounds());
        assertEquals(70, plan.wakeUps());
    }

    @Test
    void shouldMeasureAnOptionWithAllItsReferences()
    {
        final CostPlan plan = plan("report.cost=option shared", "report.roundMs=10");
        assertEquals(Set.of(CostOption.BASE, CostOption.DISRUPTOR, CostOption.SHARED), plan.options());
        assertEquals(List.of(), plan.idle());
        assertEquals(3, plan.wakeUps());
    }

    @Test
    void shouldMeasureIdleStrategiesAlone()
    {
        final CostPlan plan = plan("report.cost=^idle b");
        assertEquals(Set.of(), plan.options());
        assertEquals(List.of(IdleKind.BUSY_SPIN, IdleKind.BACK_OFF), plan.idle());
    }

    @Test
    void shouldRefuseWhatSelectsNothing()
    {
        final String nothing =
            assertThrows(InputException.class, () -> plan("report.cost=turbo")).getMessage();
        assertTrue(nothing.startsWith("report.cost 'turbo' is in no name; these are [option base, "), nothing);
        assertEquals("report.cost '(' is not a regular expression: Unclosed group",
            assertThrows(InputException.class, () -> plan("report.cost=(")).getMessage());
    }
}
