package io.millrace.benchmarks.journal;

import io.millrace.journal.Durability;
import io.millrace.journal.DurableHandler;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Our journal. Between rounds its keeper prepares segments. */
final class MillraceAppend implements AppendPath
{
    private static final int LENGTH = WORDS * Long.BYTES;
    private static final int READY = 4;
    private static final int IDLE_CYCLES = 5;

    private final JournalContext<Words> context;
    private final Journal<Words> journal;
    private final Words record = new Words();
    private long number;

    MillraceAppend(final Path directory, final boolean forces)
    {
        context = new JournalContext<>(directory, new WordsCodec(), Words::new).preparedSegments(READY)
            .durability(forces ? Durability.EVERY_BATCH : Durability.OS_CACHE);
        journal = Journal.open(context);
        journal.recover(new Reader());
    }

    /** A record: its words follow from the number. */
    private static final class Words extends BasePoolAware
    {
        private final long[] words = new long[WORDS];
    }

    private static final class WordsCodec implements EventCodec<Words>
    {
        @Override
        public int encode(final Words event, final ByteView into, final int offset)
        {
            if (!into.contains(offset, LENGTH))
            {
                return INSUFFICIENT_CAPACITY;
            }
            for (int i = 0; i < WORDS; i++)
            {
                into.putLong(offset + i * Long.BYTES, event.words[i]);
            }
            return LENGTH;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final Words into)
        {
            if (length != LENGTH || !from.contains(offset, length))
            {
                return DecodeResult.TOO_SHORT;
            }
            for (int i = 0; i < WORDS; i++)
            {
                into.words[i] = from.getLong(offset + i * Long.BYTES);
            }
            return DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return LENGTH;
        }
    }

    /** Reads the records in a recovery. */
    private static final class Reader implements DurableHandler<Words>
    {
        private long count;
        private long hash;

        @Override
        public void onEvent(final Words event, final long sequence, final boolean endOfBatch)
        {
            count++;
            if (event.words[0] != count || sequence != count)
            {
                throw new IllegalStateException("record " + count + " is " + event.words[0]);
            }
            for (final long word : event.words)
            {
                hash = AppendPath.add(hash, word);
            }
        }

        @Override
        public void writeTo(final SnapshotOutput out)
        {
        }

        @Override
        public void readFrom(final SnapshotInput in)
        {
        }

        @Override
        public long stateHash()
        {
            return hash;
        }
    }

    @Override
    public AppendRound run(final int batches, final int batch) throws Exception
    {
        for (int idle = 0; idle < IDLE_CYCLES;)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            idle = journal.keeper().doWork() > 0 ? 0 : idle + 1;
        }
        return AppendRound.measure((long)batches * batch, () ->
        {
            for (int i = 0; i < batches; i++)
            {
                append(batch);
                journal.commit();
            }
        });
    }

    private void append(final int batch)
    {
        for (int i = 0; i < batch; i++)
        {
            number++;
            for (int word = 0; word < WORDS; word++)
            {
                record.words[word] = AppendPath.word(number, word);
            }
            journal.append(record);
        }
    }

    @Override
    public long contents()
    {
        journal.close();
        // Its rolling hash begins with the count, as the expected one does.
        final Reader reader = new Reader();
        reader.hash = number;
        try (Journal<Words> again = Journal.open(context))
        {
            again.recover(reader);
        }
        if (reader.count != number)
        {
            throw new IllegalStateException(reader.count + " records of " + number + " are there");
        }
        return reader.hash;
    }
}
