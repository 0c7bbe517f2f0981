package io.millrace.journal;

import io.millrace.pool.PaddedLong;
import io.millrace.pool.testkit.AllocationWindows;
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

import java.nio.file.Path;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes for each event and each roll after warm-up, under every policy and in every topology, on the publisher and on
 * each agent. The keeper prepares between the windows.
 */
class JournalAllocationTest
{
    private static final int BATCHES = 2_000;
    private static final int BATCH = 16;
    private static final int WARM_UP_WINDOWS = 3;
    private static final int MAX_WINDOWS = 9;

    @TempDir
    private Path folder;

    private static void shouldAllocateNothing(
        final Journal<?> journal, final AllocationWindows.Run<RuntimeException> window, final long... otherThreads)
    {
        prepare(journal);
        for (int i = 0; i < WARM_UP_WINDOWS; i++)
        {
            window.run();
            prepare(journal);
        }
        AllocationWindows.assertNothing(
            BATCHES * BATCH + " events", MAX_WINDOWS, window, () -> prepare(journal), otherThreads);
        assertEquals(0, journal.segmentKeeper().waits());
        assertTrue(journal.committedSequence() >= (WARM_UP_WINDOWS + 1) * BATCHES * BATCH);
    }

    private static void prepare(final Journal<?> journal)
    {
        while (journal.segmentKeeper().prepared() < 8)
        {
            journal.segmentKeeper().doWork();
        }
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
