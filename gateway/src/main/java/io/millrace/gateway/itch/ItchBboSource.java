package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import org.agrona.concurrent.NanoClock;

import java.io.IOException;
import java.util.Objects;

/**
 * Builds order books from ITCH messages, and publishes each change of the best bid and offer of a stock. Each event has
 * its number from 1 as sequence. A recorded file is read as fast as possible, or at its {@linkplain #recordedPace
 * recorded pace}.
 * <p>
 * Without free capacity no change is lost: the source stops reading, and publishes the change in a later poll. Under
 * policies that drop or displace events, the policy of the flow applies. After a loss of messages the next event
 * is marked, the books stay as they are, and impossible messages count as anomalies; a new session begins with new
 * books, and ends the quotes of the one before. Nothing is allocated except for new books and a new session. Use a
 * source in one flow.
 */
public final class ItchBboSource implements EventSource<BboEvent>
{
    /** Some ten microseconds of work. */
    private static final int MESSAGES_PER_POLL = 256;

    private final ItchInput input;
    private final ItchBooks books;
    private final NanoClock clock;
    private final ItchHandler handler = new Messages();
    private final PaddedLong changes = new PaddedLong(0);
    private final PaddedLong losses = new PaddedLong(0);
    private final PaddedLong untaken = new PaddedLong(0);
    private double speed;
    private long session;
    private long midnightNs;
    private boolean hasMidnight;

    private EventPublication<BboEvent> out;
    private long nowNs;
    private int produced;
    /** A change waits for capacity. */
    private boolean pending;
    private long changeTimeNs;
    private int changeFlags;
    /** Messages were lost after the last change. */
    private boolean afterGap;
    /** A message at the recorded pace is read, but not due. */
    private boolean waits;
    private final PacedMessage paced = new PacedMessage();
    private volatile boolean exhausted;

    private final class Messages implements ItchHandler
    {
        @Override
        public boolean onMessage(final ItchMessage message)
        {
            if (speed > 0 && !paced.isDue(message.timeNs(), nowNs, speed))
            {
                paced.keep(message);
                waits = true;
                return false;
            }
            return apply(message);
        }

        @Override
        public boolean onAdd(final ItchMessage message)
        {
            return speed > 0 ? onMessage(message) : after(message, books.add(message));
        }

        @Override
        public boolean onDelete(final ItchMessage message)
        {
            return speed > 0 ? onMessage(message) : after(message, books.delete(message));
        }

        @Override
        public boolean onExecute(final ItchMessage message)
        {
            return speed > 0 ? onMessage(message) : after(message, books.execute(message));
        }

        @Override
        public boolean onCancel(final ItchMessage message)
        {
            return speed > 0 ? onMessage(message) : after(message, books.cancel(message));
        }

        @Override
        public boolean onReplace(final ItchMessage message)
        {
            return speed > 0 ? onMessage(message) : after(message, books.replace(message));
        }

        @Override
        public void onLoss(final boolean isNewSession)
        {
            losses.addOpaque(1);
            afterGap = true;
            if (isNewSession)
            {
                books.forget();
            }
        }
    }

    /**
     * A source.
     *
     * @param input of the messages; closed with the source.
     * @param books to build.
     * @param clock read once a poll.
     */
    public ItchBboSource(final ItchInput input, final ItchBooks books, final NanoClock clock)
    {
        this.input = Objects.requireNonNull(input, "input");
        this.books = Objects.requireNonNull(books, "books");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Apply messages at their recorded times instead of as fast as possible. The first one is due at once, each other
     * one after its time since the first, divided by the factor.
     *
     * @param factor 1.0 as recorded, 2.0 twice as fast; 0.001 to 1,000,000,000.
     * @return this.
     * @throws IllegalArgumentException if it is out of range.
     */
    public ItchBboSource recordedPace(final double factor)
    {
        // Written so that NaN is refused as well.
        if (!(factor >= 1e-3 && factor <= 1e9))
        {
            throw new IllegalArgumentException("speed " + factor + " is not in 0.001..1000000000");
        }
        speed = factor;
        return this;
    }

    /**
     * Session id of the events.
     *
     * @param id any number; default 0.
     * @return this.
     */
    public ItchBboSource session(final long id)
    {
        session = id;
        return this;
    }

    /**
     * Midnight of the day, so that events have the exchange's time. Without it their send time is 0.
     *
     * @param epochNs nanoseconds since 1970.
     * @return this.
     */
    public ItchBboSource midnight(final long epochNs)
    {
        midnightNs = epochNs;
        hasMidnight = true;
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @return number of messages taken, also of those that changed no best price; or of events, if there were more.
     */
    @Override
    public int poll(final EventPublication<BboEvent> publication) throws IOException
    {
        out = publication;
        nowNs = clock.nanoTime();
        produced = 0;
        int taken = 0;
        if ((!pending || publish()) && (!books.hasEnded() || endQuotes()))
        {
            if (!waits || applyKept())
            {
                taken = input.poll(handler, MESSAGES_PER_POLL);
            }
            if (!pending && !waits && !books.hasEnded() && input.isExhausted())
            {
                exhausted = true;
            }
        }
        return Math.max(taken, produced);
    }

    private boolean applyKept()
    {
        if (!paced.isDue(paced.message().timeNs(), nowNs, speed))
        {
            return false;
        }
        waits = false;
        return apply(paced.message());
    }

    private boolean apply(final ItchMessage message)
    {
        return after(message, books.apply(message));
    }

    /** False if a change could not be published. */
    private boolean after(final ItchMessage message, final boolean isChange)
    {
        if (!isChange)
        {
            return true;
        }
        return publish(hasMidnight ? midnightNs + message.timeNs() : 0);
    }

    /** Stocks have no quote after the end of their session. False if a change could not be published. */
    private boolean endQuotes()
    {
        boolean goesOn = true;
        while (goesOn && books.hasEnded())
        {
            books.endQuote();
            goesOn = publish(changeTimeNs);
        }
        return goesOn;
    }

    private boolean publish(final long timeNs)
    {
        changes.addOpaque(1);
        changeTimeNs = timeNs;
        changeFlags = afterGap ? BboEvent.AFTER_GAP : 0;
        afterGap = false;
        return publish();
    }

    private boolean publish()
    {
        pending = true;
        final BboEvent event = out.claim();
        if (event == null)
        {
            return false;
        }
        books.copyTo(event);
        event.position(session, changes.getPlain()).times(changeTimeNs, nowNs)
            .flags(changeFlags);
        // An offer that throws has accepted the event.
        pending = false;
        if (!out.offer(event))
        {
            event.release();
            pending = true;
            return false;
        }
        produced++;
        return true;
    }

    @Override
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public void onClose() throws IOException
    {
        if (pending)
        {
            pending = false;
            untaken.addOpaque(1);
        }
        input.close();
    }

    /**
     * {@inheritDoc} The counters are listed in {@code docs/itch.md}.
     */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        input.addCounters(counters, name);
        counters.add(name + ".changes", "changes of a best bid or offer", changes::getOpaque);
        counters.add(name + ".untaken", "changes that the flow had not taken at the close", untaken::getOpaque);
        counters.add(name + ".anomalies", "messages that no book could apply", books::anomalies);
        counters.add(name + ".crossed", "messages after which a book was crossed or locked", books::crossed);
        counters.add(name + ".lossesOfInput", "losses and new sessions; the books are wrong after one",
            losses::getOpaque);
    }

    /** @return the books. The polling thread only, except its counters. */
    public ItchBooks books()
    {
        return books;
    }
}
