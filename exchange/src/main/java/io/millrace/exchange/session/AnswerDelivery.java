package io.millrace.exchange.session;

import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.server.pipeline.EventHandler;

/**
 * Delivers the answers to the connections, each client's in the order of their sequences. The agent of order entry
 * only.
 */
final class AnswerDelivery implements EventHandler<Answer>
{
    private final OrderEntry entry;
    private final EntryCommands commands;
    private final EntryCounters counters;
    private boolean flushes = true;

    AnswerDelivery(final OrderEntry entry, final EntryCommands commands, final EntryCounters counters)
    {
        this.entry = entry;
        this.commands = commands;
        this.counters = counters;
    }

    void flushes(final boolean atEndOfBatch)
    {
        flushes = atEndOfBatch;
    }

    @Override
    public void onEvent(final Answer answer, final long sequence, final boolean endOfBatch)
    {
        final Seat seat = commands.seat(answer.client());
        final Connection connection = seat == null ? null : seat.connection;
        if (connection == null)
        {
            counters.skipped.addOpaque(1);
        }
        else if (answer.kind() == AnswerKind.LOGON)
        {
            onLogon(connection, answer);
        }
        else if (answer.kind() == AnswerKind.RESEND_END)
        {
            onResendEnd(connection, answer);
        }
        else if (connection.loggedOn)
        {
            deliver(connection, answer);
        }
        if (endOfBatch && flushes)
        {
            entry.flushAll();
        }
    }

    private void deliver(final Connection connection, final Answer answer)
    {
        final boolean isNext = !answer.isRepeated() && answer.sequence() == connection.nextAnswer;
        if (isNext || answer.isRepeated() && answer.sequence() < connection.given)
        {
            if (connection.deliver(answer) || deliverWithWrite(connection, answer))
            {
                connection.nextAnswer += isNext ? 1 : 0;
                connection.given = Math.max(connection.given, connection.nextAnswer);
                counters.delivered.addOpaque(1);
                return;
            }
            connection.behind |= isNext;
        }
        connection.behind |= answer.sequence() > connection.nextAnswer;
        counters.skipped.addOpaque(1);
    }

    /** A command may have more answers than the output holds, and than the core keeps until they are requested. */
    private boolean deliverWithWrite(final Connection connection, final Answer answer)
    {
        entry.flush(connection);
        final boolean fits = connection.isOpen() && connection.deliver(answer);
        if (!fits && answer.isRepeated())
        {
            // It would be lost, as its sequence is not requested again. The client repeats the request by its next
            // connection.
            entry.end(connection, EndReason.SLOW);
        }
        return fits;
    }

    private void onLogon(final Connection connection, final Answer answer)
    {
        if (answer.connection() != connection.stamp())
        {
            return;
        }
        if (answer.reason() != AnswerReason.NONE)
        {
            connection.session().onLogonRefused(answer);
            entry.end(connection, endReason(answer));
            return;
        }
        connection.loggedOn = true;
        connection.canContinue = true;
        connection.nextAnswer = answer.openSize();
        connection.given = connection.nextAnswer;
        connection.resendPending = answer.openSize() < answer.orderId();
        connection.received(entry.nowNs());
        connection.session().onLogon(answer);
    }

    private void onResendEnd(final Connection connection, final Answer answer)
    {
        if (answer.connection() != connection.stamp())
        {
            return;
        }
        connection.resendPending = false;
        connection.behind = connection.nextAnswer < answer.orderId();
        if (answer.reason() != AnswerReason.NONE)
        {
            entry.end(connection, endReason(answer));
        }
    }

    private EndReason endReason(final Answer answer)
    {
        return answer.reason() == AnswerReason.ANSWERS_AHEAD ? EndReason.ANSWERS_AHEAD : EndReason.ANSWERS_GONE;
    }

    @Override
    public void onClose()
    {
        entry.closeConnections();
    }
}
