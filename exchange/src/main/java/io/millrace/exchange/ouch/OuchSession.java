package io.millrace.exchange.ouch;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.Side;
import io.millrace.exchange.Listing;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.OrderFlags;
import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.EndReason;
import io.millrace.exchange.session.ProtocolSession;
import io.millrace.exchange.soup.SoupDescriptor;
import io.millrace.exchange.soup.SoupEncoder;
import io.millrace.exchange.soup.SoupPacket;
import io.millrace.gateway.Symbols;
import io.millrace.pool.ByteView;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Coder of an OUCH connection. Each numbered answer is one message of sequenced data, so the SoupBinTCP sequence is
 * that of the answers. A repeated answer is not sent: OUCH ignores a UserRefNum that was used, and the client has the
 * answer, or gets it by its sequence. The agent of order entry.
 */
final class OuchSession implements ProtocolSession
{
    /**
     * System event: an answer without an OUCH message, such as the trigger of a stop or one with an id of more than 32
     * bits. It keeps its sequence.
     */
    private static final byte NO_MESSAGE = 'N';

    private final OuchProtocol protocol;
    private final Connection connection;
    private final SoupPacket packet = new SoupPacket(OuchDescriptor.MAX_REQUEST_LENGTH);
    private final OuchRequest request = new OuchRequest();
    private final OuchEncoder encoder = new OuchEncoder();
    private boolean hasAskedToLogOn;

    OuchSession(final OuchProtocol protocol, final Connection connection)
    {
        this.protocol = protocol;
        this.connection = connection;
    }

    @Override
    public int onBytes(final ByteView in, final int offset, final int length)
    {
        final int used = packet.wrap(connection.inputBuffer(), offset, offset + length);
        if (used == SoupPacket.INCOMPLETE)
        {
            return 0;
        }
        if (used == SoupPacket.MALFORMED)
        {
            return malformed();
        }
        switch (packet.type())
        {
            case SoupDescriptor.LOGIN_REQUEST:
                return logIn(offset) ? used : 0;
            case SoupDescriptor.UNSEQUENCED_DATA:
                return !connection.isLoggedOn() ||
                    !request.wrap(connection.inputBuffer(), packet.payloadOffset(), packet.payloadLength()) ?
                    malformed() : request() ? used : 0;
            case SoupDescriptor.CLIENT_HEARTBEAT:
            case SoupDescriptor.DEBUG:
                return used;
            case SoupDescriptor.LOGOUT_REQUEST:
                connection.end(EndReason.LOGOUT);
                return used;
            default:
                return malformed();
        }
    }

    private int malformed()
    {
        connection.end(EndReason.MALFORMED);
        return 0;
    }

    private boolean logIn(final int offset)
    {
        if (!packet.isLoginRequest() || hasAskedToLogOn)
        {
            return malformed() == 0;
        }
        final long sequence = packet.sequence(SoupDescriptor.REQUESTED_SEQUENCE_OFFSET);
        final String session =
            text(offset + SoupDescriptor.REQUESTED_SESSION_OFFSET, SoupDescriptor.SESSION_LENGTH).strip();
        if (sequence == SoupPacket.NO_NUMBER || !session.isEmpty() &&
            !packet.equal(SoupDescriptor.REQUESTED_SESSION_OFFSET, protocol.session) &&
            !session.equals(new String(protocol.session, StandardCharsets.US_ASCII).strip()))
        {
            connection.end(EndReason.ANSWERS_GONE);
            return true;
        }
        final String user = text(offset + SoupDescriptor.USER_OFFSET, SoupDescriptor.USER_LENGTH).stripTrailing();
        final String token = text(offset + SoupDescriptor.TOKEN_OFFSET, SoupDescriptor.TOKEN_LENGTH).stripTrailing();
        hasAskedToLogOn = connection.logOn(
            user, token.getBytes(StandardCharsets.ISO_8859_1), sequence, protocol.cancelsOnDisconnect);
        return hasAskedToLogOn;
    }

    private String text(final int at, final int length)
    {
        final byte[] bytes = new byte[length];
        connection.inputBuffer().get(at, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private boolean request()
    {
        return switch (request.type())
        {
            case OuchDescriptor.ENTER -> enter();
            case OuchDescriptor.REPLACE -> replace();
            case OuchDescriptor.CANCEL -> cancel();
            case OuchDescriptor.MODIFY -> modify();
            default -> massCancel();
        };
    }

    private boolean enter()
    {
        final Listing listing = protocol.ofStock(request.symbol());
        final boolean isImmediate = request.timeInForce() == OuchDescriptor.IMMEDIATE;
        final boolean isBid = request.side() == OuchDescriptor.BUY;
        final byte side = isBid ? Side.BID : Side.ASK;
        final ExchangeCommand command = connection.command();
        final int symbol = listing == null ? ExchangeCommand.ALL_SYMBOLS : listing.spec().symbol();
        final long ref = request.ref();
        final long price = request.price() / protocol.priceUnits;
        final long lots = request.quantity() / protocol.sharesPerLot;
        if (isImmediate)
        {
            command.immediate(symbol, ref, 0, side, price, lots);
        }
        else
        {
            command.limit(symbol, ref, 0, side, price, lots);
        }
        if (listing == null)
        {
            return connection.refuse(ref, CommandResult.UNKNOWN_SYMBOL.code());
        }
        final boolean isSound = ref != 0 && (isBid || request.side() == OuchDescriptor.SELL) &&
            (isImmediate || request.timeInForce() == OuchDescriptor.DAY) &&
            request.crossType() == OuchDescriptor.CONTINUOUS && isPlain();
        return isSound ? connection.submit(ref) : connection.refuse(ref, AnswerReason.WRONG_VALUE);
    }

    /** Whether the fields that enter and replace have in common have values that the exchange knows. */
    private boolean isPlain()
    {
        return request.display() == OuchDescriptor.VISIBLE && request.sweep() == OuchDescriptor.NO_SWEEP &&
            request.appendageLength() == 0 && request.price() >= 0 && request.price() % protocol.priceUnits == 0 &&
            isWhole(request.quantity());
    }

    private boolean isWhole(final long quantity)
    {
        return quantity % protocol.sharesPerLot == 0;
    }

    private boolean replace()
    {
        change(CommandType.REPLACE, Side.BID, request.price() / protocol.priceUnits);
        final long newRef = request.newRef();
        final boolean isSound = request.ref() != 0 && newRef != 0 && isPlain() &&
            request.timeInForce() == OuchDescriptor.DAY;
        return isSound ? connection.submit(newRef, (byte)0, newRef) :
            connection.refuse(newRef, AnswerReason.WRONG_VALUE);
    }

    private void change(final byte type, final byte side, final long price)
    {
        connection.command().set(type, (byte)0, side, ExchangeCommand.ALL_SYMBOLS, request.ref(), 0, price,
            request.quantity() / protocol.sharesPerLot, 0, 0);
    }

    private boolean cancel()
    {
        final boolean isWhole = request.quantity() == 0;
        change(isWhole ? CommandType.CANCEL : CommandType.REDUCE, Side.BID, 0);
        return isSoundChange() ? connection.submit(0, isWhole ? 0 : OrderFlags.TO_SIZE, 0) :
            connection.refuse(0, AnswerReason.WRONG_VALUE);
    }

    private boolean modify()
    {
        final boolean isBid = request.side() == OuchDescriptor.BUY;
        change(CommandType.REPLACE, isBid ? Side.BID : Side.ASK, 0);
        return isSoundChange() && (isBid || request.side() == OuchDescriptor.SELL) && request.quantity() > 0 ?
            connection.submit(0, (byte)(OrderFlags.TO_SIZE | OrderFlags.OF_SIDE), 0) :
            connection.refuse(0, AnswerReason.WRONG_VALUE);
    }

    private boolean isSoundChange()
    {
        return request.ref() != 0 && request.appendageLength() == 0 && isWhole(request.quantity());
    }

    private boolean massCancel()
    {
        final long stock = request.symbol();
        final Listing listing = protocol.ofStock(stock);
        final long ref = request.ref();
        if (ref == 0 || request.appendageLength() != 0 || listing == null && stock != Symbols.NONE)
        {
            connection.command().set(stock == Symbols.NONE ? CommandType.MASS_CANCEL_USER : CommandType.MASS_CANCEL,
                (byte)0, Side.BID, 0, ref, 0, 0, 0, 0, 0);
            return connection.refuse(ref,
                listing == null && stock != Symbols.NONE ? CommandResult.UNKNOWN_SYMBOL.code() :
                AnswerReason.WRONG_VALUE);
        }
        return connection.cancelAll(listing == null ? ExchangeCommand.ALL_SYMBOLS : listing.spec().symbol(), ref);
    }

    @Override
    public void onLogon(final Answer logon)
    {
        final int at = connection.reserve(SoupDescriptor.LOGIN_ACCEPTED_LENGTH);
        if (at >= 0)
        {
            connection.commit(SoupEncoder.loginAccepted(
                connection.outputBuffer(), at, protocol.session, logon.openSize()));
        }
    }

    @Override
    public boolean onAnswer(final Answer answer)
    {
        if (answer.isRepeated())
        {
            return true;
        }
        final int at = connection.reserve(SoupDescriptor.HEADER_LENGTH + OuchDescriptor.MAX_ANSWER_LENGTH);
        if (at < 0)
        {
            return false;
        }
        final ByteBuffer out = connection.outputBuffer();
        encoder.wrap(out, at + SoupDescriptor.HEADER_LENGTH, answer.timeNs());
        connection.commit(SoupEncoder.header(out, at, SoupDescriptor.SEQUENCED_DATA, encode(answer)));
        return true;
    }

    /** Whether the fields of an answer fit those of OUCH; by another protocol, the client may have greater ones. */
    private boolean fits(final Answer answer)
    {
        final long maxLots = Listing.MAX_FIELD / protocol.sharesPerLot;
        return switch (answer.kind())
        {
            case AnswerKind.REJECTED -> isRef(answer.requestId() == 0 ? answer.orderId() : answer.requestId());
            case AnswerKind.DONE -> isRef(answer.requestId());
            default -> isRef(answer.orderId()) && (answer.kind() != AnswerKind.REPLACED || isRef(answer.contra())) &&
                answer.size() <= maxLots && answer.openSize() <= maxLots &&
                answer.price() <= Long.MAX_VALUE / protocol.priceUnits;
        };
    }

    private static boolean isRef(final long id)
    {
        return id >= 0 && id <= Listing.MAX_FIELD;
    }

    private int encode(final Answer answer)
    {
        if (!fits(answer))
        {
            return encoder.systemEvent(NO_MESSAGE);
        }
        final Listing listing = protocol.ofSymbol(answer.symbol());
        final long stock = listing == null ? Symbols.NONE : Symbols.of(listing.stock());
        final long ref = answer.orderId();
        final byte side = answer.side() == Side.BID ? OuchDescriptor.BUY : OuchDescriptor.SELL;
        final long price = answer.price() * protocol.priceUnits;
        final long shares = answer.size() * protocol.sharesPerLot;
        final long open = answer.openSize() * protocol.sharesPerLot;
        return switch (answer.kind())
        {
            case AnswerKind.ACCEPTED -> encoder.accepted(ref, side, shares, stock, price, answer.reference());
            case AnswerKind.REPLACED -> answer.requestId() == 0 ? encoder.modified(ref, side, open) :
                encoder.replaced(answer.contra(), ref, side, open, stock, price, answer.reference());
            case AnswerKind.EXECUTED -> encoder.executed(ref, shares, price,
                answer.isMaker() ? OuchDescriptor.ADDED : OuchDescriptor.REMOVED, answer.tradeId());
            case AnswerKind.CANCELLED -> encoder.canceled(ref, shares, reason(answer.reason()));
            case AnswerKind.REJECTED -> rejected(answer, (byte)answer.contra());
            case AnswerKind.DONE -> !ExchangeCommand.isMassCancel((byte)answer.contra()) ?
                encoder.systemEvent(NO_MESSAGE) : encoder.massCanceled(answer.requestId(),
                answer.contra() == CommandType.MASS_CANCEL_USER ? Symbols.NONE : stock);
            default -> encoder.systemEvent(NO_MESSAGE);
        };
    }

    private int rejected(final Answer answer, final byte commandType)
    {
        final long request = answer.requestId() == 0 ? answer.orderId() : answer.requestId();
        // A cancel or modify has no number of its own; an enter or mass cancel has, even if it is 0.
        final boolean isChange = answer.requestId() == 0 && commandType != CommandType.PLACE &&
            !ExchangeCommand.isMassCancel(commandType);
        return !hasRejection(commandType) ? encoder.systemEvent(NO_MESSAGE) :
            isChange ? encoder.cancelReject(request) : encoder.rejected(request, answer.reason() & 0xFF);
    }

    /** Status requests and reports are of another protocol. */
    private static boolean hasRejection(final byte commandType)
    {
        return ExchangeCommand.isMassCancel(commandType) ||
            ExchangeCommand.isOfOrder(commandType) && commandType != CommandType.ORDER_STATUS;
    }

    private static byte reason(final byte reason)
    {
        return switch (reason)
        {
            case AnswerReason.REQUESTED, AnswerReason.REDUCED, AnswerReason.MASS_CANCEL -> OuchDescriptor.BY_USER;
            case AnswerReason.EXPIRED -> OuchDescriptor.BY_TIMEOUT;
            case AnswerReason.SELF_TRADE -> OuchDescriptor.BY_SELF_MATCH;
            case AnswerReason.NO_LIQUIDITY -> OuchDescriptor.BY_TIME_IN_FORCE;
            default -> OuchDescriptor.BY_SYSTEM;
        };
    }

    @Override
    public void onHeartbeat()
    {
        write(SoupDescriptor.SERVER_HEARTBEAT);
    }

    private void write(final byte type)
    {
        final int at = connection.reserve(SoupDescriptor.HEADER_LENGTH);
        if (at >= 0)
        {
            connection.commit(SoupEncoder.empty(connection.outputBuffer(), at, type));
        }
    }

    @Override
    public void onEnd(final EndReason reason)
    {
        if (connection.isLoggedOn())
        {
            if (reason == EndReason.SHUTDOWN)
            {
                write(SoupDescriptor.END_OF_SESSION);
            }
            return;
        }
        final int at = connection.reserve(SoupDescriptor.LOGIN_REJECTED_LENGTH);
        final boolean isSession = reason == EndReason.ANSWERS_GONE || reason == EndReason.ANSWERS_AHEAD;
        if (at >= 0 && (isSession || reason == EndReason.WRONG_TOKEN))
        {
            connection.commit(SoupEncoder.loginRejected(connection.outputBuffer(), at,
                isSession ? SoupDescriptor.SESSION_NOT_AVAILABLE : SoupDescriptor.NOT_AUTHORIZED));
        }
    }
}
