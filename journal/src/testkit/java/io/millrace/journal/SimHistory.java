package io.millrace.journal;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.EventCodec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * The log as it was published, and a reference that applies it: what an answer, a state and a recovery are checked
 * against. Records that a crash may lose are taken back by the recovery that has lost them.
 */
final class SimHistory<E extends BasePoolAware>
{
    private final SimApplication<E> application;
    private final EventCodec<E> codec;
    private final List<byte[]> records = new ArrayList<>();
    /** After each prefix; fewer than records. */
    private final List<Long> hashes = new ArrayList<>();
    private final List<Integer> results = new ArrayList<>();
    private final Set<Long> once = new HashSet<>();
    private final E command;
    private SimApplication.Reference<E> reference;
    private long answered;
    /** The last record that must survive the end of a process, and of the machine. */
    private long survivesKill;
    private long survivesPower;

    SimHistory(final SimApplication<E> application, final EventCodec<E> codec)
    {
        this.application = application;
        this.codec = codec;
        command = application.command();
        begin();
    }

    private void begin()
    {
        reference = application.reference();
        hashes.clear();
        results.clear();
        once.clear();
        hashes.add(reference.stateHash());
    }

    /** A command was published. */
    void append(final E published)
    {
        final ByteView view = new ByteView(new byte[codec.maxLengthBytes()]);
        final int length = codec.encode(published, view, 0);
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = view.getByte(i);
        }
        records.add(bytes);
    }

    long size()
    {
        return records.size();
    }

    private E record(final long sequence)
    {
        final byte[] bytes = records.get((int)sequence - 1);
        codec.decode(new ByteView(bytes), 0, bytes.length, command);
        return command;
    }

    boolean isPoison(final long sequence)
    {
        return application.isPoison(record(sequence));
    }

    /** Reports client and number of a record. */
    void forPoison(final long sequence, final ObjLongConsumer<Integer> to)
    {
        to.accept(application.clientOf(record(sequence)), application.numberOf(record(sequence)));
    }

    /** The hash that the state has after a record. */
    long hashAfter(final long sequence)
    {
        while (hashes.size() <= sequence)
        {
            final E next = record(hashes.size());
            final int result = application.isPoison(next) ? 0 : reference.apply(next);
            if (application.isOnce(next, result) &&
                !once.add((long)application.clientOf(next) << 32 | application.numberOf(next)))
            {
                throw new AssertionError("request " + application.numberOf(next) + " of client " +
                    application.clientOf(next) + " was applied twice");
            }
            results.add(result);
            hashes.add(reference.stateHash());
        }
        return hashes.get((int)sequence);
    }

    /** A state has exactly the records up to a sequence. */
    void check(final String what, final long sequence, final long stateHash)
    {
        if (sequence > records.size())
        {
            throw new AssertionError(what + ": record " + sequence + " was never published, " + size() + " were");
        }
        if (hashAfter(sequence) != stateHash)
        {
            throw new AssertionError(what + ": the state after record " + sequence + " is wrong");
        }
    }

    /** An answer reaches the outside. */
    void answer(final long record, final int client, final long number, final int result, final long stateHash)
    {
        if (record != answered + 1)
        {
            throw new AssertionError("record " + record + " is answered after record " + answered);
        }
        answered = record;
        check("live", record, stateHash);
        final E asked = record(record);
        if (application.clientOf(asked) != client || application.numberOf(asked) != number ||
            results.get((int)record - 1) != result)
        {
            throw new AssertionError("record " + record + " has a wrong answer: client " + client + ", request " +
                number + ", result " + result + ", not " + results.get((int)record - 1));
        }
    }

    long answered()
    {
        return answered;
    }

    /** The process has ended, with so many records that nothing may lose. */
    void survives(final long kill, final long power)
    {
        survivesKill = Math.max(survivesKill, kill);
        survivesPower = Math.max(survivesPower, power);
    }

    void powerFailed()
    {
        survivesKill = survivesPower;
    }

    /** Recovery has found this end. */
    void recovered(final long end, final long stateHash)
    {
        if (end < survivesKill)
        {
            throw new AssertionError("lost: recovery ends with record " + end + ", but record " + survivesKill +
                " was acknowledged");
        }
        check("recovery", end, stateHash);
        if (end < hashes.size() - 1)
        {
            begin();
        }
        records.subList((int)end, records.size()).clear();
        answered = end;
        // Recovery forces what it reads.
        survivesKill = end;
        survivesPower = end;
    }

    /** Bits have rotted: only records before the last batch are certain. */
    void rotted(final long certain)
    {
        survivesKill = Math.min(survivesKill, certain);
        survivesPower = Math.min(survivesPower, certain);
    }
}
