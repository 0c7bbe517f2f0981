package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.EventRing;

import java.util.List;

/**
 * A stage after others: polls up to the smallest position that these have announced.
 */
final class RingLaterSubscription<E extends BasePoolAware> extends RingLaterSubscriptionFields<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    RingLaterSubscription(
        final String stage,
        final EventRing<E> pool,
        final RingFlush flush,
        final long start,
        final RingSubscription<?>[] before)
    {
        super(stage, pool, flush, start, before);
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
        E following = pool.event(sequence);
        long word = EventRing.sequenceOf(following);
        try
        {
            // Neither published nor a PAD: the new event of a revocation that is taken back. The next poll decides.
            while (sequence < end && !endOfBatch && (word == sequence || word == ~sequence))
            {
                final E event = following;
                final boolean published = word == sequence;
                sequence++;
                if (sequence < end)
                {
                    following = pool.event(sequence);
                    word = EventRing.sequenceOf(following);
                }
                if (published)
                {
                    delivered++;
                    endOfBatch = delivered >= limit || sequence == end || word != sequence;
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

    @Override
    List<RingSubscription<?>> stagesBefore()
    {
        return List.of(before);
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

abstract class RingLaterSubscriptionFields<E extends BasePoolAware> extends RingSubscription<E>
{
    final RingSubscription<?>[] before;
    long available;

    RingLaterSubscriptionFields(
        final String stage,
        final EventRing<E> pool,
        final RingFlush flush,
        final long start,
        final RingSubscription<?>[] before)
    {
        super(stage, pool, flush, start);
        this.before = before;
        available = start;
    }
}
