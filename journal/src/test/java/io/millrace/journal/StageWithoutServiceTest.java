package io.millrace.journal;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A journal that is a stage of a server, and not one of its services. */
@Tag("server")
class StageWithoutServiceTest
{
    private static final String THREAD = "lonely-journal-";

    @TempDir
    private Path folder;
    private final InVmSource<Command> source = new InVmSource<>(Command::new, 64);

    private Journal<Command> open()
    {
        return Journal.open(Journals.context(folder.resolve("j")).durability(Durability.INTERVAL).intervalNs(1));
    }

    private Server launch(final Journal<Command> journal)
    {
        return Server.launch(new Server.Context().name("lonely").threadingMode(ThreadingMode.SHARED)
            .flow("commands", f -> f.from(source).to("journal", journal.stage())
                .to("accounts", journal.recovering(new Accounts()), "journal")));
    }

    private static boolean runs(final String role)
    {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().equals(THREAD + role));
    }

    @Test
    void shouldForceByTime()
    {
        try (Journal<Command> journal = open())
        {
            final Agent follower = journal.follow(new Accounts(), 1_000);
            try (Server server = launch(journal))
            {
                Topologies.publish(source, 1, 20);
                Await.until("handled", () -> server.counters().value("accounts.handled") == 20);
                Await.until("forced", () -> journal.durableSequence() == 20);
                assertTrue(runs("keeper"));
                assertTrue(runs("follower"), follower.roleName());
            }
        }
        assertFalse(runs("keeper"));
        assertFalse(runs("follower"));
    }

    @Test
    void shouldLeaveTheStepsToAProgramThatHasAskedForTheKeeper() throws Exception
    {
        try (Journal<Command> journal = open())
        {
            final Agent keeper = journal.keeper();
            assertEquals(0, keeper.doWork(), "not recovered");
            try (Server server = launch(journal))
            {
                assertFalse(runs("keeper"));
                Topologies.publish(source, 1, 20);
                Await.until("handled", () -> server.counters().value("accounts.handled") == 20);
                assertEquals(0, journal.durableSequence());
                keeper.doWork();
                assertEquals(20, journal.durableSequence());
            }
        }
    }

    @Test
    void shouldRefuseToLaunchWhenNothingRecovers()
    {
        try (Journal<Command> journal = open())
        {
            final String refusal = assertThrows(IllegalStateException.class, () -> Server.launch(
                new Server.Context().name("lonely").service(journal)
                    .flow("commands", f -> f.from(source).to("journal", journal.stage())))).getMessage();
            assertTrue(refusal.contains("recover it first"), refusal);
        }
    }

    @Test
    void shouldRefuseAClosedJournalAndLeaveNoThread()
    {
        final Journal<Command> journal = open();
        journal.close();
        final String refusal = assertThrows(IllegalStateException.class, () -> launch(journal)).getMessage();
        assertTrue(refusal.contains("the journal is closed"), refusal);
        assertFalse(runs("keeper"));
    }
}
