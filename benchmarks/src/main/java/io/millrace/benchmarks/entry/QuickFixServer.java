package io.millrace.benchmarks.entry;

import quickfix.ApplicationAdapter;
import quickfix.CompositeLogFactory;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.FieldNotFound;
import quickfix.LogFactory;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionNotFound;
import quickfix.SessionSettings;
import quickfix.SocketAcceptor;
import quickfix.field.AvgPx;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.ExecType;
import quickfix.field.LeavesQty;
import quickfix.field.MsgType;
import quickfix.field.OrdStatus;
import quickfix.field.OrderID;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.fix44.ExecutionReport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/**
 * The acceptor of QuickFIX/J, set for speed: no log, no dictionary, messages kept in memory only. It answers an order
 * as accepted and a cancel as cancelled, without a book.
 */
final class QuickFixServer extends ApplicationAdapter implements AutoCloseable
{
    final int port;
    private final SocketAcceptor acceptor;
    /** Of the acceptor's thread. */
    private long executions;

    QuickFixServer() throws IOException
    {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = free.getLocalPort();
        }
        final String settings = String.join("\n", "[default]", "ConnectionType=acceptor", "StartTime=00:00:00",
            "EndTime=00:00:00", "NonStopSession=Y", "SocketAcceptAddress=127.0.0.1", "SocketAcceptPort=" + port,
            "SocketTcpNoDelay=Y", "UseDataDictionary=N", "CheckLatency=N", "[session]", "BeginString=FIX.4.4",
            "SenderCompID=" + FixPath.SERVER, "TargetCompID=" + FixPath.CLIENT, "");
        try
        {
            acceptor = new SocketAcceptor(this, new MemoryStoreFactory(),
                new SessionSettings(new ByteArrayInputStream(settings.getBytes(StandardCharsets.US_ASCII))),
                new CompositeLogFactory(new LogFactory[0]), new DefaultMessageFactory());
            acceptor.start();
        }
        catch (final ConfigError ex)
        {
            throw new IOException(ex);
        }
    }

    @Override
    public void fromApp(final Message message, final SessionID session) throws FieldNotFound
    {
        final boolean isOrder = message.getHeader().getString(MsgType.FIELD).equals(MsgType.ORDER_SINGLE);
        final String id = Long.toString(++executions);
        final ExecutionReport report = new ExecutionReport(new OrderID(id), new ExecID(id),
            new ExecType(isOrder ? ExecType.NEW : ExecType.CANCELED),
            new OrdStatus(isOrder ? OrdStatus.NEW : OrdStatus.CANCELED), new Side(message.getChar(Side.FIELD)),
            new LeavesQty(isOrder ? 5 : 0), new CumQty(0), new AvgPx(0));
        report.set(new ClOrdID(message.getString(ClOrdID.FIELD)));
        report.set(new Symbol(message.getString(Symbol.FIELD)));
        try
        {
            Session.sendToTarget(report, session);
        }
        catch (final SessionNotFound ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close()
    {
        acceptor.stop(true);
    }
}
