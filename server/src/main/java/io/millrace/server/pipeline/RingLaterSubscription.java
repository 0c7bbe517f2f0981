package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.RingPool;

/**
 * A stage after others: it polls up to the smallest position that they have announced.
 */
final class RingLaterSubscription<E extends BasePoolAware> extends RingSubscription<E>
{
    private final RingSubscription<?>[] before;
    private long available;

    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;

    RingLaterSubscription(
        final String stage,
        final RingPool<E> pool,
        final RingFlush flush,
        final long start,
        final RingSubscription<?>[] before)
    {
        super(stage, pool, flush, start);
        this.before = before;
        available = start;
    }

    @Override
    public int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        long sequence = next;
        // A stage that was added late may be ahead of the stages before it.
        if (sequence >= available && sequence >= limitOfStagesBefore())
        {
            return onEmptyPoll();
        }
        final long end = available;
        long completed = sequence;
        int delivered = 0;
        boolean endOfBatch = limit < 1;
        try
        {
            while (sequence < end && !endOfBatch)
            {
                final E event = pool.event(sequence);
                final boolean published = RingPool.sequenceOf(event) == sequence;
                sequence++;
                if (published)
                {
                    delivered++;
                    endOfBatch = delivered >= limit || sequence == end || isPad(sequence);
                    deliver(handler, event, sequence - 1, endOfBatch);
                }
                completed = sequence;
            }
        }
        finally
        {
            passed(handler, sequence, completed);
        }
        return delivered;
    }

    private boolean isPad(final long sequence)
    {
        return RingPool.sequenceOf(pool.event(sequence)) == ~sequence;
    }

    @Override
    long limitOfStagesBefore()
    {
        long smallest = before[0].positionAcquire();
        for (int i = 1; i < before.length; i++)
        {
            smallest = Math.min(smallest, before[i].positionAcquire());
        }
        available = smallest;
        return smallest;
    }
}
