package io.millrace.journal;

import com.sun.management.ThreadMXBean;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** 0 bytes for each event and each roll after warm-up, under every policy. The keeper prepares between the windows. */
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
    private static void shouldAllocateNothing(final Journal<?> journal, final Window window)
    {
        final List<Long> windows = new ArrayList<>();
        long bytes = 1;
        for (int i = 0; i < MAX_WINDOWS && (i < WARM_UP_WINDOWS || bytes != 0); i++)
        {
            while (journal.segmentKeeper().prepared() < 8)
            {
                journal.segmentKeeper().doWork();
            }
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            window.run();
            bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
            windows.add(bytes);
        }
        assertEquals(0, bytes, () -> "bytes for each " + BATCHES * BATCH + " events: " + windows);
        assertEquals(0, journal.segmentKeeper().waits());
        assertTrue(journal.committedSequence() >= WARM_UP_WINDOWS * BATCHES * BATCH);
    }

    private JournalContext<Command> context(final Durability durability)
    {
        return Journals.context(folder.resolve("j")).durability(durability).segmentBytes(512 * 1024)
            .bufferBytes(64 * 1024).preparedSegments(8);
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
}
