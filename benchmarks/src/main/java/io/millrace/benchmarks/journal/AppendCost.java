package io.millrace.benchmarks.journal;

import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * CPU time of one append: encoding, checksum, copy into the buffer, header; without files. Next to it the same bytes
 * copied by hand, without and with a CRC32C over the 76 bytes of the record that it covers.
 */
final class AppendCost implements AutoCloseable
{
    static final int COMMANDS = 2_000_000;
    private static final int BATCH = 256;
    private static final int BUFFER_LENGTH = 256 * 1024;

    final Series<Double> append = new Series<>(round -> true);
    final Series<Double> copy = new Series<>(round -> true);
    final Series<Double> copyAndChecksum = new Series<>(round -> true);

    private final ThreadProbe probe = ThreadProbe.ofCurrentThread();
    private final CostCommand command = new CostCommand();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private final Journal<CostCommand> journal;
    private long number;
    private long appended;
    private long sum;

    AppendCost()
    {
        journal = Journal.open(new JournalContext<>(Path.of("null"), new CostCommand.Codec(), CostCommand::new)
            .durability(Durability.OS_CACHE).fileOps(new NullFiles()));
        journal.recover(new NoState<>(0));
    }

    /** One round of each, interleaved. */
    void round(final boolean counts)
    {
        add(copy, counts, () -> copy(false));
        add(copyAndChecksum, counts, () -> copy(true));
        add(append, counts, this::append);
    }

    private void add(final Series<Double> series, final boolean counts, final Runnable work)
    {
        final long beginNs = probe.cpuNs();
        work.run();
        final double ns = (double)(probe.cpuNs() - beginNs) / COMMANDS;
        if (counts)
        {
            series.add(ns);
        }
    }

    private void append()
    {
        for (int i = 0; i < COMMANDS; i++)
        {
            command.set(number++);
            journal.append(command);
            if (i % BATCH == BATCH - 1)
            {
                journal.commit();
            }
        }
        journal.commit();
        appended += COMMANDS;
        WrongAnswerException.check("committed records", appended, journal.committedSequence());
    }

    private void copy(final boolean checksum)
    {
        int at = 0;
        for (int i = 0; i < COMMANDS; i++)
        {
            command.set(number++);
            if (at + CostCommand.RECORD_LENGTH > BUFFER_LENGTH)
            {
                at = 0;
            }
            command.copyTo(buffer, at + CostCommand.LENGTH);
            if (checksum)
            {
                crc.reset();
                crc.update(buffer.limit(at + CostCommand.RECORD_LENGTH).position(at + Integer.BYTES));
                sum += crc.getValue();
                buffer.clear();
            }
            at += CostCommand.RECORD_LENGTH;
        }
    }

    /** So that nothing is left out as dead code. */
    long sum()
    {
        return sum;
    }

    @Override
    public void close()
    {
        journal.close();
    }
}
