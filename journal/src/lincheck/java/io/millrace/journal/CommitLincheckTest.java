package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.agrona.concurrent.Agent;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * P13: the positions that a journal hands to other threads. Lincheck runs short random programs of an appending thread,
 * the thread of a gate and the keeper, interleaves their steps within a bound, and compares the results with a
 * sequential model. The files are in memory. It knows no reordering of memory.
 */
@Tag("lincheck")
class CommitLincheckTest
{
    /** Number of programs; each runs in up to 200 interleavings, because each opens a journal. */
    private static final int ITERATIONS = Integer.getInteger("lincheck.iterations", 10);
    /** Lincheck takes a program for hung after it. Its 30 seconds are too few for a busy machine. */
    private static final long TIMEOUT_MS = 600_000;
    private static final Path FOLDER = Path.of("/memory/journal");

    private static ModelCheckingOptions options()
    {
        // Views of byte arrays stay with one thread, and Lincheck does not know their kind of VarHandle.
        return new ModelCheckingOptions().invocationTimeout$lincheck(TIMEOUT_MS)
            .addGuarantee(forClasses(ByteView.class.getName()).allMethods().ignore())
            .iterations(ITERATIONS).invocationsPerIteration(200).minimizeFailedScenario(false)
            .threads(3).actorsPerThread(3).actorsBefore(1).actorsAfter(1);
    }

    /** Notes which record the last force has reached. */
    private static final class ForcedFiles extends PassedFiles
    {
        private Journal<Command> journal;
        private volatile long forced;

        ForcedFiles(final FileOps next)
        {
            super(next);
        }

        @Override
        JournalFile wrap(final JournalFile file)
        {
            return new PassedFile(file)
            {
                @Override
                public void force() throws IOException
                {
                    super.force();
                    if (journal != null && journal.isAppendingThread())
                    {
                        forced = journal.appendedSequence();
                    }
                }
            };
        }
    }

    /** A journal with one record, whose mark is written. */
    @Param(name = "record", gen = IntGen.class, conf = "1:4")
    public abstract static class Positions
    {
        final Journal<Command> journal;
        private final MemoryFiles memory = new MemoryFiles();
        private final ForcedFiles files = new ForcedFiles(memory);
        private final Agent keeper;
        private final CommitGate<Command> gate;
        /** Two seconds later at each look, so that the keeper writes the mark each time. */
        private long nowNs;

        Positions()
        {
            journal = Journal.open(Journals.context(FOLDER).fileOps(files).segmentBytes(4_096).bufferBytes(4_096)
                .preparedSegments(1).clock(this::nowNs));
            journal.recover(new Accounts());
            keeper = journal.keeper();
            gate = new CommitGate<>(journal, answer -> answer.value);
            journal.append(new Command(1, 0));
            journal.commit();
            files.forced = 1;
            files.journal = journal;
            for (int i = 0; i < 8; i++)
            {
                workUnchecked();
            }
        }

        private synchronized long nowNs()
        {
            nowNs += 2 * SegmentKeeper.LOOK_NS;
            return nowNs;
        }

        private void workUnchecked()
        {
            try
            {
                keeper.doWork();
            }
            catch (final Exception ex)
            {
                throw new IllegalStateException(ex);
            }
        }

        /** Number of the record, which is not committed yet. */
        @Operation(nonParallelGroup = "appender")
        public long append()
        {
            journal.appendHere();
            return journal.append(new Command(journal.appendedSequence() + 1, 0));
        }

        /** Commits what is appended. */
        @Operation(nonParallelGroup = "appender")
        public void commit()
        {
            journal.appendHere();
            journal.commit();
        }

        /** Whether the answer to a record may leave. */
        @Operation(nonParallelGroup = "gate")
        public boolean isOpen(@Param(name = "record") final int record)
        {
            final boolean open = gate.isOpen(new Command(record, 0), 0);
            if (open && files.forced < record)
            {
                throw new IllegalStateException("an answer leaves before its record is forced");
            }
            return open;
        }

        /** A round of the keeper: its mark covers every record that was committed, and none that was not forced. */
        @Operation(nonParallelGroup = "keeper")
        public void keep()
        {
            final long committed = journal.committedSequence();
            workUnchecked();
            // Not by CommitMark.read() and a ByteView: Lincheck knows neither paths nor views of byte arrays.
            final ByteBuffer view = ByteBuffer.wrap(memory.files.get(CommitMark.NAME)).order(ByteOrder.LITTLE_ENDIAN);
            final long mark = Math.max(view.getLong(CommitMark.SEQUENCE_OFFSET),
                view.getLong(CommitMark.SLOT_LENGTH + CommitMark.SEQUENCE_OFFSET));
            if (mark < committed || mark > files.forced)
            {
                throw new IllegalStateException("mark " + mark + ", committed " + committed + ", forced " +
                    files.forced);
            }
        }
    }

    /** As it is. */
    public static class Journaled extends Positions
    {
        /** Any thread. */
        @Operation
        public long committed()
        {
            return journal.committedSequence();
        }
    }

    /** A planted bug: a reader that takes appended records for committed ones. */
    public static class LooksAtAppended extends Positions
    {
        /** Any thread. */
        @Operation
        public long committed()
        {
            return journal.appendedSequence();
        }
    }

    /** The model of both. */
    public static class Model
    {
        private long appended = 1;
        private long committed = 1;

        /** As in the journal. */
        public long append()
        {
            return ++appended;
        }

        /** As in the journal. */
        public void commit()
        {
            committed = appended;
        }

        /** As in the journal. */
        public boolean isOpen(final int record)
        {
            return record <= committed;
        }

        /** As in the journal. */
        public void keep()
        {
        }

        /** As in the journal. */
        public long committed()
        {
            return committed;
        }
    }

    @Test
    void shouldHandOverCommittedPositions()
    {
        options().sequentialSpecification(Model.class).check(Journaled.class);
    }

    @Test
    void shouldFlagAReaderOfTheWrongPosition()
    {
        assertThrows(LincheckAssertionError.class,
            () -> options().sequentialSpecification(Model.class)
                .check(LooksAtAppended.class));
    }
}
