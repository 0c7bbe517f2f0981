package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;

import java.util.Objects;

/**
 * Subscription of one flow to a {@link Feed}. The feed claims an event of the flow, copies into it and publishes it;
 * the flow's {@link BackPressure} decides when no capacity is free. At rest,
 * {@code offered = handled + rejected + dropped + displaced + copyErrors + disconnected}, as counters {@code
 * FLOW.offered} and so on, {@code handled} of each stage.
 *
 * @param <E> type of the feed's events.
 * @param <D> type of the flow's events.
 */
public final class FeedSubscription<E extends BasePoolAware, D extends BasePoolAware>
    extends FeedSubscriptionFields<E, D>
{
    static final int ALL_ROUTES = -1;

    /** A backlog is looked at this many times while it grows to the limit. */
    private static final int CHECKS = 8;

    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    FeedSubscription(final Feed<E> feed, final int route, final Feed.Copier<? super E, ? super D> copier)
    {
        super(feed, route, Objects.requireNonNull(copier, "copier"));
    }

    /**
     * If the flow joins a running server ({@link Control#addFlow}), it first gets the events that the feed has kept:
     * {@link Feed#keepLast} or {@link Feed#keepLastByKey}. It sees each later event once.
     *
     * @return this.
     * @throws IllegalStateException if the feed keeps no events.
     */
    public FeedSubscription<E, D> withKept()
    {
        if (feed.kept() == null)
        {
            throw new IllegalStateException("feed '" + feed.name() + "' keeps no events: set keepLast or " +
                "keepLastByKey");
        }
        wantsKept = true;
        return this;
    }

    /** Called once, by the flow. */
    void target(final Flow<D> flow)
    {
        if (target != null)
        {
            throw new IllegalArgumentException("a subscription to feed '" + feed.name() + "' belongs to flow '" +
                flowName + "' already: flow '" + flow.name() + "' needs one of its own");
        }
        flowName = flow.name();
        target = flow.inVmSource();
    }

    /** Before the start of the flow. Counters start at 0. */
    void bind(final Flow<D> definition, final RunningFlow<D> running, final Failures reports)
    {
        flow = running;
        failures = reports;
        blocks = definition.backPressure() == BackPressure.BLOCK;
        stamps = FeedEvent.class.isAssignableFrom(running.eventType());
        alarmAt = definition.alarmAt();
        disconnects = definition.isDisconnecting();
        untilCheck = 1;
        isOver = false;
        isSlow = false;
        isDisconnected = false;
        offered.setOpaque(0);
        copyErrors.setOpaque(0);
        missed.setOpaque(0);
    }

    /** Before the start of the feed. */
    void begin()
    {
        feed.add(this);
    }

    /** The feed's thread, between two polls: the flow is running. */
    void join() throws Exception
    {
        feed.join(this);
    }

    boolean takes(final int eventRoute)
    {
        return route == ALL_ROUTES || route == eventRoute;
    }

    boolean isBlocking()
    {
        return blocks;
    }

    boolean wantsKept()
    {
        return wantsKept;
    }

    Feed<E> feed()
    {
        return feed;
    }

    String flow()
    {
        return flowName;
    }

    /** The feed's thread. */
    void relay(final E event, final long sequence) throws Exception
    {
        offered.setOpaque(offered.getPlain() + 1);
        if (alarmAt > 0 && --untilCheck <= 0)
        {
            checkBacklog();
        }
        if (isDisconnected)
        {
            missed.setOpaque(missed.getPlain() + 1);
            return;
        }
        final D copy = target.claim();
        // If it is null, the flow has counted the refusal.
        if (copy != null)
        {
            fill(event, sequence, copy);
            if (!target.publish(copy))
            {
                copy.release();
            }
        }
    }

    private void fill(final E event, final long sequence, final D copy) throws Exception
    {
        boolean filled = false;
        try
        {
            copier.copy(event, copy);
            if (stamps)
            {
                ((FeedEvent)(BasePoolAware)copy).origin(feed, event, sequence);
            }
            filled = true;
        }
        finally
        {
            if (!filled)
            {
                copyErrors.setOpaque(copyErrors.getPlain() + 1);
                copy.release();
            }
        }
    }

    /** The feed's thread, under BLOCK: number of events that the flow can take without a wait. */
    int demand()
    {
        final int demand = isDisconnected ? Integer.MAX_VALUE : flow.publication().demand();
        if (demand == 0 && alarmAt > 0)
        {
            checkBacklog();
        }
        return demand;
    }

    /**
     * A stage of a ring announces its position late, or when it is asked, as here. So the backlog counts if two
     * readings show it.
     */
    private void checkBacklog()
    {
        untilCheck = Math.max(1, alarmAt / CHECKS);
        final long backlog = flow.backlog();
        final boolean over = backlog >= alarmAt;
        if (over && isOver && !isSlow)
        {
            isSlow = true;
            isDisconnected = disconnects;
            failures.report("flow '" + flowName + "' is slow: too many events of feed '" + feed.name() + "' wait",
                "flow '" + flowName + "' is slow: " + backlog + " events of feed '" + feed.name() +
                "' wait, the limit is " + alarmAt + (disconnects ? "; it is disconnected" : ""), null);
        }
        else if (backlog <= alarmAt / 2)
        {
            isSlow = false;
        }
        isOver = over;
    }

    /** A sentence for the health; null if there is no problem. Any thread. */
    String problem()
    {
        return isDisconnected ? "flow '" + flowName + "' is disconnected from feed '" + feed.name() + "'" :
            // A silent feed does not look at the backlog.
            isSlow && flow.backlog() > alarmAt / 2 ? "flow '" + flowName + "' is slow" : null;
    }

    /** Any thread. */
    long offered()
    {
        return offered.getOpaque();
    }

    /** Any thread. */
    long copyErrors()
    {
        return copyErrors.getOpaque();
    }

    /** Any thread. */
    long missed()
    {
        return missed.getOpaque();
    }
}

/** Used by the feed's agent for each event, so padded. */
abstract class FeedSubscriptionFields<E extends BasePoolAware, D extends BasePoolAware> extends Padding
{
    final Feed<E> feed;
    final int route;
    final Feed.Copier<? super E, ? super D> copier;
    String flowName;
    InVmSource<D> target;
    RunningFlow<D> flow;
    Failures failures;
    boolean blocks;
    boolean stamps;
    boolean wantsKept;
    boolean disconnects;
    /** Backlog from which on the flow is slow; 0: there is no limit. */
    int alarmAt;
    int untilCheck;
    boolean isOver;
    /** Written by the feed's thread, read by any thread for the health. */
    volatile boolean isSlow;
    volatile boolean isDisconnected;
    final PaddedLong offered = new PaddedLong(0);
    final PaddedLong copyErrors = new PaddedLong(0);
    final PaddedLong missed = new PaddedLong(0);

    FeedSubscriptionFields(final Feed<E> feed, final int route, final Feed.Copier<? super E, ? super D> copier)
    {
        this.feed = feed;
        this.route = route;
        this.copier = copier;
    }
}
