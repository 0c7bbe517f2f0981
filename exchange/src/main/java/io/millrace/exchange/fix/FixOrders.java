package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXValue;
import com.paritytrading.philadelphia.fix44.FIX44MsgTypes;
import com.paritytrading.philadelphia.fix44.FIX44Tags;
import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.exchange.Listing;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.OrderFlags;
import io.millrace.exchange.core.OrderIds;
import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.Role;

/**
 * Order messages of a FIX connection: D, F, G, H and q become commands. A ClOrdID is a number; it is also the id of the
 * request. Each method returns false to get the same bytes again. The agent of order entry.
 */
final class FixOrders
{
    private static final char MARKET = '1';
    private static final char LIMIT = '2';
    private static final char DAY = '0';
    private static final char UNTIL_CANCELLED = '1';
    private static final char IMMEDIATE = '3';
    private static final char FILL_OR_KILL = '4';
    private static final char ALL_ORDERS = '7';
    private static final char OF_SYMBOL = '1';

    private final FixProtocol protocol;
    private final Connection connection;
    private final FixSession session;
    private long id;
    private long original;
    private Listing listing;
    private byte side;
    private long lots;
    private long price;

    FixOrders(final FixProtocol protocol, final Connection connection, final FixSession session)
    {
        this.protocol = protocol;
        this.connection = connection;
        this.session = session;
    }

    private static long orderId(final FIXValue value)
    {
        final long number = FixNumbers.integer(value);
        // A message has the number, so a zero before it would make another text.
        return number >= 1 && number <= OrderIds.MAX_ID && value.byteAt(0) != '0' ? number : FixNumbers.NONE;
    }

    /** Reads ClOrdID, Symbol and Side. Returns the tag of the first wrong field; 0 if all are sound. */
    private int readOrder(final FIXMessage message)
    {
        id = orderId(message.valueOf(FIX44Tags.ClOrdID));
        listing = listing(message.valueOf(FIX44Tags.Symbol));
        final FIXValue letter = message.valueOf(FIX44Tags.Side);
        final boolean isBuy = letter != null && letter.contentEquals(FixReports.BUY);
        side = isBuy ? Side.BID : Side.ASK;
        return id == FixNumbers.NONE ? FIX44Tags.ClOrdID : listing == null ? FIX44Tags.Symbol :
            !isBuy && (letter == null || !letter.contentEquals(FixReports.SELL)) ? FIX44Tags.Side : 0;
    }

    private Listing listing(final FIXValue symbol)
    {
        for (final Listing each : protocol.listings())
        {
            if (symbol != null && symbol.contentEquals(each.stock()))
            {
                return each;
            }
        }
        return null;
    }

    /** Reads OrderQty. */
    private int readQuantity(final FIXMessage message)
    {
        final long shares = FixNumbers.whole(message.valueOf(FIX44Tags.OrderQty));
        lots = shares / listing.sharesPerLot();
        return shares < 1 || shares % listing.sharesPerLot() != 0 ? FIX44Tags.OrderQty : 0;
    }

    /** Reads Price. */
    private int readPrice(final FIXMessage message)
    {
        final long units = FixNumbers.units(message.valueOf(FIX44Tags.Price));
        price = units / listing.priceUnits();
        return units == FixNumbers.NONE || units % listing.priceUnits() != 0 ? FIX44Tags.Price : 0;
    }

    /** Reads OrigClOrdID. */
    private int readOriginal(final FIXMessage message)
    {
        original = orderId(message.valueOf(FIX44Tags.OrigClOrdID));
        return original == FixNumbers.NONE ? FIX44Tags.OrigClOrdID : 0;
    }

    /** The value of an optional field of one character. */
    private static char letter(final FIXValue value, final char missing)
    {
        return value == null ? missing : value.length() == 1 ? (char)value.byteAt(0) : '?';
    }

    boolean enter()
    {
        final FIXMessage message = session.message();
        final char type = letter(message.valueOf(FIX44Tags.OrdType), '?');
        final char time = letter(message.valueOf(FIX44Tags.TimeInForce), DAY);
        int wrong = readOrder(message);
        wrong = wrong != 0 ? wrong : readQuantity(message);
        wrong = wrong != 0 || type == MARKET ? wrong : type == LIMIT ? readPrice(message) : FIX44Tags.OrdType;
        wrong = wrong != 0 || isTime(time, type) ? wrong : FIX44Tags.TimeInForce;
        if (wrong != 0)
        {
            return session.reject(wrong);
        }
        final ExchangeCommand command = connection.command();
        final int symbol = listing.spec().symbol();
        if (type == MARKET)
        {
            command.market(symbol, id, 0, side, lots);
        }
        else if (time == IMMEDIATE)
        {
            command.immediate(symbol, id, 0, side, price, lots);
        }
        else if (time == FILL_OR_KILL)
        {
            command.fillOrKill(symbol, id, 0, side, price, lots);
        }
        else
        {
            command.limit(symbol, id, 0, side, price, lots);
        }
        return connection.submit(id);
    }

    /** Whether orders of a type may have a time in force. A market order is never filled completely or not at all. */
    private static boolean isTime(final char time, final char type)
    {
        return time == DAY || time == UNTIL_CANCELLED || time == IMMEDIATE || time == FILL_OR_KILL && type == LIMIT;
    }

    boolean cancel()
    {
        final FIXMessage message = session.message();
        int wrong = readOrder(message);
        wrong = wrong != 0 ? wrong : readOriginal(message);
        if (wrong != 0)
        {
            return session.reject(wrong);
        }
        return change(CommandType.CANCEL, 0, 0, 0);
    }

    private boolean change(final byte type, final long newPrice, final long newLots, final long newId)
    {
        connection.command().set(
            type, OrderType.GTC, side, listing.spec().symbol(), original, 0, newPrice, newLots, 0, 0);
        return connection.submit(id, OrderFlags.OF_SIDE, newId);
    }

    boolean replace()
    {
        final FIXMessage message = session.message();
        int wrong = readOrder(message);
        wrong = wrong != 0 ? wrong : readOriginal(message);
        wrong = wrong != 0 ? wrong : readQuantity(message);
        wrong = wrong != 0 ? wrong : letter(message.valueOf(FIX44Tags.OrdType), '?') != LIMIT ? FIX44Tags.OrdType :
            readPrice(message);
        if (wrong != 0)
        {
            return session.reject(wrong);
        }
        return change(CommandType.REPLACE, price, lots, id);
    }

    boolean status()
    {
        if (connection.account().role() == Role.DROP_COPY)
        {
            // Its orders are those of many users, each with ids of its own.
            return session.refuse(FixTags.UNSUPPORTED);
        }
        final int wrong = readOrder(session.message());
        if (wrong != 0)
        {
            return session.reject(wrong);
        }
        session.begin(FIX44MsgTypes.ExecutionReport);
        session.reports().status(session.state(), id, listing.spec().symbol(), side);
        session.send();
        return true;
    }

    boolean massCancel()
    {
        final FIXMessage message = session.message();
        final char type = letter(message.valueOf(FIX44Tags.MassCancelRequestType), '?');
        id = orderId(message.valueOf(FIX44Tags.ClOrdID));
        listing = listing(message.valueOf(FIX44Tags.Symbol));
        final int wrong = id == FixNumbers.NONE ? FIX44Tags.ClOrdID :
            type == OF_SYMBOL && listing == null ? FIX44Tags.Symbol :
            type != OF_SYMBOL && type != ALL_ORDERS ? FIX44Tags.MassCancelRequestType :
            // Ignored, it would cancel more than was asked for.
            message.valueOf(FIX44Tags.Side) != null ? FIX44Tags.Side : 0;
        if (wrong != 0)
        {
            return session.reject(wrong);
        }
        return connection.cancelAll(
            type == ALL_ORDERS ? ExchangeCommand.ALL_SYMBOLS : listing.spec().symbol(), id);
    }
}
