package io.millrace.server;

import io.millrace.pool.testkit.ChildJvm;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Events of the JVM's flight recorder. */
class FlightEventsTest
{
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path folder;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);

    static List<Path> jdks() throws IOException
    {
        return ChildJvm.jdks();
    }

    private List<RecordedEvent> record(final String server, final Runnable run) throws IOException
    {
        final Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording())
        {
            recording.start();
            run.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("io.millrace.") &&
                event.getString("server").equals(server)).collect(Collectors.toList());
    }

    private static List<RecordedEvent> of(final List<RecordedEvent> events, final String type)
    {
        return events.stream().filter(event -> event.getEventType().getName().equals("io.millrace." + type))
            .collect(Collectors.toList());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRecordStatesAndFailures(final ThreadingMode mode) throws IOException
    {
        final List<RecordedEvent> events = record("jfr-" + mode, () ->
        {
            final Server server = Server.launch(new Server.Context().name("jfr-" + mode).threadingMode(mode)
                .stallTimeoutNs(0).onError(ErrorPolicy.SKIP_AND_RECORD).errorHandler(ex ->
                {
                }).flow("f", f -> f.from(source).to("a", (event, sequence, endOfBatch) ->
                {
                    throw new IllegalStateException("planted");
                })));
            source.publish(source.claim());
            server.close();
        });
        assertEquals(List.of("NEW STARTING", "STARTING RUNNING", "RUNNING STOPPING", "STOPPING STOPPED"),
            of(events, "ServerState").stream().map(event -> event.getString("from") + " " + event.getString("to"))
            .collect(Collectors.toList()));
        final List<RecordedEvent> failures = of(events, "Failure");
        assertEquals(1, failures.size(), failures.toString());
        assertTrue(failures.get(0).getString("message").contains("stage 'a' failed on event 0"));
        assertTrue(failures.get(0).getString("cause").contains("planted"));
    }

    /** At the report of a stall, the detector has looked at the duty cycle of the stall before. */
    @Test
    void shouldRecordStallsAndLongDutyCycles() throws IOException
    {
        final AtomicInteger reports = new AtomicInteger();
        final AtomicInteger handled = new AtomicInteger();
        final List<RecordedEvent> events = record("jfr-stall", () ->
        {
            final Server server = Server.launch(new Server.Context().name("jfr-stall").stallTimeoutNs(STALL_NS)
                .onStall((agent, stalledNs, stack) -> reports.incrementAndGet())
                .agent("a", a -> a.measured())
                .flow("f", f -> f.from(source).to("a", (event, sequence, endOfBatch) ->
                {
                    final int before = reports.get();
                    final long beginNs = System.nanoTime();
                    Await.until("a stall",
                        () -> reports.get() > before && System.nanoTime() - beginNs > 2 * STALL_NS);
                    handled.incrementAndGet();
                })));
            source.publish(source.claim());
            Await.until("the first event", () -> handled.get() == 1);
            source.publish(source.claim());
            Await.until("the second event", () -> handled.get() == 2);
            server.close();
        });
        final RecordedEvent stall = of(events, "Stall").get(0);
        assertEquals("a", stall.getString("agent"));
        assertTrue(stall.getDuration("stalledNs").toNanos() > STALL_NS);
        assertFalse(stall.getString("frame").isEmpty());
        final List<RecordedEvent> cycles = of(events, "LongestCycle");
        assertTrue(cycles.stream().anyMatch(event -> event.getDuration("lengthNs").toNanos() > STALL_NS),
            cycles.toString());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    @Tag("normal")
    void shouldRunWithoutTheFlightRecorder(final Path jdk) throws Exception
    {
        final ChildJvm child = new ChildJvm(jdk)
            .flags("--limit-modules", "java.base,java.management,jdk.management,jdk.unsupported,java.xml")
            .run(EmbeddedProgram.class);
        assertEquals(List.of(), child.err, child.toString());
        assertEquals("closed", child.out.get(child.out.size() - 1), child.toString());
    }
}
