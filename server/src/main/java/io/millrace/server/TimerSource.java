package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import org.agrona.concurrent.NanoClock;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;

/**
 * Publishes an event at each period of a clock, never early. Periods that pass while the agent does not run, or while
 * the flow has no capacity, are left out and counted: there is no burst afterwards. A period whose filler throws has no
 * event; the error policy of the agent applies. Nothing is allocated. Use a source in one flow.
 *
 * @param <E> type of the events.
 */
public final class TimerSource<E extends BasePoolAware> implements EventSource<E>
{
    private static final long MAX_PERIOD_NS = TimeUnit.DAYS.toNanos(1);

    private final long periodNs;
    private final NanoClock clock;
    private final ObjLongConsumer<? super E> filler;
    private final ClaimedEvent<E> claimed = new ClaimedEvent<>();
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong missed = new PaddedLong(0);
    private long dueNs;

    /**
     * A source whose first event is due one period after its start.
     *
     * @param periodNs 1 to a day.
     * @param clock    of the periods; read once a poll.
     * @param filler   fills an event; its number is the time at which the event was due, of the same clock.
     * @throws IllegalArgumentException if the period is out of range.
     */
    public TimerSource(final long periodNs, final NanoClock clock, final ObjLongConsumer<? super E> filler)
    {
        this.periodNs = Range.check("periodNs", periodNs, 1, MAX_PERIOD_NS);
        this.clock = Objects.requireNonNull(clock, "clock");
        this.filler = Objects.requireNonNull(filler, "filler");
    }

    @Override
    public void onStart()
    {
        dueNs = clock.nanoTime() + periodNs;
    }

    @Override
    public int poll(final EventPublication<E> out)
    {
        if (!claimed.publish(out))
        {
            return 0;
        }
        final long lateNs = clock.nanoTime() - dueNs;
        if (lateNs < 0)
        {
            return 0;
        }
        final E event = claimed.claim(out);
        if (event == null)
        {
            return 0;
        }
        final long left = lateNs / periodNs;
        dueNs += left * periodNs;
        missed.addOpaque(left);
        final long timeNs = dueNs;
        // First: a filler that throws has had its period.
        dueNs += periodNs;
        filler.accept(event, timeNs);
        claimed.filled();
        published.addOpaque(1);
        claimed.publish(out);
        return 1;
    }

    @Override
    public void onClose()
    {
        if (claimed.release())
        {
            published.addOpaque(-1);
        }
    }

    /** {@inheritDoc} They are {@code published} and {@code missed}. */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.tagged()
            .counter(name + ".published", "events", "periods with an event", published::getOpaque)
            .counter(name + ".missed", "events", "periods that were left out", missed::getOpaque);
    }
}
