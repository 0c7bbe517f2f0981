package io.millrace.journal;

import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.pipeline.EventGate;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Answers in a flow of their own wait until the journal has committed their command. */
@Tag("server")
class CommitGateTest
{
    private static final int COMMANDS = 50;

    @TempDir
    private Path folder;
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> answered = Collections.synchronizedList(new ArrayList<>());

    /** Forces that wait for a latch, or fail. */
    private static final class SlowForces extends PassedFiles
    {
        private volatile CountDownLatch latch = new CountDownLatch(0);
        private volatile boolean failing;

        SlowForces()
        {
            super(new UnforcedFiles());
        }

        @Override
        JournalFile wrap(final JournalFile file)
        {
            return new PassedFile(file)
            {
                @Override
                public void force() throws IOException
                {
                    try
                    {
                        latch.await();
                    }
                    catch (final InterruptedException ex)
                    {
                        throw new IOException(ex);
                    }
                    if (failing)
                    {
                        throw new IOException("Input/output error");
                    }
                }
            };
        }
    }

    private static void publish(final InVmSource<Command> source, final int first, final int last)
    {
        for (int i = first; i <= last; i++)
        {
            final Command command = source.claim();
            command.value = i;
            command.extra = 0;
            source.publish(command);
        }
    }

    private void whileTheForceTakesLong(final boolean fails) throws InterruptedException
    {
        final SlowForces files = new SlowForces();
        final Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j")).fileOps(files));
        final Accounts accounts = new Accounts();
        final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
        final Server server = Server.launch(Topologies.add(new Server.Context().errorHandler(errors::add)
            .stallTimeoutNs(0), "across many", journal, accounts, source, Pipelines.ring(), BackPressure.BLOCK,
            (event, sequence, endOfBatch) -> answered.add(event.value)));
        // The first one prepares the segment, so that the force which takes long is that of a batch.
        publish(source, 1, 1);
        Await.until("the first answer", () -> answered.size() == 1);
        answered.clear();
        files.latch = new CountDownLatch(1);
        publish(source, 2, COMMANDS + 1);
        Await.until("handled", () -> server.counters().value("accounts.handled") == COMMANDS + 1);
        Await.until("published", () -> server.counters().value("out.published") == COMMANDS + 1);
        Thread.sleep(20);
        assertEquals(List.of(), answered, "handled while the force takes its time, and not answered");
        assertEquals(1, journal.committedSequence());
        files.failing = fails;
        files.latch.countDown();
        if (fails)
        {
            assertTrue(server.awaitClose(Await.LONG_NS));
            assertEquals(List.of(), answered);
            assertEquals(64, server.counters().value("commands.pool.available"));
            assertEquals(256, server.counters().value("out.pool.available"));
        }
        else
        {
            Await.until("answered", () -> answered.size() == COMMANDS);
            assertEquals(List.of(), errors);
        }
        server.close();
    }

    @Test
    void shouldHandleWhileTheForceTakesLongAndAnswerAfterIt() throws InterruptedException
    {
        whileTheForceTakesLong(false);
    }

    @Test
    void shouldNeverAnswerWhatCouldNotBeForced() throws InterruptedException
    {
        whileTheForceTakesLong(true);
    }

    @Test
    void shouldSayToAPublisherThatAppendsThatItsWaitWouldNotEnd() throws Exception
    {
        final FaultyFiles files = new FaultyFiles(new UnforcedFiles());
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j")).fileOps(files)))
        {
            journal.recover(new Accounts());
            journal.stage().onStart();
            final EventGate<Command> gate = journal.gate((Command answer) -> answer.value);
            final Command first = new Command(journal.append(new Command(1, 0)), 0);
            assertFalse(gate.waitsForCaller());
            assertFalse(gate.isOpen(first, 0));
            assertTrue(gate.waitsForCaller());
            final boolean[] other = {true};
            final Thread thread = new Thread(() -> other[0] = gate.waitsForCaller());
            thread.start();
            thread.join();
            assertFalse(other[0]);
            journal.commit();
            assertFalse(gate.waitsForCaller());
            assertTrue(gate.isOpen(first, 0));

            journal.append(new Command(2, 0));
            files.failForceFrom(1);
            assertThrows(JournalException.class, journal::commit);
            assertTrue(gate.isOpen(first, 0));
            final JournalException refusal =
                assertThrows(JournalException.class, () -> gate.isOpen(new Command(2, 0), 1));
            assertEquals(JournalException.Kind.FAILED, refusal.kind());
            assertTrue(refusal.getMessage().startsWith("the answer to record 2 does not leave"), refusal.getMessage());
        }
    }
}
