package io.millrace.server.lines;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.codec.DecodeResult;

/** Publishes the lines of buffers as events, and counts each line once. For the polling thread of one source. */
final class Lines<E extends BasePoolAware>
{
    private final LineFormat<E> format;
    private final ClaimedEvent<E> claimed = new ClaimedEvent<>();
    private final PaddedLong lines = new PaddedLong(0);
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong malformed = new PaddedLong(0);
    private final PaddedLong malformedUtf8 = new PaddedLong(0);
    private final PaddedLong tooLong = new PaddedLong(0);
    private final PaddedLong empty = new PaddedLong(0);
    private final PaddedLong incomplete = new PaddedLong(0);
    private long offered;
    private boolean drained;

    Lines(final LineFormat<E> format)
    {
        this.format = format;
    }

    LineBuffer newBuffer()
    {
        return new LineBuffer(format.maxLineBytes());
    }

    /**
     * Publishes lines of the buffer. Without capacity a line stays in the buffer.
     *
     * @return number of lines taken; see {@link #isDrained}.
     */
    int poll(final LineBuffer buffer, final EventPublication<E> out, final int limit)
    {
        int taken = 0;
        drained = false;
        while (taken < limit && publish(out))
        {
            final int length = buffer.next();
            if (length == LineBuffer.NONE)
            {
                drained = true;
                return taken;
            }
            if (!take(buffer, length, out))
            {
                return taken;
            }
            taken++;
        }
        publish(out);
        return taken;
    }

    /** Whether the last poll found no further complete line, and has offered all: only then may the buffer be read. */
    boolean isDrained()
    {
        return drained;
    }

    /** Offers the event that waits; true if none waits any more: every line that was taken has been offered. */
    boolean publish(final EventPublication<E> out)
    {
        return claimed.publish(out);
    }

    /** False if there is no event for the line: it is in the buffer again. */
    private boolean take(final LineBuffer buffer, final int length, final EventPublication<E> out)
    {
        if (length == LineBuffer.TOO_LONG)
        {
            lines.addOpaque(1);
            tooLong.addOpaque(1);
            return true;
        }
        final int offset = buffer.lineOffset();
        final int text = buffer.textLength(length);
        if (text == 0)
        {
            lines.addOpaque(1);
            empty.addOpaque(1);
            return true;
        }
        final boolean isUtf8 = Utf8.isValid(buffer.view(), offset, text);
        if (isUtf8 || format.acceptsMalformedUtf8())
        {
            final E event = claimed.claim(out);
            if (event == null)
            {
                buffer.unread(length);
                return false;
            }
            if (format.codec().decode(buffer.view(), offset, text, event) == DecodeResult.OK)
            {
                claimed.filled();
                offered++;
                published.addOpaque(1);
            }
            else
            {
                malformed.addOpaque(1);
            }
        }
        if (!isUtf8)
        {
            malformedUtf8.addOpaque(1);
        }
        lines.addOpaque(1);
        return true;
    }

    /** Forgets what the buffer has, as at the end of its stream; at a close these may be lines. */
    void end(final LineBuffer buffer)
    {
        incomplete.addOpaque(buffer.takeRest());
        if (buffer.clear())
        {
            incomplete.addOpaque(1);
        }
    }

    /** Events filled since the last {@link #start}. */
    long offered()
    {
        return offered;
    }

    void start()
    {
        offered = 0;
    }

    /** Releases the event that waits; returns whether a line was lost with it. */
    boolean release()
    {
        final boolean lost = claimed.release();
        if (lost)
        {
            lines.addOpaque(-1);
            published.addOpaque(-1);
            incomplete.addOpaque(1);
        }
        return lost;
    }

    void addCounters(final Counters counters, final String name)
    {
        counters.tagged()
            .counter(name + ".lines", "lines", "complete lines, and lines that were too long", lines::getOpaque)
            .counter(name + ".published", "lines", "lines offered to the flow as events", published::getOpaque)
            .counter(name + ".malformed", "lines", "lines that the codec refused", malformed::getOpaque)
            .counter(name + ".malformedUtf8", "lines", "lines that are not UTF-8", malformedUtf8::getOpaque)
            .counter(name + ".tooLong", "lines", "lines longer than maxLineBytes, skipped", tooLong::getOpaque)
            .counter(name + ".empty", "lines", "empty lines, skipped", empty::getOpaque)
            .counter(name + ".incomplete", "lines", "lines that were lost without their end: the stream ended, or " +
                "the server closed before the flow took the line", incomplete::getOpaque);
    }
}
