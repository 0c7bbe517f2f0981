package io.millrace.benchmarks.recovery;

import io.millrace.benchmarks.harness.InputException;
import org.junit.jupiter.api.Test;

import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RecoveryMeasurementTest
{
    /** The trades of its own commands would take more than a tenth of them. */
    @Test
    void shouldRefuseAnEngineWithTooFewOrders()
    {
        final Properties properties = new Properties();
        properties.setProperty("report.orders", "199999");
        final InputException refusal = assertThrows(
            InputException.class, () -> new RecoveryMeasurement(properties, System.out));
        assertEquals("report.orders '199999' is not a whole number in 200000..2000000", refusal.getMessage());
        properties.setProperty("report.orders", "200000");
        new RecoveryMeasurement(properties, System.out);
    }
}
