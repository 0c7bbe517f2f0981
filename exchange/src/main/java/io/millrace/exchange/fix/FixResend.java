package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.fix44.FIX44MsgTypes;
import io.millrace.exchange.core.Answer;

/**
 * The resend that a client has requested, one at a time: executions are sent again from the exchange's kept answers,
 * and only messages of the session are filled as gaps. The agent of order entry.
 */
final class FixResend
{
    private final FixWriter writer;
    private final FixReports reports;
    private FixState state;
    /** First message that the resend has not covered; 0 if none runs. */
    private long next;
    private long last;

    FixResend(final FixWriter writer, final FixReports reports)
    {
        this.writer = writer;
        this.reports = reports;
    }

    boolean isRunning()
    {
        return next != 0;
    }

    /** Begins with a message that was sent before, as the last one was: what is sent meanwhile must not be filled. */
    void begin(final FixState of, final long first, final long newLast)
    {
        state = of;
        next = first;
        last = newLast;
    }

    /** Whether an answer is still to be sent again. */
    boolean covers(final Answer answer)
    {
        final long sequence = isRunning() ? state.messageOf(answer.sequence()) : 0;
        return sequence != 0 && sequence >= next && sequence <= last;
    }

    /** An answer that was given before. It is ignored if no resend runs, or its message was not requested. */
    void onAnswer(final Answer answer)
    {
        if (!isRunning())
        {
            return;
        }
        final long sequence = state.messageOf(answer.sequence());
        if (sequence >= next && sequence <= last)
        {
            fillGap(sequence);
            writer.begin(FixReports.type(answer), sequence).possDup(answer.timeNs() / 1_000_000);
            reports.write(state, answer);
            writer.send();
            next = sequence + 1;
        }
        if (answer.sequence() + 1 == state.nextAnswer || sequence >= last)
        {
            end();
        }
    }

    /** No more answers are needed: the rest is a gap. Does nothing if no resend runs. */
    void end()
    {
        if (isRunning())
        {
            fillGap(last + 1);
            next = 0;
        }
    }

    private void fillGap(final long to)
    {
        if (to > next)
        {
            // When the messages were sent is not known.
            writer.begin(FIX44MsgTypes.SequenceReset, next).possDup(Long.MAX_VALUE)
                .add(FixTags.GAP_FILL, 'Y').add(FixTags.NEW_SEQ_NO, to).send();
            next = to;
        }
    }
}
