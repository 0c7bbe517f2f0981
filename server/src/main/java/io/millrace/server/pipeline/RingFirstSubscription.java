package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.RingPool;

/**
 * A stage that sees events as they are published: it polls the sequence in the event itself.
 */
final class RingFirstSubscription<E extends BasePoolAware> extends RingSubscription<E>
{
    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;

    RingFirstSubscription(final String stage, final RingPool<E> pool, final RingFlush flush, final long start)
    {
        super(stage, pool, flush, start);
    }

    @Override
    long limitOfStagesBefore()
    {
        return Long.MAX_VALUE;
    }

    @Override
    public int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        long sequence = next;
        E event = pool.event(sequence);
        long word = RingPool.sequenceOf(event);
        if (word != sequence && word != ~sequence)
        {
            return onEmptyPoll();
        }
        long completed = sequence;
        int delivered = 0;
        boolean endOfBatch = limit < 1;
        try
        {
            while (!endOfBatch)
            {
                if (word == sequence)
                {
                    final E current = event;
                    sequence++;
                    delivered++;
                    event = pool.event(sequence);
                    word = RingPool.sequenceOf(event);
                    // A PAD ends the batch and the poll: it is not known whether an event follows it.
                    endOfBatch = word != sequence || delivered >= limit;
                    deliver(handler, current, sequence - 1, endOfBatch);
                }
                else if (word == ~sequence)
                {
                    sequence++;
                    event = pool.event(sequence);
                    word = RingPool.sequenceOf(event);
                }
                else
                {
                    break;
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
}
