package io.millrace.benchmarks.jmh;

import io.millrace.pool.PaddedLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.SpscArrayQueue;

import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Queues that hand references over. The events are preallocated and reused in order: there are as many as the queue
 * holds and one poll takes, and one more, so that none is filled again before it was handled.
 */
abstract class QueueContender extends Contender
{
    private final PlainEvent[] events;
    private final Queue<PlainEvent> queue;
    /** Place of the next event: the publisher's own, on a separate cache line. */
    private final PaddedLong next = new PaddedLong(0);

    QueueContender(final Check check, final Supplier<PlainEvent> factory, final Queue<PlainEvent> queue)
    {
        super(check);
        events = PlainEvent.array(CAPACITY + POLL_LIMIT + 1, factory);
        this.queue = queue;
    }

    @Override
    public boolean offer(final long id)
    {
        final int index = (int)next.getPlain();
        final PlainEvent event = events[index];
        event.fill(id);
        if (!queue.offer(event))
        {
            return false;
        }
        next.setOpaque(index + 1 == events.length ? 0 : index + 1);
        return true;
    }

    static final class Agrona extends QueueContender
    {
        private final OneToOneConcurrentArrayQueue<PlainEvent> queue;
        private final Consumer<PlainEvent> handler;

        Agrona(
            final Check check, final Supplier<PlainEvent> events, final OneToOneConcurrentArrayQueue<PlainEvent> queue)
        {
            super(check, events, queue);
            this.queue = queue;
            handler = check::accept;
        }

        @Override
        int poll()
        {
            return queue.drain(handler, POLL_LIMIT);
        }
    }

    static final class Jctools extends QueueContender
    {
        private final SpscArrayQueue<PlainEvent> queue;
        private final MessagePassingQueue.Consumer<PlainEvent> handler;

        Jctools(final Check check, final Supplier<PlainEvent> events, final SpscArrayQueue<PlainEvent> queue)
        {
            super(check, events, queue);
            this.queue = queue;
            handler = check::accept;
        }

        @Override
        int poll()
        {
            return queue.drain(handler, POLL_LIMIT);
        }
    }

    /** Takes what is there under one lock. */
    static final class Blocking extends QueueContender
    {
        private final ArrayBlockingQueue<PlainEvent> queue;
        private final ArrayList<PlainEvent> taken = new ArrayList<>(POLL_LIMIT);

        Blocking(final Check check, final Supplier<PlainEvent> events, final ArrayBlockingQueue<PlainEvent> queue)
        {
            super(check, events, queue);
            this.queue = queue;
        }

        @Override
        int poll()
        {
            final int count = queue.drainTo(taken, POLL_LIMIT);
            for (int i = 0; i < count; i++)
            {
                check.accept(taken.get(i));
            }
            taken.clear();
            return count;
        }
    }
}
