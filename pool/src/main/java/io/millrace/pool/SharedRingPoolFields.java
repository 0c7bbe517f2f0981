package io.millrace.pool;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Fields of a {@link SharedRingPool} that the publishing threads write. Before them, behind padding, those that only a
 * revocation writes.
 */
abstract class SharedRingPoolFields<E extends BasePoolAware> extends SharedRingPoolBefore<E>
{
    /** Sequence of the next event to claim. */
    long claim;
    /** Events of sequences below this are passed by all consumers. It comes with the line of {@code claim}. */
    long limit;
    /** Number of refused claims, roughly. */
    int refusals;
    /** Sequence of the first event of all. */
    long first;

    SharedRingPoolFields(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}

/** Read by the publishing threads, and written only by a revocation. */
abstract class SharedRingPoolShared<E extends BasePoolAware> extends EventRing<E>
{
    /** Odd while a revocation is announced: publishes take the lock then. Changed under the lock. */
    int announcements;
    long announcedNs;
    final ReentrantLock revoking = new ReentrantLock();
    /** Shorter in tests. */
    long quietNs = SharedRingPool.QUIET_NS;

    SharedRingPoolShared(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}

/** 128 bytes of padding, as in {@link Padding}. */
abstract class SharedRingPoolBefore<E extends BasePoolAware> extends SharedRingPoolShared<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    SharedRingPoolBefore(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}
