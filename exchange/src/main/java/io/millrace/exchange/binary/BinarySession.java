package io.millrace.exchange.binary;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.codec.CancelOrderDescriptor;
import io.millrace.engine.codec.CommandDescriptor;
import io.millrace.engine.codec.ExecutionReportDescriptor;
import io.millrace.engine.codec.NewOrderDescriptor;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.codec.OrderEntryCodec;
import io.millrace.engine.codec.RecordType;
import io.millrace.engine.codec.SymbolDescriptor;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerCodec;
import io.millrace.exchange.core.AnswerDescriptor;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.EndReason;
import io.millrace.exchange.session.ProtocolSession;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;

import java.nio.charset.StandardCharsets;

/** Coder of one connection of the binary protocol. */
final class BinarySession implements ProtocolSession
{
    private static final byte FLAGS = SessionRecords.CANCEL_ON_DISCONNECT | SessionRecords.SHORT_REPORTS;
    private static final int WRONG = -1;

    private final Connection connection;
    private final OrderCommandCodec commands = new OrderCommandCodec();
    private final AnswerCodec answers = new AnswerCodec();
    /** Of the short form, which needs symbol and user; null before the logon. */
    private OrderEntryCodec shortCommands;
    private int shortSymbol;
    private boolean isShort;
    private int reports;

    BinarySession(final Connection connection)
    {
        this.connection = connection;
    }

    @Override
    public int onBytes(final ByteView in, final int offset, final int length)
    {
        final int needed = recordLength(in.getByte(offset));
        if (needed == WRONG || connection.isLoggedOn() == (in.getByte(offset) == SessionRecords.LOGON))
        {
            return malformed();
        }
        if (length < needed)
        {
            return 0;
        }
        switch (in.getByte(offset))
        {
            case SessionRecords.LOGON:
                return onLogonRecord(in, offset);
            case SessionRecords.LOGOUT:
            case SessionRecords.HEARTBEAT:
                return onShortRecord(in, offset);
            case SessionRecords.CANCEL_ALL:
                return onCancelAll(in, offset);
            default:
                return onCommand(in, offset, needed) ? needed : 0;
        }
    }

    private static int recordLength(final byte type)
    {
        switch (type)
        {
            case RecordType.NEW_ORDER:
                return NewOrderDescriptor.LENGTH;
            case RecordType.CANCEL_ORDER:
                return CancelOrderDescriptor.LENGTH;
            case RecordType.COMMAND:
                return CommandDescriptor.LENGTH;
            case RecordType.SYMBOL:
                return SymbolDescriptor.LENGTH;
            case RecordType.REQUEST:
                return CommandDescriptor.REQUEST_LENGTH;
            case RecordType.SYMBOL_REQUEST:
                return SymbolDescriptor.REQUEST_LENGTH;
            case SessionRecords.LOGON:
                return SessionRecords.LOGON_LENGTH;
            case SessionRecords.LOGOUT:
            case SessionRecords.HEARTBEAT:
                return SessionRecords.SHORT_LENGTH;
            case SessionRecords.CANCEL_ALL:
                return SessionRecords.CANCEL_ALL_LENGTH;
            default:
                return WRONG;
        }
    }

    private int malformed()
    {
        connection.end(EndReason.MALFORMED);
        return 0;
    }

    /** Whether the version is right, and bytes that must be zero are. */
    private static boolean isEmpty(final ByteView in, final int offset, final int from, final int to)
    {
        int sum = in.getByte(offset + SessionRecords.VERSION_OFFSET) ^ SessionRecords.VERSION;
        for (int i = from; i < to; i++)
        {
            sum |= in.getByte(offset + i);
        }
        return sum == 0;
    }

    private int onShortRecord(final ByteView in, final int offset)
    {
        if (!isEmpty(in, offset, 2, SessionRecords.SHORT_LENGTH))
        {
            return malformed();
        }
        if (in.getByte(offset) == SessionRecords.LOGOUT)
        {
            connection.end(EndReason.LOGOUT);
        }
        return SessionRecords.SHORT_LENGTH;
    }

    private int onLogonRecord(final ByteView in, final int offset)
    {
        final byte flags = in.getByte(offset + SessionRecords.LOGON_FLAGS_OFFSET);
        if ((flags & ~FLAGS) != 0 ||
            !isEmpty(in, offset, SessionRecords.LOGON_FLAGS_OFFSET + 1, SessionRecords.LOGON_NAME_OFFSET) ||
            !isEmpty(in, offset, SessionRecords.LOGON_SYMBOL_OFFSET + Integer.BYTES, SessionRecords.LOGON_LENGTH))
        {
            return malformed();
        }
        isShort = (flags & SessionRecords.SHORT_REPORTS) != 0;
        shortSymbol = in.getInt(offset + SessionRecords.LOGON_SYMBOL_OFFSET);
        final String name = new String(
            text(in, offset + SessionRecords.LOGON_NAME_OFFSET, SessionRecords.NAME_LENGTH),
            StandardCharsets.US_ASCII);
        return connection.logOn(name, text(in, offset + SessionRecords.LOGON_TOKEN_OFFSET, SessionRecords.TOKEN_LENGTH),
            in.getLong(offset + SessionRecords.LOGON_FIRST_OFFSET),
            (flags & SessionRecords.CANCEL_ON_DISCONNECT) != 0) ? SessionRecords.LOGON_LENGTH : 0;
    }

    /** A text without its padding. */
    private static byte[] text(final ByteView in, final int offset, final int length)
    {
        int end = length;
        while (end > 0 && in.getByte(offset + end - 1) == 0)
        {
            end--;
        }
        final byte[] bytes = new byte[end];
        for (int i = 0; i < end; i++)
        {
            bytes[i] = in.getByte(offset + i);
        }
        return bytes;
    }

    private int onCancelAll(final ByteView in, final int offset)
    {
        final long requestId = in.getLong(offset + SessionRecords.CANCEL_ALL_REQUEST_OFFSET);
        if (!isEmpty(in, offset, 2, SessionRecords.CANCEL_ALL_SYMBOL_OFFSET) || !Connection.isRequestId(requestId))
        {
            return malformed();
        }
        return connection.cancelAll(in.getInt(offset + SessionRecords.CANCEL_ALL_SYMBOL_OFFSET), requestId) ?
            SessionRecords.CANCEL_ALL_LENGTH : 0;
    }

    /** Returns false when there is no capacity now. */
    private boolean onCommand(final ByteView in, final int offset, final int length)
    {
        final byte type = in.getByte(offset);
        final boolean isShortForm = type == RecordType.NEW_ORDER || type == RecordType.CANCEL_ORDER;
        final DecodeResult result = isShortForm ? shortCommands.decode(in, offset, length, connection.command()) :
            commands.decode(in, offset, length, connection.command());
        if (result == DecodeResult.OK)
        {
            return connection.submit(connection.command().correlation());
        }
        if (result == DecodeResult.WRONG_VERSION)
        {
            connection.end(EndReason.MALFORMED);
            return true;
        }
        return refuse(in, offset, type, isShortForm && result == DecodeResult.WRONG_VALUE ?
            AnswerReason.WRONG_USER : AnswerReason.WRONG_VALUE);
    }

    /** Refuses a command that the decoder has refused, as far as its fields are known. */
    private boolean refuse(final ByteView in, final int offset, final byte type, final byte reason)
    {
        final boolean isShortForm = type == RecordType.NEW_ORDER || type == RecordType.CANCEL_ORDER;
        final boolean isFull = type == RecordType.COMMAND || type == RecordType.REQUEST;
        final long requestId = type == RecordType.REQUEST ?
            in.getLong(offset + CommandDescriptor.CORRELATION_OFFSET) : type == RecordType.SYMBOL_REQUEST ?
            in.getLong(offset + SymbolDescriptor.CORRELATION_OFFSET) : 0;
        connection.command().set(CommandType.NOP, OrderType.GTC, Side.BID,
            isShortForm ? shortSymbol : in.getInt(offset + CommandDescriptor.SYMBOL_OFFSET),
            isShortForm ? in.getLong(offset + NewOrderDescriptor.ORDER_ID_OFFSET) :
            isFull ? in.getLong(offset + CommandDescriptor.ORDER_ID_OFFSET) : 0, 0, 0, 0, 0, 0);
        return connection.refuse(requestId, reason);
    }

    @Override
    public void onLogon(final Answer logon)
    {
        shortCommands = new OrderEntryCodec(shortSymbol, connection.account().number());
        final int offset = isShort ? -1 : connection.reserve(SessionRecords.ACCEPTED_LENGTH);
        if (offset >= 0)
        {
            final ByteView out = connection.output();
            head(out, offset, SessionRecords.LOGON_ACCEPTED);
            out.putLong(offset + SessionRecords.ACCEPTED_FIRST_OFFSET, logon.openSize());
            out.putLong(offset + SessionRecords.ACCEPTED_NEXT_OFFSET, logon.orderId());
            out.putLong(offset + SessionRecords.ACCEPTED_OLDEST_OFFSET, logon.price());
            out.putLong(offset + SessionRecords.ACCEPTED_REQUEST_OFFSET, logon.requestId());
            out.putLong(offset + SessionRecords.ACCEPTED_WINDOW_OFFSET, logon.size());
            out.putInt(offset + SessionRecords.ACCEPTED_CLIENT_OFFSET, logon.client());
            out.putInt(offset + SessionRecords.ACCEPTED_CLIENT_OFFSET + Integer.BYTES, 0);
            connection.commit(SessionRecords.ACCEPTED_LENGTH);
        }
    }

    private static void head(final ByteView out, final int offset, final byte type)
    {
        out.putLong(offset, 0);
        out.putByte(offset, type);
        out.putByte(offset + SessionRecords.VERSION_OFFSET, SessionRecords.VERSION);
    }

    @Override
    public boolean onAnswer(final Answer answer)
    {
        if (isShort)
        {
            return onShortAnswer(answer);
        }
        final int offset = connection.reserve(AnswerDescriptor.LENGTH);
        if (offset < 0)
        {
            return false;
        }
        answers.encode(answer, connection.output(), offset);
        connection.commit(AnswerDescriptor.LENGTH);
        return true;
    }

    /** A client of the short form expects reports of trades only. */
    private boolean onShortAnswer(final Answer answer)
    {
        if (answer.kind() != AnswerKind.EXECUTED || answer.isRepeated())
        {
            return true;
        }
        final int offset = connection.reserve(ExecutionReportDescriptor.LENGTH);
        if (offset < 0)
        {
            return false;
        }
        final ByteView out = connection.output();
        out.putInt(offset, RecordType.EXECUTION_REPORT);
        out.putInt(offset + ExecutionReportDescriptor.SEQUENCE_OFFSET, ++reports);
        out.putLong(offset + ExecutionReportDescriptor.TAKER_OFFSET,
            answer.isMaker() ? answer.contra() : answer.orderId());
        out.putLong(offset + ExecutionReportDescriptor.MAKER_OFFSET,
            answer.isMaker() ? answer.orderId() : answer.contra());
        out.putLong(offset + ExecutionReportDescriptor.PRICE_OFFSET, answer.price());
        out.putLong(offset + ExecutionReportDescriptor.QUANTITY_OFFSET, answer.size());
        out.putLong(offset + ExecutionReportDescriptor.INGEST_TIME_NS_OFFSET, answer.timeNs());
        connection.commit(ExecutionReportDescriptor.LENGTH);
        return true;
    }

    @Override
    public void onHeartbeat()
    {
        record(SessionRecords.HEARTBEAT, (byte)0);
    }

    @Override
    public void onEnd(final EndReason reason)
    {
        record(SessionRecords.SESSION_END, (byte)reason.ordinal());
    }

    private void record(final byte type, final byte value)
    {
        final int offset = isShort ? -1 : connection.reserve(SessionRecords.SHORT_LENGTH);
        if (offset >= 0)
        {
            head(connection.output(), offset, type);
            connection.output().putByte(offset + SessionRecords.END_REASON_OFFSET, value);
            connection.commit(SessionRecords.SHORT_LENGTH);
        }
    }
}
