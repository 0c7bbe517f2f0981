package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.EventRing;
import io.millrace.pool.GatingSequence;
import io.millrace.pool.Padding;
import io.millrace.pool.PoolCheck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The receiving side of a ring, alike for one and for many publishing threads: its stages and their positions. Read by
 * the publishing threads for each event, so padded.
 */
abstract class RingSubscriptions<E extends BasePoolAware> extends Padding implements EventPipeline<E>
{
    private final EventRing<E> ring;
    private final RingFlush flush;
    private final StageNames names = new StageNames();
    private final List<RingSubscription<E>> subscriptions = new ArrayList<>();
    /** In checked mode: stages that have left, with references to events that other stages still handle. */
    private final List<Left<E>> leaving = new ArrayList<>();
    private volatile boolean closed;
    /** After a close no thread polls, so later published events (PADs of released events) count as passed. */
    private volatile boolean swept;
    /**
     * All stages; replaced on change. Terminal stages alone do not determine the free events, because a stage that was
     * added late is ahead of the stages that it follows. Volatile, read off the fast path: see freePosition().
     */
    private volatile RingSubscription<?>[] stages = {};
    /**
     * Number of terminal stages; 0 without a subscription and after the close. In normal mode a publisher only asks
     * whether it is 0, so it reads it plainly.
     */
    int terminalStages;
    /** Held while the stages change and, in checked mode only, while an event is published. */
    final ReentrantLock changing = new ReentrantLock();

    /** A stage that has left; it was a stage of the events up to the end. */
    private record Left<E extends BasePoolAware>(RingSubscription<E> stage, long end)
    {
    }

    RingSubscriptions(final EventRing<E> ring)
    {
        this.ring = ring;
        flush = new RingFlush(ring.publishedPosition());
    }

    /** The positions of the stages, for the pool. */
    final GatingSequence gate()
    {
        return new GatingSequence()
        {
            @Override
            public long position()
            {
                return freePosition();
            }

            @Override
            public void requestPosition(final long position)
            {
                flush.request(position);
            }
        };
    }

    private long freePosition()
    {
        RingSubscription<?>[] all;
        long smallest;
        do
        {
            all = stages;
            if (swept || all.length == 0)
            {
                return ring.resolvedPosition();
            }
            smallest = ring.publishedPosition();
            for (int i = 0; i < all.length; i++)
            {
                smallest = Math.min(smallest, all[i].positionAcquire());
            }
        }
        // A stage joins on the thread of another one, whose position stands still meanwhile. If a position read above
        // is a later one, its acquire makes the new array visible here.
        while (all != stages);
        if (PoolCheck.ENABLED)
        {
            releaseLeft(smallest);
        }
        return smallest;
    }

    /** The references of stages that have left. Any thread; in checked mode only. */
    private void releaseLeft(final long passed)
    {
        changing.lock();
        try
        {
            leaving.removeIf(each ->
            {
                each.stage().releaseLeft(Math.min(passed, each.end()));
                return passed >= each.end();
            });
        }
        finally
        {
            changing.unlock();
        }
    }

    /** What decides on claimed events that are not published, for a new first stage; null if nothing does. */
    ClaimWatch newClaimWatch()
    {
        return null;
    }

    /** Called by the close before the stages skip the remaining events. */
    void resolveClaims(final long end)
    {
    }

    /**
     * {@inheritDoc}
     * While events are published, call it on the thread that polls one of the stages: the first of {@code after}, if
     * there is one. The ring cannot wrap beyond that stage meanwhile. One caller at a time.
     */
    @Override
    public final EventSubscription<E> subscribe(final String stage, final EventSubscription<?>... after)
    {
        changing.lock();
        try
        {
            final RingSubscription<?>[] before = new RingSubscription<?>[after.length];
            for (int i = 0; i < after.length; i++)
            {
                if (!subscriptions.contains(after[i]))
                {
                    throw StageNames.foreign(stage, after[i]);
                }
                before[i] = (RingSubscription<?>)after[i];
            }
            if (closed)
            {
                throw new IllegalStateException("this pipeline is closed");
            }
            names.add(stage);
            // The position is read last, so that no stage passes a failed event that the new one sees.
            notTerminal(before, ring.resolvedPosition());
            final long start = ring.resolvedPosition();
            final RingSubscription<E> subscription = before.length == 0 ?
                new RingFirstSubscription<>(stage, ring, flush, start) :
                new RingLaterSubscription<>(stage, ring, flush, start, before);
            if (before.length == 0)
            {
                subscription.watch(newClaimWatch());
            }
            subscriptions.add(subscription);
            stagesChanged();
            return subscription;
        }
        finally
        {
            changing.unlock();
        }
    }

    /** Only of stages that were terminal before. */
    private void notTerminal(final RingSubscription<?>[] before, final long sequence)
    {
        for (final RingSubscription<?> earlier : before)
        {
            if (subscriptions.stream().noneMatch(each -> each.follows(earlier)))
            {
                earlier.terminalFrom(sequence, false);
            }
        }
    }

    private void stagesChanged()
    {
        stages = subscriptions.toArray(new RingSubscription<?>[0]);
        terminalStages = (int)subscriptions.stream().filter(RingSubscription::isTerminal).count();
    }

    @Override
    public final long unsubscribe(final EventSubscription<E> subscription)
    {
        changing.lock();
        try
        {
            // Under the lock: the end of a change that an agent carries out late may overlap the next change.
            final int index = subscriptions.indexOf(subscription);
            if (index < 0 || subscriptions.size() == 1 ||
                subscriptions.stream().anyMatch(each -> each.follows(subscription)))
            {
                throw new IllegalArgumentException("stage '" + subscription.stage() + "' cannot leave this pipeline: " +
                    (index < 0 ? "it is not a stage of it" : subscriptions.size() == 1 ? "it is the last one" :
                    "other stages follow it"));
            }
            final RingSubscription<E> stage = subscriptions.remove(index);
            names.remove(stage.stage());
            final long end = ring.resolvedPosition();
            stage.stagesBefore().stream()
                .filter(earlier -> subscriptions.stream().noneMatch(each -> each.follows(earlier)))
                .forEach(earlier -> earlier.terminalFrom(end, true));
            stagesChanged();
            if (PoolCheck.ENABLED)
            {
                leaving.add(new Left<>(stage, end));
            }
            return stage.leave(end);
        }
        finally
        {
            changing.unlock();
        }
    }

    @Override
    public final int capacity()
    {
        return ring.capacity();
    }

    @Override
    public final long publishedPosition()
    {
        // Without a stage no event is accepted, so claimed events do not count either.
        return stages.length == 0 ? ring.resolvedPosition() : ring.publishedPosition();
    }

    @Override
    public final long close()
    {
        closed = true;
        terminalStages = 0;
        final long end = ring.publishedPosition();
        resolveClaims(end);
        long undelivered = 0;
        for (final RingSubscription<?> subscription : subscriptions)
        {
            undelivered += subscription.skipTo(end);
        }
        swept = true;
        if (PoolCheck.ENABLED)
        {
            releaseLeft(end);
        }
        return undelivered;
    }

    @Override
    public final String toString()
    {
        return describe() + Arrays.toString(stages);
    }
}
