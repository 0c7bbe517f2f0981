package io.millrace.journal;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The end of a journal whose files do not close. */
class FailingCloseTest
{
    /** Closes and throws, in one of the ways of an I/O error. */
    private static final class FailingCloses extends PassedFiles
    {
        private boolean fails;
        private boolean failsForces;
        private Error error;
        private int forces;
        private int open;

        private FailingCloses()
        {
            super(new MemoryFiles());
        }

        @Override
        JournalFile wrap(final JournalFile file)
        {
            open++;
            return new PassedFile(file)
            {
                @Override
                public void force() throws IOException
                {
                    forces++;
                    if (error != null)
                    {
                        throw error;
                    }
                    if (failsForces)
                    {
                        throw new IOException("no force");
                    }
                    super.force();
                }

                @Override
                public void close() throws IOException
                {
                    open--;
                    if (fails)
                    {
                        throw new IOException(open + " open");
                    }
                    super.close();
                }
            };
        }
    }

    @Test
    void shouldCloseAllFilesWhenTheCloseOfOneFails()
    {
        final FailingCloses files = new FailingCloses();
        // The mark is written each second of the clock.
        final Journal<Command> journal = Journal.open(Journals.context(Path.of("/memory/close")).fileOps(files)
            .preparedSegments(2).clock(Journals.clock(TimeUnit.MILLISECONDS.toNanos(20))));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 4);
        for (int i = 0; i < 1_000; i++)
        {
            journal.segmentKeeper().doWork();
        }
        final int open = files.open;
        assertTrue(open >= 4, "mark, segment and two prepared: " + open);
        files.fails = true;
        final JournalException failure = assertThrows(JournalException.class, journal::close);
        assertEquals(0, files.open);
        assertTrue(failure.getMessage().contains(open - 1 + " open"), failure::getMessage);
    }

    /** A class that is loaded at the close needs a descriptor, if the class path has folders. */
    @Test
    void shouldCloseWithoutAFreeDescriptor(@TempDir final Path directory) throws Exception
    {
        assertEquals(List.of("closed"),
            new ChildJvm().withFewDescriptors().lines(ScarceProgram.class, directory.resolve("j")));
    }

    @Test
    void shouldThrowTheFailureOfTheForceWhenTheClosesFailToo()
    {
        final FailingCloses files = new FailingCloses();
        final Journal<Command> journal = Journal.open(Journals.context(Path.of("/memory/close")).fileOps(files)
            .durability(Durability.INTERVAL).intervalNs(TimeUnit.HOURS.toNanos(1)));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 4);
        files.failsForces = true;
        files.fails = true;
        final Throwable force = assertThrows(JournalException.class, journal::close).getCause();
        assertEquals("no force", force.getMessage());
        assertEquals(1, force.getSuppressed().length);
        assertEquals(0, files.open);
    }

    /** The kernel may have lost what the first one did not write. */
    @Test
    void shouldTryNoForceAgainWhenAnErrorHasEndedOne()
    {
        final FailingCloses files = new FailingCloses();
        final Journal<Command> journal = Journal.open(Journals.context(Path.of("/memory/close")).fileOps(files)
            .durability(Durability.EVERY_BATCH));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 5);
        final Error planned = new InternalError("planned");
        files.error = planned;
        final Throwable ended = assertThrows(JournalException.class, () -> Journals.append(journal, 11, 15, 5));
        assertSame(planned, ended.getCause());
        assertSame(planned, journal.failure());
        files.error = null;
        files.forces = 0;
        assertThrows(JournalException.class, () -> journal.append(new Command(16, 0)));
        assertThrows(JournalException.class, journal::commit);
        journal.close();
        assertEquals(10, journal.committedSequence());
        assertEquals(0, files.forces);
    }
}
