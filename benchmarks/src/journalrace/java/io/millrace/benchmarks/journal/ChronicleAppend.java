package io.millrace.benchmarks.journal;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

import java.nio.file.Path;

/**
 * Chronicle Queue: bytes written in place into a mapped file of the cycle FAST_DAILY, in blocks of 256 MiB. Forced by
 * {@code sync()} in the mode SYNC, an msync of what is new. Not pretouched: that is not part of the open edition.
 */
public final class ChronicleAppend implements AppendPath
{
    private static final int BLOCK = 256 << 20;

    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final boolean forces;
    private long number;

    /**
     * A new queue.
     *
     * @param directory for its files.
     * @param forces    whether each batch is forced.
     */
    public ChronicleAppend(final Path directory, final boolean forces)
    {
        this.forces = forces;
        queue = SingleChronicleQueueBuilder.binary(directory).rollCycle(RollCycles.FAST_DAILY).blockSize(BLOCK)
            .syncMode(forces ? SyncMode.SYNC : SyncMode.NONE).build();
        appender = queue.createAppender();
    }

    @Override
    public AppendRound run(final int batches, final int batch) throws Exception
    {
        return AppendRound.measure((long)batches * batch, () ->
        {
            for (int i = 0; i < batches; i++)
            {
                append(batch);
                if (forces)
                {
                    appender.sync();
                }
            }
        });
    }

    private void append(final int batch)
    {
        for (int i = 0; i < batch; i++)
        {
            number++;
            try (DocumentContext document = appender.writingDocument())
            {
                final Bytes<?> bytes = document.wire().bytes();
                for (int word = 0; word < WORDS; word++)
                {
                    bytes.writeLong(AppendPath.word(number, word));
                }
            }
        }
    }

    @Override
    public long contents()
    {
        long hash = number;
        long count = 0;
        try (ChronicleQueue own = queue; ExcerptTailer tailer = own.createTailer())
        {
            while (true)
            {
                try (DocumentContext document = tailer.readingDocument())
                {
                    if (!document.isPresent())
                    {
                        break;
                    }
                    count++;
                    final Bytes<?> bytes = document.wire().bytes();
                    for (int word = 0; word < WORDS; word++)
                    {
                        hash = AppendPath.add(hash, bytes.readLong());
                    }
                }
            }
        }
        if (count != number)
        {
            throw new IllegalStateException(count + " records of " + number + " are there");
        }
        return hash;
    }
}
