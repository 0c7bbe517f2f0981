package io.millrace.gateway.udp;

import io.millrace.pool.PaddedLong;

import java.util.Arrays;

/**
 * Finds gaps, duplicates, reordered messages and restarts of the sender by session id and sequence. One thread calls
 * {@link #onMessage}; any thread reads the counters.
 * <p>
 * A window of bits says which of the last {@link #WINDOW} numbers were there. A missing message that arrives late is
 * then no longer counted as lost, and a second copy is never taken for it. Numbers may pass 2^64 - 1 and go on at 0.
 * <p>
 * Another session id is a new session, and its numbers begin at 1 (or 0). The ids need no order, but a sender must not
 * use an id again: the last {@link #OLD_SESSIONS} are remembered, and their messages are refused. What a session lost
 * at its end, after the last message that came, no receiver can know.
 * <p>
 * A first message defines where the tracker begins: earlier numbers do not count as lost. A number more than {@link
 * #MAX_GAP} ahead is refused, because one damaged or foreign packet must not end the feed; if the number after it
 * follows, both were right, and the gap is counted.
 * <p>
 * Another session, a first message and a wide gap are believed at once, but one damaged packet looks the same. So the
 * position before it is kept. If the next message is exactly the one that was due there, the tracker returns, and no
 * message is lost; two messages that follow each other there bring it back later, too.
 */
public final class SequenceTracker
{
    /** Numbers that the tracker looks back: 10 ms at 400,000 messages/s; 512 bytes. */
    public static final int WINDOW = 4_096;

    /** Greatest plausible gap: some 10 s at 100,000 messages/s. */
    public static final long MAX_GAP = 1L << 20;

    /** So many refused messages that follow each other, and none that fits, are a restart: no line is so late. */
    public static final int MAX_REFUSED = 1 << 16;

    /** Sessions that are remembered after their end. */
    public static final int OLD_SESSIONS = 8;

    /** Where the tracker stands in a session. */
    private static final class Position
    {
        final long[] seen = new long[WINDOW / Long.SIZE];
        long session;
        /** Earlier numbers are not looked for. */
        long first;
        long next;
        /** First number that was there. */
        long begin;
        /** Numbers that count as lost because of its begin. */
        long missing;
        /** Begin of a later position of the same session; otherwise a number that is far away. */
        long end;
    }

    private final long[] oldSessions = new long[OLD_SESSIONS];
    private int oldSessionCount;
    private Position current = new Position();
    /** Before the last change of the session or wide gap. */
    private Position previous = new Position();
    private boolean hasPrevious;
    /** The previous position was there later than the current one: the tracker has returned. */
    private boolean returned;
    /** Next number of the earlier position when the tracker returned to it. */
    private long nextAtReturn;
    /** Another message has followed the one that made the current position. */
    private boolean confirmed;
    private boolean started;
    private long refusedSession;
    private long afterRefused;
    private boolean hasRefused;
    /** Refused messages in a row that follow each other, and next number of the position meanwhile. */
    private int refusedInARow;
    private long nextWhenRefused;

    private final PaddedLong lost = new PaddedLong(0);
    private final PaddedLong gaps = new PaddedLong(0);
    private final PaddedLong late = new PaddedLong(0);
    private final PaddedLong duplicates = new PaddedLong(0);
    private final PaddedLong tooOld = new PaddedLong(0);
    private final PaddedLong restarts = new PaddedLong(0);
    private final PaddedLong oldSessionMessages = new PaddedLong(0);
    private final PaddedLong implausible = new PaddedLong(0);

    /** A tracker that has seen no message. */
    public SequenceTracker()
    {
    }

    /**
     * Takes notice of one message.
     *
     * @param messageSession id of its session.
     * @param sequence       its number in the session.
     * @return what the number says; the message is already counted.
     */
    public Arrival onMessage(final long messageSession, final long sequence)
    {
        final Position position = current;
        if (started && messageSession == position.session && sequence == position.next && sequence != position.end)
        {
            position.next = sequence + 1;
            mark(sequence);
            confirmed = true;
            return Arrival.NEXT;
        }
        return onOther(messageSession, sequence);
    }

    private Arrival onOther(final long messageSession, final long sequence)
    {
        if (isOfPrevious(messageSession, sequence))
        {
            return goBack(sequence);
        }
        if (!started || messageSession != current.session)
        {
            return onOtherSession(messageSession, sequence);
        }
        return onSession(sequence);
    }

    private Arrival onSession(final long sequence)
    {
        final long ahead = sequence - current.next;
        if (ahead == 0)
        {
            skip(sequence, 0);
            return Arrival.NEXT;
        }
        return ahead > 0 ? onGap(sequence) : onEarlier(sequence);
    }

    private Arrival onGap(final long sequence)
    {
        final long missing = sequence - current.next;
        if (missing > MAX_GAP && !followsRefused(current.session, sequence))
        {
            return refuse(Arrival.IMPLAUSIBLE, implausible, current.session, sequence);
        }
        if (missing < WINDOW)
        {
            skip(sequence, missing);
            confirmed = true;
            return Arrival.AFTER_GAP;
        }
        final long session = current.session;
        final long first = current.first;
        final long before = isProvisional() ? current.missing : 0;
        leave();
        begin(session, sequence, missing);
        current.first = first;
        current.missing = before + missing;
        return Arrival.AFTER_GAP;
    }

    private Arrival onEarlier(final long sequence)
    {
        final boolean isBefore = sequence - current.first < 0;
        final boolean isFar = current.next - sequence > WINDOW;
        if (isBefore && !isFar && !confirmed && !hasPrevious)
        {
            // The first message of all was not the sender's first, and nothing before it was there.
            lost.addOpaque(current.first - sequence);
            current.first = sequence;
        }
        else if (isFar && !confirmed && !returned && !isJump() && followsRefused(current.session, sequence))
        {
            // Two in a row: the only message that was there before them was wrong.
            lost.addOpaque(-current.missing);
            begin(current.session, sequence, hasPrevious ? missingAtBegin(sequence) : 1);
            confirmed = true;
            return Arrival.AFTER_GAP;
        }
        else if (isBefore || isFar)
        {
            return refuse(Arrival.TOO_OLD, tooOld, current.session, sequence);
        }
        if (!isMissing(current, sequence))
        {
            duplicates.addOpaque(1);
            return Arrival.DUPLICATE;
        }
        mark(sequence);
        confirmed = true;
        lost.addOpaque(-1);
        late.addOpaque(1);
        return Arrival.LATE;
    }

    private Arrival onOtherSession(final long messageSession, final long sequence)
    {
        for (int i = 0; i < Math.min(oldSessionCount, OLD_SESSIONS); i++)
        {
            if (oldSessions[i] == messageSession)
            {
                return refuse(Arrival.OLD_SESSION, oldSessionMessages, messageSession, sequence);
            }
        }
        if (!started)
        {
            started = true;
            begin(messageSession, sequence, 0);
            return Arrival.NEXT;
        }
        restarts.addOpaque(1);
        if (!isProvisional() || isJump())
        {
            oldSessions[oldSessionCount++ % OLD_SESSIONS] = current.session;
        }
        lost.addOpaque(isProvisional() ? -current.missing : 0);
        leave();
        begin(messageSession, sequence, missingAtBegin(sequence));
        return Arrival.RESTART;
    }

    /** After a restart the numbers begin at 1; when this receiver has just begun, the sender may run for long. */
    private static long missingAtBegin(final long sequence)
    {
        return sequence > 1 && sequence <= MAX_GAP ? sequence - 1 : 0;
    }

    /** Whether one message made the current position, and the one before it still counts. */
    private boolean isProvisional()
    {
        return hasPrevious && !confirmed && !returned;
    }

    /** Of several wrong messages in a row each replaces the one before: the position before them is kept. */
    private void leave()
    {
        if (!isProvisional())
        {
            swap();
        }
    }

    private void swap()
    {
        final Position old = current;
        current = previous;
        previous = old;
        hasPrevious = true;
        returned = false;
        confirmed = false;
    }

    /** Make the current position one that begins with a message. */
    private void begin(final long session, final long sequence, final long missing)
    {
        Arrays.fill(current.seen, 0);
        current.session = session;
        current.begin = sequence;
        current.end = sequence - 1;
        current.first = sequence - missing;
        current.missing = missing;
        current.next = sequence;
        skip(sequence, missing < WINDOW ? missing : 0);
        if (missing >= WINDOW)
        {
            lost.addOpaque(missing);
            gaps.addOpaque(1);
        }
    }

    /** Go on with a number in front of which fewer than the window are missing. */
    private void skip(final long sequence, final long missing)
    {
        for (long i = missing; i > 0; i--)
        {
            final long lostOne = sequence - i;
            current.seen[word(lostOne)] &= ~bit(lostOne);
        }
        current.next = sequence + 1;
        mark(sequence);
        lost.addOpaque(missing);
        gaps.addOpaque(missing > 0 ? 1 : 0);
    }

    /** Whether a number in a position's window was not there. */
    private static boolean isMissing(final Position position, final long sequence)
    {
        return position.next - sequence > 0 && position.next - sequence <= WINDOW && sequence - position.first >= 0 &&
            (position.seen[word(sequence)] & bit(sequence)) == 0;
    }

    /** Whether a wide gap within the session made the current position. */
    private boolean isJump()
    {
        return hasPrevious && previous.session == current.session;
    }

    /** Whether a message continues the previous position, so that the message that ended it was wrong. */
    private boolean isOfPrevious(final long messageSession, final long sequence)
    {
        if (!hasPrevious || messageSession != previous.session)
        {
            return false;
        }
        final long ahead = sequence - previous.next;
        if (isJump())
        {
            if (returned && sequence - previous.begin >= 0 && ahead <= MAX_GAP)
            {
                return true;
            }
            if (!returned && current.next - sequence <= WINDOW)
            {
                return false;
            }
        }
        final boolean isNew = ahead >= 0 && ahead <= MAX_GAP || isMissing(previous, sequence);
        return isNew && (!confirmed && ahead <= 0 || followsRefused(messageSession, sequence));
    }

    private Arrival goBack(final long sequence)
    {
        final boolean isJump = isJump();
        final boolean wasReturned = returned;
        lost.addOpaque(wasReturned ? previous.missing : -current.missing);
        if (isJump && !wasReturned)
        {
            previous.end = current.begin;
            nextAtReturn = previous.next;
        }
        else if (isJump)
        {
            // What was there meanwhile is missing no more.
            final long filled = current.next - nextAtReturn;
            previous.missing -= filled;
            lost.addOpaque(-filled);
        }
        swap();
        returned = !wasReturned;
        if (!isJump)
        {
            oldSessions[(oldSessionCount - 1) % OLD_SESSIONS] = previous.session;
            restarts.addOpaque(1);
        }
        final Arrival arrival = onSession(sequence);
        confirmed = false;
        return !arrival.isNew() ? arrival : isJump ? Arrival.AFTER_GAP : Arrival.RESTART;
    }

    private Arrival refuse(
        final Arrival arrival, final PaddedLong counter, final long messageSession, final long sequence)
    {
        refusedInARow =
            followsRefused(messageSession, sequence) && nextWhenRefused == current.next ? refusedInARow + 1 : 1;
        if (refusedInARow > MAX_REFUSED)
        {
            return startAgain(messageSession, sequence);
        }
        nextWhenRefused = current.next;
        hasRefused = true;
        refusedSession = messageSession;
        afterRefused = sequence + 1;
        counter.addOpaque(1);
        return arrival;
    }

    private Arrival startAgain(final long messageSession, final long sequence)
    {
        refusedInARow = 0;
        restarts.addOpaque(1);
        current.session = messageSession;
        hasPrevious = false;
        begin(messageSession, sequence, 0);
        confirmed = true;
        return Arrival.RESTART;
    }

    private boolean followsRefused(final long messageSession, final long sequence)
    {
        return hasRefused && messageSession == refusedSession && sequence == afterRefused;
    }

    private void mark(final long sequence)
    {
        current.seen[word(sequence)] |= bit(sequence);
    }

    private static int word(final long sequence)
    {
        return (int)(sequence & WINDOW - 1) >>> 6;
    }

    private static long bit(final long sequence)
    {
        return 1L << (int)sequence;
    }

    /** @return session id of the last message that was new; 0 before the first. Calling thread only. */
    public long session()
    {
        return current.session;
    }

    /** @return numbers that are missing until now. Any thread. */
    public long lost()
    {
        return lost.getOpaque();
    }

    /** @return times that numbers were missing before a message; late messages do not lower it. Any thread. */
    public long gaps()
    {
        return gaps.getOpaque();
    }

    /** @return messages that came after a later one. Any thread. */
    public long late()
    {
        return late.getOpaque();
    }

    /** @return messages that were there before. Any thread. */
    public long duplicates()
    {
        return duplicates.getOpaque();
    }

    /** @return messages before the window or the first message. Any thread. */
    public long tooOld()
    {
        return tooOld.getOpaque();
    }

    /** @return changes of the session. Any thread. */
    public long restarts()
    {
        return restarts.getOpaque();
    }

    /** @return messages of sessions that had ended. Any thread. */
    public long oldSessionMessages()
    {
        return oldSessionMessages.getOpaque();
    }

    /** @return messages that were too far ahead. Any thread. */
    public long implausible()
    {
        return implausible.getOpaque();
    }
}
