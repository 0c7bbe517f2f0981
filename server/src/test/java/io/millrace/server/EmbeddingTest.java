package io.millrace.server;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.agent.CpuPlacement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A program with the jars on its class path and without flags, on each JDK of this machine.
 */
@Tag("normal")
class EmbeddingTest
{
    static List<Path> jdks() throws IOException
    {
        return ChildJvm.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunADefaultServerWithoutFlagsAndWithEmptyStderr(final Path jdk) throws Exception
    {
        final ChildJvm child = new ChildJvm(jdk).run(EmbeddedProgram.class);
        assertEquals(List.of(), child.err, child.toString());
        assertEquals(0, child.exitCode, child.toString());
        assertEquals(List.of("default 1000 499500", "ring 1000 499500", "spsc 1000 499500", "disruptor 1000 499500",
            "direct 1000 499500", "closed"), child.out);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunWithoutTheLibrariesThatACpuNeeds(final Path jdk) throws Exception
    {
        final ChildJvm child = new ChildJvm(jdk).without("affinity", "jna", "slf4j").run(EmbeddedProgram.class);
        assertEquals(List.of(), child.err, child.toString());
        assertEquals("closed", child.out.get(child.out.size() - 1));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldLoadNoNativeLibraryWithoutARequestedCpu(final Path jdk) throws Exception
    {
        final ChildJvm child = new ChildJvm(jdk).flags("-verbose:class").run(EmbeddedProgram.class);
        assertEquals(0, child.exitCode, child.toString());
        assertTrue(child.out.stream().anyMatch(line -> line.contains("io.millrace.server.agent.CpuPlacement ")) ||
            child.out.stream().anyMatch(line -> line.contains("io.millrace.server.Server ")), "no class list");
        for (final String library : List.of("net.openhft.", "com.sun.jna.", "org.slf4j."))
        {
            assertEquals(0, child.out.stream().filter(line -> line.contains(" " + library)).count(), library);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldReportTheReasonOfAMissingPinWithoutTheLibrary(final Path jdk) throws Exception
    {
        final int cpu = CpuPlacement.allowedCpus().nextSetBit(0);
        final ChildJvm child = new ChildJvm(jdk).without("affinity", "jna", "slf4j")
            .run(EmbeddedProgram.class, Integer.toString(cpu));
        assertEquals(0, child.exitCode, child.toString());
        assertEquals(List.of(), child.err, child.toString());
        assertTrue(child.out.get(0).startsWith("placed NOT pinned: net.openhft:affinity, or what it needs, is not"),
            child.toString());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldStopAtAFailureAlthoughTheHeapIsFull(final Path jdk) throws Exception
    {
        final ChildJvm child = new ChildJvm(jdk).flags("-Xmx48m", "-XX:+UseSerialGC").run(FullHeapProgram.class);
        assertEquals("closed true", child.out.get(0), child.toString());
        // By the stage, or by its agent if the JVM had to link something first.
        assertTrue(child.out.get(1).startsWith("server 'millrace': "), child.toString());
        assertEquals("s close millrace-close", child.out.get(2), child.toString());
    }

    @Test
    void shouldNeverGiveTheErrorHandlerNullWhenThereIsNoMemoryForAText() throws Exception
    {
        assertEquals(
            List.of("server 's': a failure without an exception, and without memory for its text", "planted"),
            new ChildJvm().flags("-Xmx48m", "-XX:+UseSerialGC").lines(ReportWithoutMemoryProgram.class));
    }

    @Test
    void shouldKeepItsTimersWhenThereIsNoMemoryForMore() throws Exception
    {
        assertEquals(List.of("fired 65537"),
            new ChildJvm().flags("-Xmx32m", "-XX:+UseSerialGC").lines(TimersWithoutMemoryProgram.class));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldPassFourMillionEventsWithoutACollector(final Path jdk) throws Exception
    {
        shouldPassEventsWithoutACollector(jdk, 4_000_000);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    @Tag("faults")
    void shouldPassTwentyMillionEventsWithoutACollector(final Path jdk) throws Exception
    {
        shouldPassEventsWithoutACollector(jdk, 20_000_000);
    }

    /** In a heap of 64 MiB: 16 bytes for each of four million events would fill it. */
    private static void shouldPassEventsWithoutACollector(final Path jdk, final int events) throws Exception
    {
        final ChildJvm child = new ChildJvm(jdk).flags("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC",
            "-Xms64m", "-Xmx64m").run(EpsilonProgram.class, Integer.toString(events));
        assertEquals(0, child.exitCode, child.toString());
        assertEquals(List.of("handled " + events + " errors 0"),
            child.out.subList(child.out.size() - 1, child.out.size()), child.toString());
    }
}
