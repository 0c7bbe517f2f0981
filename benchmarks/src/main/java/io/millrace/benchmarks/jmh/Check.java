package io.millrace.benchmarks.jmh;

import io.millrace.pool.PaddedLong;

/**
 * The end of every benchmark's path: reads each event and checks that it is the next one. Written by the consuming
 * thread alone; other threads may read the result of a batch after {@link #isReached(long)}.
 * <p>
 * Event number n, counted from 0 over all batches, must carry the id n; its k fields are n, n + 1, ..., n + k - 1.
 * <p>
 * A benchmark that does more with an event than check it extends this, and calls {@link #accept} for each event.
 */
public class Check extends CheckFields
{
    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;

    private final PaddedLong reached = new PaddedLong(0);
    private final int batch;
    private final int fields;

    /**
     * A check that has seen nothing.
     *
     * @param batch  events in a batch: the number handled is made known once for each.
     * @param fields used fields of an event.
     */
    public Check(final int batch, final int fields)
    {
        this.batch = batch;
        this.fields = fields;
        mark = batch;
    }

    /**
     * Check one event. The consuming thread.
     *
     * @param id       its first field.
     * @param fieldSum the sum of all its fields.
     */
    public void accept(final long id, final long fieldSum)
    {
        if (id != handled)
        {
            wrong++;
        }
        sum += fieldSum;
        if (++handled == mark)
        {
            mark += batch;
            // Pairs with isReached(): the sums so far are visible to the thread that waits for the batch.
            reached.setRelease(handled);
        }
    }

    final void accept(final PlainEvent event)
    {
        accept(event.id(), event.sum());
    }

    final void accept(final PooledEvent event, final long sequence)
    {
        accept(event.id(sequence), event.sum());
    }

    /**
     * Checks whether a number of events were handled. Any thread.
     *
     * @param count a whole number of batches.
     * @return true: what was counted so far is visible to the caller.
     */
    public final boolean isReached(final long count)
    {
        return reached.getAcquire() >= count;
    }

    /**
     * Compare what was handled with what was published, all batches together. After the last event is handled.
     *
     * @param published how many events were published.
     * @return the sum over all fields of all events.
     * @throws IllegalStateException when an event was lost, repeated, reordered or changed on its way.
     */
    public final long verify(final long published)
    {
        final long halves = (published & 1) == 0 ? published / 2 * (published - 1) : (published - 1) / 2 * published;
        final long expected = fields * halves + published * (fields * (fields - 1) / 2);
        if (wrong != 0 || handled != published || sum != expected)
        {
            throw new IllegalStateException("wrong answer: published " + published + ", handled " + handled +
                ", out of order " + wrong + ", sum " + sum + " instead of " + expected);
        }
        return sum;
    }
}

abstract class CheckBefore
{
    byte p000, p001, p002, p003, p004, p005, p006, p007, p008, p009, p010, p011, p012, p013, p014, p015;
    byte p016, p017, p018, p019, p020, p021, p022, p023, p024, p025, p026, p027, p028, p029, p030, p031;
    byte p032, p033, p034, p035, p036, p037, p038, p039, p040, p041, p042, p043, p044, p045, p046, p047;
    byte p048, p049, p050, p051, p052, p053, p054, p055, p056, p057, p058, p059, p060, p061, p062, p063;
}

abstract class CheckFields extends CheckBefore
{
    long handled;
    long sum;
    long wrong;
    long mark;
}
