package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXValue;
import com.paritytrading.philadelphia.fix44.FIX44MsgTypes;
import com.paritytrading.philadelphia.fix44.FIX44Tags;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.EndReason;
import io.millrace.exchange.session.ProtocolSession;
import io.millrace.pool.ByteView;

import java.util.Locale;

/** Session level of a FIX connection: logon, sequences of both sides, session messages. The agent of order entry. */
final class FixSession implements ProtocolSession
{
    private final FixProtocol protocol;
    private final Connection connection;
    private final FixWriter writer;
    private final FixReports reports;
    private final FixOrders orders;
    private final FixResend resend;
    private final FixInput input;
    private FIXMessage message;
    private FixState state;
    /** Of the logon, while it is checked. */
    private String clientCompId;
    private String name;
    private long logonSequence;
    private long heartbeatSeconds;
    private boolean resets;
    private boolean hasRequestedResend;
    private boolean isLoggedOut;

    FixSession(final FixProtocol protocol, final Connection connection)
    {
        this.protocol = protocol;
        this.connection = connection;
        writer = new FixWriter(protocol, connection);
        reports = new FixReports(protocol, writer);
        orders = new FixOrders(protocol, connection, this);
        resend = new FixResend(writer, reports);
        input = new FixInput(connection.inputBuffer());
    }

    @Override
    public int onBytes(final ByteView in, final int offset, final int length)
    {
        if (!writer.hasCapacity(2))
        {
            connection.repeat();
            return 0;
        }
        final int total = input.next(offset, length);
        if (total == FixInput.MALFORMED)
        {
            connection.end(EndReason.MALFORMED);
            return 0;
        }
        message = input.message();
        // A message with a wrong checksum is ignored: FIX calls it garbled.
        return total > 0 && (message == null || onMessage()) ? total : 0;
    }

    FIXMessage message()
    {
        return message;
    }

    FixWriter begin(final char type)
    {
        return writer.begin(type, state.nextMessage(0));
    }

    void send()
    {
        writer.send();
    }

    FixState state()
    {
        return state;
    }

    FixReports reports()
    {
        return reports;
    }

    /** Returns false to get the same bytes again. */
    private boolean onMessage()
    {
        final FIXValue type = message.valueOf(FIX44Tags.MsgType);
        final long sequence = FixNumbers.integer(message.valueOf(FIX44Tags.MsgSeqNum));
        // The next one has a number, too.
        if (type == null || type.length() == 0 || sequence < 1 || sequence == Long.MAX_VALUE)
        {
            return malformed();
        }
        final char letter = type.length() == 1 ? (char)type.byteAt(0) : '?';
        if (!connection.isLoggedOn())
        {
            return letter == FIX44MsgTypes.Logon && name == null ? logOn(sequence) : malformed();
        }
        final FIXValue sender = message.valueOf(FIX44Tags.SenderCompID);
        final FIXValue target = message.valueOf(FIX44Tags.TargetCompID);
        if (sender == null || target == null || !sender.contentEquals(clientCompId) ||
            !target.contentEquals(protocol.compId))
        {
            return logOut("wrong SenderCompID or TargetCompID");
        }
        final int twice = FixInput.repeatedTag(message, letter);
        if (letter == FIX44MsgTypes.SequenceReset)
        {
            return twice != 0 ? reject(twice, FixTags.REPEATED) : sequenceReset(sequence);
        }
        if (sequence > state.inNext && letter != FIX44MsgTypes.ResendRequest && letter != FIX44MsgTypes.Logout)
        {
            return requestResend();
        }
        final boolean isRejected = twice != 0 && sequence >= state.inNext ? reject(twice, FixTags.REPEATED) :
            FixInput.isYes(message, FIX44Tags.PossDupFlag) && rejectWrongTimes();
        if (sequence < state.inNext)
        {
            return isRejected || tooLow(sequence);
        }
        if (!isRejected && !handle(letter))
        {
            return false;
        }
        if (sequence == state.inNext)
        {
            state.inNext++;
            hasRequestedResend = false;
        }
        return true;
    }

    /** A duplicate is ignored; any other message would be lost. */
    private boolean tooLow(final long sequence)
    {
        return FixInput.isYes(message, FIX44Tags.PossDupFlag) ||
            logOut("MsgSeqNum too low, expecting " + state.inNext + " but received " + sequence);
    }

    private boolean malformed()
    {
        connection.end(EndReason.MALFORMED);
        return true;
    }

    private boolean handle(final char letter)
    {
        return switch (letter)
        {
            // A rejected rejection would be rejected, too, and so on for ever.
            case FIX44MsgTypes.Heartbeat, FIX44MsgTypes.Reject, FIX44MsgTypes.BusinessMessageReject -> true;
            case FIX44MsgTypes.TestRequest -> testRequest();
            case FIX44MsgTypes.ResendRequest -> resendRequest();
            case FIX44MsgTypes.Logout -> logOut(null);
            case FIX44MsgTypes.NewOrderSingle -> orders.enter();
            case FIX44MsgTypes.OrderCancelRequest -> orders.cancel();
            case FIX44MsgTypes.OrderCancelReplaceRequest -> orders.replace();
            case FIX44MsgTypes.OrderStatusRequest -> orders.status();
            case FIX44MsgTypes.OrderMassCancelRequest -> orders.massCancel();
            default -> refuse(FixTags.UNSUPPORTED);
        };
    }

    private boolean logOn(final long sequence)
    {
        final FIXValue sender = message.valueOf(FIX44Tags.SenderCompID);
        final FIXValue target = message.valueOf(FIX44Tags.TargetCompID);
        final FIXValue token = message.valueOf(FixTags.PASSWORD);
        heartbeatSeconds = FixNumbers.integer(message.valueOf(FixTags.HEART_BT_INT));
        if (sender == null || target == null || token == null || heartbeatSeconds < 0 ||
            !target.contentEquals(protocol.compId) || FixInput.repeatedTag(message, FIX44MsgTypes.Logon) != 0)
        {
            return malformed();
        }
        clientCompId = sender.asString().toString();
        logonSequence = sequence;
        resets = FixInput.isYes(message, FixTags.RESET_SEQ_NUM);
        final FIXValue user = message.valueOf(FixTags.USERNAME);
        final String client = user == null ? clientCompId : user.asString().toString();
        final byte[] secret = new byte[token.length()];
        token.copyTo(secret);
        if (!connection.logOn(client, secret, firstAnswer(client), protocol.cancelsOnDisconnect))
        {
            return false;
        }
        name = client;
        return true;
    }

    /** Sequence of the first answer that the logon asks for; 0 for the next new one; one that the core refuses. */
    private long firstAnswer(final String client)
    {
        final FixState before = protocol.state(client);
        final long wanted = FixNumbers.integer(message.valueOf(FixTags.FIRST_EXEC_ID), 0);
        return wanted < 0 ? Long.MAX_VALUE : before == null || resets && wanted > 0 ? wanted : before.nextAnswer;
    }

    @Override
    public void onLogon(final Answer logon)
    {
        state = protocol.stateOf(name);
        if (resets)
        {
            state.reset();
        }
        state.begin(logon.openSize());
        writer.target(clientCompId);
        if (logonSequence < state.inNext)
        {
            logOut("MsgSeqNum too low, expecting " + state.inNext + " but received " + logonSequence);
            return;
        }
        begin(FIX44MsgTypes.Logon).add(FixTags.ENCRYPT_METHOD, 0).add(FixTags.HEART_BT_INT, heartbeatSeconds);
        if (resets)
        {
            writer.add(FixTags.RESET_SEQ_NUM, 'Y');
        }
        writer.send();
        if (logonSequence > state.inNext)
        {
            requestResend();
        }
        else
        {
            state.inNext++;
        }
    }

    /**
     * Says which executions there are; the message is still the logon. A refused one makes no state and resets none:
     * then this is message 1.
     */
    @Override
    public void onLogonRefused(final Answer logon)
    {
        final FixState before = resets ? null : protocol.state(name);
        writer.target(clientCompId);
        writer.begin(FIX44MsgTypes.Logout, before == null ? 1 : before.nextMessage(0))
            .text(FIX44Tags.Text, FixReports.refusal(logon, message.valueOf(FixTags.FIRST_EXEC_ID))).send();
        if (before != null && logonSequence == before.inNext)
        {
            before.inNext++;
        }
    }

    private boolean requestResend()
    {
        if (!hasRequestedResend)
        {
            hasRequestedResend = true;
            begin(FIX44MsgTypes.ResendRequest).add(FIX44Tags.BeginSeqNo, state.inNext)
                .add(FixTags.END_SEQ_NO, 0).send();
        }
        return true;
    }

    /** A gap fill has a place in the sequence, as all messages; a reset has none. */
    private boolean sequenceReset(final long sequence)
    {
        final boolean isFill = FixInput.isYes(message, FixTags.GAP_FILL);
        final long next = FixNumbers.integer(message.valueOf(FixTags.NEW_SEQ_NO));
        if (isFill && sequence != state.inNext)
        {
            return sequence > state.inNext ? requestResend() : tooLow(sequence);
        }
        if (next < state.inNext || next == Long.MAX_VALUE || isFill && next == sequence)
        {
            return reject(FixTags.NEW_SEQ_NO);
        }
        state.inNext = next;
        hasRequestedResend = false;
        return true;
    }

    private boolean testRequest()
    {
        final FIXValue id = message.valueOf(FixTags.TEST_REQ_ID);
        if (id == null)
        {
            return reject(FixTags.TEST_REQ_ID, FixTags.MISSING);
        }
        begin(FIX44MsgTypes.Heartbeat).copy(FixTags.TEST_REQ_ID, id).send();
        return true;
    }

    /** BusinessMessageReject of the current message, which this session does not take. */
    boolean refuse(final int reason)
    {
        begin(FIX44MsgTypes.BusinessMessageReject)
            .add(FixTags.REF_SEQ_NUM, FixNumbers.integer(message.valueOf(FIX44Tags.MsgSeqNum)))
            .copy(FixTags.REF_TYPE, message.valueOf(FIX44Tags.MsgType)).add(FixTags.BUSINESS_REASON, reason).send();
        return true;
    }

    /** Reject of the current message. */
    boolean reject(final int tag, final int reason)
    {
        begin(FIX44MsgTypes.Reject).add(FixTags.REF_SEQ_NUM, FixNumbers.integer(message.valueOf(FIX44Tags.MsgSeqNum)))
            .add(FixTags.REF_TAG, tag).copy(FixTags.REF_TYPE, message.valueOf(FIX44Tags.MsgType))
            .add(FixTags.REJECT_REASON, reason).send();
        return true;
    }

    /** Reject of the current message because of a field that is missing or wrong. */
    boolean reject(final int tag)
    {
        return reject(tag, message.valueOf(tag) == null ? FixTags.MISSING : FixTags.WRONG);
    }

    /** Rejects a message that may have been sent before if it does not say when. Returns whether it was rejected. */
    private boolean rejectWrongTimes()
    {
        final int wrong = FixTimes.wrongTag(message);
        final int reason = message.valueOf(wrong) == null ? FixTags.MISSING :
            FixTimes.isTime(message.valueOf(wrong)) ? FixTags.SENDING_TIME : FixTags.WRONG_FORMAT;
        return wrong != 0 && reject(wrong, reason);
    }

    private boolean resendRequest()
    {
        final long first = FixNumbers.integer(message.valueOf(FIX44Tags.BeginSeqNo));
        final long last = FixNumbers.integer(message.valueOf(FixTags.END_SEQ_NO));
        if (first < 1 || last < 0 || last > 0 && last < first)
        {
            return reject(first < 1 ? FIX44Tags.BeginSeqNo : FixTags.END_SEQ_NO);
        }
        if (first >= state.outNext)
        {
            return true;
        }
        if (resend.isRunning())
        {
            // After the one that runs: it would end here without the rest of its messages.
            connection.repeat();
            return false;
        }
        final long answer = state.firstAnswer(first);
        if (answer < 0)
        {
            return logOut("messages from " + first + " on are no longer kept");
        }
        resend.begin(state, first, Math.min(last == 0 ? Long.MAX_VALUE : last, state.outNext - 1));
        if (answer == 0)
        {
            resend.end();
        }
        else
        {
            connection.resendFrom(answer);
        }
        return true;
    }

    @Override
    public boolean onAnswer(final Answer answer)
    {
        if (!writer.hasCapacity(3))
        {
            return false;
        }
        if (answer.isRepeated())
        {
            if (FixReports.hasMessage(answer) && !resend.covers(answer))
            {
                writer.begin(FixReports.type(answer), state.nextMessage(0));
                reports.possResend();
                reports.write(state, answer);
                writer.send();
            }
            return true;
        }
        if (answer.sequence() < state.nextAnswer)
        {
            resend.onAnswer(answer);
            return true;
        }
        resend.end();
        state.nextAnswer = answer.sequence() + 1;
        reports.apply(state, answer);
        if (FixReports.hasMessage(answer))
        {
            writer.begin(FixReports.type(answer), state.nextMessage(answer.sequence()));
            reports.write(state, answer);
            writer.send();
        }
        else
        {
            state.noMessage(answer.sequence());
        }
        return true;
    }

    @Override
    public void onHeartbeat()
    {
        if (writer.hasCapacity(1))
        {
            begin(FIX44MsgTypes.Heartbeat).send();
        }
    }

    @Override
    public boolean onSilence()
    {
        final boolean fits = writer.hasCapacity(1);
        if (fits)
        {
            begin(FIX44MsgTypes.TestRequest).text(FixTags.TEST_REQ_ID, "silent").send();
        }
        return fits;
    }

    /** Sends the last words and ends the connection. */
    private boolean logOut(final String text)
    {
        sendLogout(text);
        connection.end(EndReason.LOGOUT);
        return true;
    }

    private void sendLogout(final String text)
    {
        if (!isLoggedOut && state != null && writer.hasCapacity(1))
        {
            isLoggedOut = true;
            final FixWriter logout = begin(FIX44MsgTypes.Logout);
            (text == null ? logout : logout.text(FIX44Tags.Text, text)).send();
        }
    }

    @Override
    public void onEnd(final EndReason reason)
    {
        // It ends inside of the message that is not executed, for whose answer there was capacity.
        if (reason == EndReason.DISK_LOW)
        {
            refuse(FixTags.NOT_AVAILABLE);
        }
        if (connection.isLoggedOn() && reason != EndReason.CLOSED)
        {
            sendLogout(reason.name().toLowerCase(Locale.ROOT));
        }
    }
}
