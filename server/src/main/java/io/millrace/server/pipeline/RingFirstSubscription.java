package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.EventRing;

import java.util.List;

/**
 * A stage that sees events as they are published: it polls the sequence in the event itself.
 */
final class RingFirstSubscription<E extends BasePoolAware> extends RingSubscription<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    RingFirstSubscription(final String stage, final EventRing<E> pool, final RingFlush flush, final long start)
    {
        super(stage, pool, flush, start);
    }

    @Override
    List<RingSubscription<?>> stagesBefore()
    {
        return List.of();
    }

    @Override
    long limitOfStagesBefore()
    {
        return Long.MAX_VALUE;
    }

    @Override
    public int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        final long first = next;
        // A local variable: read from the field for each event, it costs a ring of one publisher a tenth of the poll.
        final boolean revocable = isRevocable();
        long sequence = first;
        E event = pool.event(sequence);
        long word = sequenceOf(event, sequence, revocable);
        // Before the branch: the fields of an event often continue on the cache line of the next event's word. Read in
        // each poll, that line arrives together with the first one, and not after the branch mispredicts.
        E following = pool.event(sequence + 1);
        long followingWord = sequenceOf(following, sequence + 1, revocable);
        if (word != sequence && word != ~sequence)
        {
            return onEmptyPoll();
        }
        long completed = sequence;
        int delivered = 0;
        boolean more = limit > 0;
        try
        {
            while (more)
            {
                // Before the event is handled, not after it: C2 inlines in this order and up to a limit.
                if (sequence != first)
                {
                    following = pool.event(sequence + 1);
                    followingWord = sequenceOf(following, sequence + 1, revocable);
                }
                if (word == sequence)
                {
                    sequence++;
                    delivered++;
                    // A PAD ends the batch and the poll: it is not known whether an event follows it.
                    more = followingWord == sequence && delivered < limit;
                    deliver(handler, event, sequence - 1, !more);
                }
                else
                {
                    sequence++;
                    more = followingWord == sequence || followingWord == ~sequence;
                }
                completed = sequence;
                event = following;
                word = followingWord;
            }
        }
        finally
        {
            passed(handler, sequence, completed);
        }
        return delivered;
    }
}
