package io.millrace.journal;

import com.sun.management.ThreadMXBean;
import io.millrace.pool.PaddedLong;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes for each event and each roll after warm-up, under every policy and in every topology, on the publisher and on
 * each agent. The keeper prepares between the windows.
 */
class JournalAllocationTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final int BATCHES = 2_000;
    private static final int BATCH = 16;
    private static final int WARM_UP_WINDOWS = 4;
    private static final int MAX_WINDOWS = 12;

    @TempDir
    private Path folder;

    private interface Window
    {
        void run();
    }

    /** The JVM itself allocates a little when it compiles; code that allocates does so in every window. */
    private static void shouldAllocateNothing(
        final Journal<?> journal, final Window window, final long... otherThreads)
    {
        final List<Long> windows = new ArrayList<>();
        long bytes = 1;
        for (int i = 0; i < MAX_WINDOWS && (i < WARM_UP_WINDOWS || bytes != 0); i++)
        {
            while (journal.segmentKeeper().prepared() < 8)
            {
                journal.segmentKeeper().doWork();
            }
            final long before = allocated(otherThreads);
            window.run();
            bytes = allocated(otherThreads) - before;
            windows.add(bytes);
        }
        assertEquals(0, bytes, () -> "bytes for each " + BATCHES * BATCH + " events: " + windows);
        assertEquals(0, journal.segmentKeeper().waits());
        assertTrue(journal.committedSequence() >= WARM_UP_WINDOWS * BATCHES * BATCH);
    }

    /** Bytes that the other threads and the calling one have allocated. */
    private static long allocated(final long... otherThreads)
    {
        long bytes = 0;
        for (final long thread : otherThreads)
        {
            bytes += THREADS.getThreadAllocatedBytes(thread);
        }
        return bytes + THREADS.getCurrentThreadAllocatedBytes();
    }

    private JournalContext<Command> context(final Durability durability)
    {
        return Journals.context(folder.resolve("j")).durability(durability).segmentBytes(512 * 1024)
            .bufferBytes(64 * 1024).preparedSegments(8).clock(new OffsetEpochNanoClock());
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldAppendAndCommitWithoutAllocating(final Durability durability)
    {
        final Command command = new Command();
        command.extra = 28;
        try (Journal<Command> journal = Journal.open(context(durability).fileOps(new UnforcedFiles())))
        {
            journal.recover(new Accounts());
            shouldAllocateNothing(journal, () ->
            {
                for (int batch = 0; batch < BATCHES; batch++)
                {
                    for (int i = 0; i < BATCH; i++)
                    {
                        command.value++;
                        journal.append(command);
                    }
                    journal.commit();
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldJournalAndHandleOnOneAgentWithoutAllocating(final Durability durability)
    {
        final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
        final Accounts accounts = new Accounts();
        final long[] sum = {0};
        accounts.published = value -> sum[0] += value;
        final Journal<Command> journal = Journal.open(context(durability).fileOps(new UnforcedFiles()));
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).service(journal)
            .flow("commands", f -> f.from(source).to("journal", journal.stage())
                .to("accounts", journal.recovering(accounts), "journal"))))
        {
            shouldAllocateNothing(journal, () ->
            {
                for (int batch = 0; batch < BATCHES; batch++)
                {
                    for (int i = 0; i < BATCH; i++)
                    {
                        final Command command = source.claim();
                        command.value = i;
                        command.extra = 28;
                        source.publish(command);
                    }
                    while (server.invoke() > 0)
                    {
                        // Until both stages are through.
                    }
                }
            });
            assertEquals(accounts.count, journal.committedSequence());
        }
    }

    static Stream<Arguments> policiesInTopologies()
    {
        return Stream.of(Durability.values()).flatMap(durability -> Stream.of("serial one", "serial many",
            "parallel many", "across many").map(topology -> Arguments.of(durability, topology)));
    }

    @ParameterizedTest
    @MethodSource("policiesInTopologies")
    void shouldAllocateNothingOnAnyThread(final Durability durability, final String topology)
    {
        // Of its own: a thread of the server before may still be ending.
        final String name = "alloc-" + durability.ordinal() + "-" + topology.replace(' ', '-');
        final InVmSource<Command> source = new InVmSource<>(Command::new, 512);
        final PaddedLong answered = new PaddedLong(0);
        final Journal<Command> journal = Journal.open(context(durability).fileOps(new UnforcedFiles()));
        try (Server server = Server.launch(Topologies.add(new Server.Context().name(name).stallTimeoutNs(0), topology,
            journal, new Accounts(), source, Pipelines.ring(), BackPressure.BLOCK,
            (event, sequence, endOfBatch) -> answered.setRelease(answered.getPlain() + 1))))
        {
            final long[] agents = Thread.getAllStackTraces().keySet().stream().filter(thread ->
                thread.getName().startsWith(name) && !thread.getName().endsWith("-keeper"))
                .mapToLong(Thread::getId).toArray();
            assertEquals(server.placements().size() + 1, agents.length, "the agents and the thread that stops");
            final long[] published = {0};
            shouldAllocateNothing(journal, () ->
            {
                for (int i = 0; i < BATCHES * BATCH; i++)
                {
                    published[0]++;
                    final Command command = source.claim();
                    command.value = published[0];
                    command.extra = 28;
                    source.publish(command);
                }
                while (answered.getAcquire() < published[0])
                {
                    Thread.yield();
                }
            }, agents);
            assertEquals(published[0], journal.committedSequence());
        }
    }
}
