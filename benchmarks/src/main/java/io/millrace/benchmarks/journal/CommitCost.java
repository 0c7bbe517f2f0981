package io.millrace.benchmarks.journal;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.Agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Time of a durable commit: a batch of commands, appended, written and forced by the journal; or the same number of
 * bytes, written by hand over and over a file of real zeros and forced. One thread; for the preparation of segments a
 * second one of the lowest priority.
 */
final class CommitCost implements AutoCloseable
{
    static final int[] BATCHES = {1, 64, 1_024, 4_096};
    static final int PREPARING_BATCH = 64;
    private static final int SEGMENT_LENGTH = 64 * 1024 * 1024;
    private static final int READY_SEGMENTS = 4;
    /** Duty cycles without work after which the keeper is done; one may be too early for its pace. */
    private static final int IDLE_CYCLES = 5;
    /** More than all rounds prepare at a piece of 256 KiB each 2 ms. */
    private static final int MANY_SEGMENTS = 64;
    private static final int BLOCK = 4_096;

    private final long roundNs;
    private final Journal<CostCommand> journal;
    private final FileChannel file;
    private final ByteBuffer bytes =
        ByteBuffer.allocateDirect(BATCHES[BATCHES.length - 1] * CostCommand.RECORD_LENGTH + BLOCK).alignedSlice(BLOCK);
    private final CostCommand command = new CostCommand();
    private final NoState<CostCommand> state = new NoState<>(0);
    private long bareAt;
    private long number;
    private long appended;

    CommitCost(final Path dir, final boolean preparing, final long roundMs) throws IOException
    {
        roundNs = TimeUnit.MILLISECONDS.toNanos(roundMs);
        journal = Journal.open(new JournalContext<>(dir.resolve("journal"), new CostCommand.Codec(), CostCommand::new)
            .preparedSegments(preparing ? MANY_SEGMENTS : READY_SEGMENTS).keepSnapshots(1));
        journal.recover(state);
        file = FileChannel.open(dir.resolve("bare"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        for (long at = 0; at < SEGMENT_LENGTH; at += bytes.limit())
        {
            write(at, (int)Math.min(bytes.capacity(), SEGMENT_LENGTH - at));
        }
        file.force(true);
        while (bytes.clear().hasRemaining() && number < bytes.capacity() / CostCommand.RECORD_LENGTH)
        {
            command.set(number);
            command.copyTo(bytes, (int)number * CostCommand.RECORD_LENGTH + CostCommand.LENGTH);
            number++;
        }
    }

    private void write(final long at, final int length) throws IOException
    {
        bytes.clear().limit(length);
        while (bytes.hasRemaining())
        {
            file.write(bytes, at + bytes.position());
        }
    }

    Histogram bare(final int batch) throws IOException
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        final int length = batch * CostCommand.RECORD_LENGTH;
        bareAt = bareAt + BLOCK & -BLOCK;
        final long endNs = System.nanoTime() + roundNs;
        long beginNs = System.nanoTime();
        while (beginNs < endNs)
        {
            bareAt = bareAt + length > SEGMENT_LENGTH ? 0 : bareAt;
            write(bareAt, length);
            file.force(false);
            bareAt += length;
            final long nowNs = System.nanoTime();
            latencies.recordValue(nowNs - beginNs);
            beginNs = nowNs;
        }
        return latencies;
    }

    Histogram journal(final int batch)
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        final long endNs = System.nanoTime() + roundNs;
        long beginNs = System.nanoTime();
        while (beginNs < endNs)
        {
            for (int i = 0; i < batch; i++)
            {
                command.set(number++);
                journal.append(command);
            }
            journal.commit();
            appended += batch;
            final long nowNs = System.nanoTime();
            latencies.recordValue(nowNs - beginNs);
            beginNs = nowNs;
        }
        WrongAnswerException.check("committed records", appended, journal.committedSequence());
        return latencies;
    }

    /** Between rounds: free the segments behind, and prepare new ones, so that no round does. */
    void rest() throws IOException
    {
        journal.snapshot(state, journal.committedSequence());
        int idle = 0;
        while (idle < IDLE_CYCLES)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            idle = doWork(journal.keeper()) > 0 ? 0 : idle + 1;
        }
    }

    private static int doWork(final Agent keeper)
    {
        try
        {
            return keeper.doWork();
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** A round while another thread prepares segments, as the server's keeper does. */
    Histogram whilePreparing(final int batch)
    {
        final AtomicBoolean ends = new AtomicBoolean();
        final Thread keeper = Daemon.start("keeper", () ->
        {
            Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
            while (!ends.get())
            {
                if (doWork(journal.keeper()) == 0)
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        });
        try
        {
            return journal(batch);
        }
        finally
        {
            ends.set(true);
            Daemon.join(keeper);
        }
    }

    @Override
    public void close() throws IOException
    {
        journal.close();
        file.close();
    }
}
