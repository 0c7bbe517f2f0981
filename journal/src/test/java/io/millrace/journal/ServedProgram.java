package io.millrace.journal;

import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import org.agrona.concurrent.OffsetEpochNanoClock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server with a journal that gets signals: publishes as fast as the server takes commands, and writes what is
 * answered into a shared mapping. Its shutdown hook asks for a snapshot, closes the server and ends the process with 0.
 * Values are the numbers of records. Arguments: directory, ledger, topology.
 */
final class ServedProgram
{
    static final int RECOVERED_OFFSET = 0;
    static final int HASH_OFFSET = 8;
    static final int ANSWERED_OFFSET = 16;
    static final int PUBLISHED_OFFSET = 24;
    static final int JOURNALED_OFFSET = 32;
    static final int PROCESSED_OFFSET = 40;
    static final int SNAPSHOT_OFFSET = 48;
    static final int CLOSE_NS_OFFSET = 56;
    static final int MARKS_OFFSET = 64;
    static final int STALLS_OFFSET = 72;
    static final int STARTED_OFFSET = 80;
    static final int LEDGER_LENGTH = 88;
    static final int OUT_OF_ORDER = 3;
    private static final int FAILED = 1;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(30);
    /** Less than the six seconds for which a test stops the process; more than a busy disk takes for a force. */
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(5_500);

    private final Accounts accounts = new Accounts();
    private final InVmSource<Command> source = new InVmSource<>(Command::new, 256);
    private final AtomicLong stalls = new AtomicLong();
    private final MappedByteBuffer ledger;
    private final Journal<Command> journal;
    private final Server server;
    private long answered;

    private ServedProgram(final String[] arguments) throws IOException
    {
        ledger = Ledger.map(Path.of(arguments[1]), LEDGER_LENGTH);
        ledger.putLong(STARTED_OFFSET, 1);
        journal = Journal.open(Journals.context(Path.of(arguments[0])).fileOps(new MarkCount(ledger))
            .segmentBytes(65_536).clock(new OffsetEpochNanoClock()));
        server = Server.launch(Topologies.add(new Server.Context().drainTimeoutNs(DRAIN_NS).errorHandler(ex ->
        {
            ex.printStackTrace(System.out);
            Runtime.getRuntime().halt(FAILED);
        }).stallTimeoutNs(STALL_NS).onStall((agent, unmovedNs, stack) -> onStall()),
            arguments[2], journal, accounts, source, Pipelines.ring(), BackPressure.BLOCK, (event, sequence, end) ->
                answer(event.value)));
        answered = journal.report().sequence();
        ledger.putLong(HASH_OFFSET, journal.report().stateHash());
        ledger.putLong(RECOVERED_OFFSET, answered);
    }

    private void onStall()
    {
        ledger.putLong(STALLS_OFFSET, stalls.incrementAndGet());
    }

    /** Counts the writes of the commit mark, one a second. */
    private static final class MarkCount extends PassedFiles
    {
        private final MappedByteBuffer ledger;
        private long marks;

        MarkCount(final MappedByteBuffer ledger)
        {
            super(new SystemFiles());
            this.ledger = ledger;
        }

        @Override
        public JournalFile create(final Path file) throws IOException
        {
            return counted(file, super.create(file));
        }

        @Override
        public JournalFile open(final Path file, final boolean writable) throws IOException
        {
            return counted(file, super.open(file, writable));
        }

        private JournalFile counted(final Path file, final JournalFile opened)
        {
            return !file.endsWith(CommitMark.NAME) ? opened : new PassedFile(opened)
            {
                @Override
                public int write(final ByteBuffer bytes, final long position) throws IOException
                {
                    marks++;
                    ledger.putLong(MARKS_OFFSET, marks);
                    return super.write(bytes, position);
                }
            };
        }
    }

    private void answer(final long value)
    {
        if (value != answered + 1)
        {
            System.out.println("answer " + value + " follows " + answered);
            Runtime.getRuntime().halt(OUT_OF_ORDER);
        }
        answered = value;
        ledger.putLong(ANSWERED_OFFSET, value);
    }

    private void publish()
    {
        long value = journal.report().sequence();
        for (Command command = source.claim(); command != null; command = source.claim())
        {
            command.value = value + 1;
            command.extra = (int)(value % 60);
            if (!source.publish(command))
            {
                command.release();
                break;
            }
            value++;
        }
        ledger.putLong(PUBLISHED_OFFSET, value);
    }

    private void stop(final Thread publisher)
    {
        try
        {
            final long beginNs = System.nanoTime();
            final Future<Long> snapshot = journal.requestSnapshot();
            server.close();
            publisher.join();
            ledger.putLong(JOURNALED_OFFSET, journal.committedSequence());
            ledger.putLong(PROCESSED_OFFSET, accounts.count);
            ledger.putLong(SNAPSHOT_OFFSET, snapshot.get(0, TimeUnit.SECONDS));
            ledger.putLong(CLOSE_NS_OFFSET, System.nanoTime() - beginNs);
            Runtime.getRuntime().halt(0);
        }
        catch (final Exception ex)
        {
            ex.printStackTrace(System.out);
            Runtime.getRuntime().halt(FAILED);
        }
    }

    public static void main(final String[] arguments) throws IOException
    {
        final ServedProgram program = new ServedProgram(arguments);
        final Thread publisher = new Thread(program::publish, "publisher");
        try
        {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> program.stop(publisher), "stop"));
        }
        catch (final IllegalStateException ex)
        {
            // A signal came before; the process ends as if it had been killed.
            return;
        }
        publisher.start();
    }
}
