package io.millrace.exchange.fix;

import io.millrace.exchange.ExchangeRig;
import quickfix.ApplicationAdapter;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.FieldNotFound;
import quickfix.MemoryStore;
import quickfix.Message;
import quickfix.SLF4JLogFactory;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;
import quickfix.StringField;
import quickfix.field.ClOrdID;
import quickfix.field.MassCancelRequestType;
import quickfix.field.MsgType;
import quickfix.field.OrdType;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Password;
import quickfix.field.Price;
import quickfix.field.ResetSeqNumFlag;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.TimeInForce;
import quickfix.field.TransactTime;
import quickfix.fix44.NewOrderSingle;
import quickfix.fix44.OrderCancelReplaceRequest;
import quickfix.fix44.OrderCancelRequest;
import quickfix.fix44.OrderMassCancelRequest;
import quickfix.fix44.OrderStatusRequest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * QuickFIX/J as a client, with its own sequences and its own dictionary; writes the answers down. It looks once a
 * second whether to connect again, so a reconnect takes a new initiator with the same sequences.
 */
public final class FixClient extends ApplicationAdapter implements AutoCloseable
{
    /** QuickFIX/J looks once a second whether to log on or out; the tests would wait for that most of their time. */
    private static final long PERIOD_MS = 10;

    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<String> admin = new CopyOnWriteArrayList<>();
    final SessionID id;
    private final SessionSettings settings;
    private final MemoryStore store = new MemoryStore();
    private final String token;
    private SocketInitiator initiator;
    private volatile boolean resets;

    public FixClient(final int port, final String name, final String token) throws ConfigError, IOException
    {
        this(port, name, token, "");
    }

    /** @param more lines of settings. */
    public FixClient(final int port, final String name, final String token, final String more)
        throws ConfigError, IOException
    {
        this.token = token;
        id = new SessionID("FIX.4.4", name, "MILL");
        final String text = String.join("\n", "[default]", "ConnectionType=initiator", "StartTime=00:00:00",
            "EndTime=00:00:00", "NonStopSession=Y", "HeartBtInt=5", "ReconnectInterval=1",
            "SocketConnectHost=127.0.0.1", "SocketConnectPort=" + port, "UseDataDictionary=Y",
            "DataDictionary=FIX44.xml", "ValidateUserDefinedFields=N", more, "[session]", "BeginString=FIX.4.4",
            "SenderCompID=" + name, "TargetCompID=MILL", "");
        settings = new SessionSettings(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
        initiator = newInitiator();
    }

    private SocketInitiator newInitiator() throws ConfigError
    {
        return new SocketInitiator(
            this, session -> store, settings, new SLF4JLogFactory(settings), new DefaultMessageFactory())
        {
            private ScheduledFuture<?> timer;

            @Override
            protected void startSessionTimer()
            {
                timer = getScheduledExecutorService().scheduleAtFixedRate(
                    () -> tick(this), 0, PERIOD_MS, TimeUnit.MILLISECONDS);
            }

            @Override
            protected void stopSessionTimer()
            {
                if (timer != null)
                {
                    timer.cancel(false);
                }
            }
        };
    }

    private static void tick(final SocketInitiator from)
    {
        for (final Session session : from.getManagedSessions())
        {
            try
            {
                session.next();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    public void start() throws ConfigError
    {
        initiator.start();
        ExchangeRig.await(() -> Session.lookupSession(id).isLoggedOn());
    }

    void reconnect(final boolean reset) throws ConfigError
    {
        resets = reset;
        initiator.stop(true);
        initiator = newInitiator();
        start();
    }

    void logout()
    {
        Session.lookupSession(id).logout();
        ExchangeRig.await(() -> !Session.lookupSession(id).isLoggedOn());
    }

    Session session()
    {
        return Session.lookupSession(id);
    }

    public List<String> lines(final int count)
    {
        ExchangeRig.await(() -> lines.size() >= count);
        return lines;
    }

    void send(final Message message)
    {
        Session.lookupSession(id).send(message);
    }

    public void enter(final long clOrdId, final char side, final String symbol, final long quantity, final double price)
    {
        enter(String.valueOf(clOrdId), side, symbol, quantity, price, TimeInForce.DAY);
    }

    void enter(final String clOrdId, final char side, final String symbol, final long quantity, final double price,
        final char time)
    {
        final NewOrderSingle order = order(clOrdId, side, symbol, quantity, OrdType.LIMIT);
        order.set(new Price(price));
        order.set(new TimeInForce(time));
        send(order);
    }

    void market(final long clOrdId, final char side, final String symbol, final long quantity, final char time)
    {
        final NewOrderSingle order = order(String.valueOf(clOrdId), side, symbol, quantity, OrdType.MARKET);
        order.set(new TimeInForce(time));
        send(order);
    }

    private static NewOrderSingle order(final String clOrdId, final char side, final String symbol,
        final long quantity, final char type)
    {
        final NewOrderSingle order = new NewOrderSingle(
            new ClOrdID(clOrdId), new Side(side), new TransactTime(), new OrdType(type));
        order.set(new Symbol(symbol));
        order.set(new OrderQty(quantity));
        return order;
    }

    void replace(final long old, final long clOrdId, final char side, final String symbol, final long quantity,
        final double price)
    {
        final OrderCancelReplaceRequest order = new OrderCancelReplaceRequest(
            new OrigClOrdID(String.valueOf(old)), new ClOrdID(String.valueOf(clOrdId)), new Side(side),
            new TransactTime(), new OrdType(OrdType.LIMIT));
        order.set(new Symbol(symbol));
        order.set(new OrderQty(quantity));
        order.set(new Price(price));
        send(order);
    }

    void cancel(final long old, final long clOrdId, final char side, final String symbol)
    {
        final OrderCancelRequest order = new OrderCancelRequest(new OrigClOrdID(String.valueOf(old)),
            new ClOrdID(String.valueOf(clOrdId)), new Side(side), new TransactTime());
        order.set(new Symbol(symbol));
        send(order);
    }

    void status(final long clOrdId, final char side, final String symbol)
    {
        final OrderStatusRequest order =
            new OrderStatusRequest(new ClOrdID(String.valueOf(clOrdId)), new Side(side));
        order.set(new Symbol(symbol));
        send(order);
    }

    void massCancel(final long clOrdId)
    {
        send(massCancelRequest(clOrdId));
    }

    void massCancel(final long clOrdId, final char side)
    {
        final OrderMassCancelRequest request = massCancelRequest(clOrdId);
        request.set(new Side(side));
        send(request);
    }

    private static OrderMassCancelRequest massCancelRequest(final long clOrdId)
    {
        return new OrderMassCancelRequest(new ClOrdID(String.valueOf(clOrdId)),
            new MassCancelRequestType(MassCancelRequestType.CANCEL_ALL_ORDERS), new TransactTime());
    }

    @Override
    public void toAdmin(final Message message, final SessionID session)
    {
        try
        {
            if (message.getHeader().getString(MsgType.FIELD).equals(MsgType.LOGON))
            {
                message.setField(new Password(token));
                if (resets)
                {
                    message.setField(new ResetSeqNumFlag(true));
                }
            }
        }
        catch (final FieldNotFound ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Override
    public void fromAdmin(final Message message, final SessionID session)
    {
        admin.add(text(message, 35, 43, 371, 373, 58));
    }

    @Override
    public void fromApp(final Message message, final SessionID session)
    {
        lines.add(text(message, 35, 43, 150, 39, 11, 41, 32, 31, 14, 151, 6, 434, 533, 380, 58));
    }

    /** The type and the fields that are there: for example "8 150=0 39=0". */
    private static String text(final Message message, final int... tags)
    {
        final StringBuilder text = new StringBuilder();
        for (final int tag : tags)
        {
            final boolean isHeader = tag == 35 || tag == 43;
            final StringField field = new StringField(tag);
            if (isHeader ? message.getHeader().isSetField(tag) : message.isSetField(tag))
            {
                try
                {
                    (isHeader ? message.getHeader() : message).getField(field);
                }
                catch (final FieldNotFound ex)
                {
                    throw new AssertionError(ex);
                }
                text.append(text.length() == 0 ? "" : " ").append(tag == 35 ? "" : tag + "=").append(field.getValue());
            }
        }
        return text.toString();
    }

    @Override
    public void close()
    {
        initiator.stop(true);
    }
}
