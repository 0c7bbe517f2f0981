package io.millrace.server;

import io.millrace.server.agent.CpuPlacement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.BitSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Pins a thread, and reports the CPU. {@link EmbeddingTest} shows that nothing native is loaded without it.
 */
@Tag("normal")
class CpuPlacementTest
{
    @Test
    void shouldReportWhetherThePinWasObtained()
    {
        final int cpu = CpuPlacement.allowedCpus().nextSetBit(0);
        try (Server server = Server.launch(new Server.Context().agent("a", a -> a.cpu(cpu))
            .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.ignored()).to("b", Tick.ignored()))))
        {
            final String said = server.placements().get("a");
            assertTrue(said.equals("pinned to " + cpu) || said.startsWith("NOT pinned: "), said);
            assertEquals("not asked for a cpu", server.placements().get("b"));
        }
    }

    @Test
    void shouldReportThatThePinWasNotObtained()
    {
        // A number that no host has. The context refuses it, so the test asks for it directly.
        final String said = CpuPlacement.pinCurrentThread(1_000);
        assertTrue(said.startsWith("NOT pinned: "), said);
    }

    @Test
    void shouldListTheCpusOfTheProcess()
    {
        final BitSet allowed = CpuPlacement.allowedCpus();
        assertFalse(allowed.isEmpty());
        // Fewer CPUs if a container limits their time.
        assertTrue(Runtime.getRuntime().availableProcessors() <= allowed.cardinality(), allowed.toString());
        CpuPlacement.check("somebody", allowed.nextSetBit(0));
        final int absent = allowed.length();
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> CpuPlacement.check("somebody", absent));
        assertEquals("cpu " + absent + " of somebody is not one of the allowed " + allowed, ex.getMessage());
        assertThrows(IllegalArgumentException.class, () -> CpuPlacement.check("somebody", -1));
    }
}
