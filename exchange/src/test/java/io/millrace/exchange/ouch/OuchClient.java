package io.millrace.exchange.ouch;

import com.paritytrading.nassau.soupbintcp.SoupBinTCP;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClient;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClientStatusListener;
import io.millrace.exchange.ExchangeRig;
import io.millrace.gateway.Symbols;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Nassau's client of SoupBinTCP with OUCH messages; writes the answers down. */
public final class OuchClient implements SoupBinTCPClientStatusListener, AutoCloseable
{
    final List<String> lines = new ArrayList<>();
    final List<String> bytes = new ArrayList<>();
    long nextSequence;
    String session;
    char rejected;
    boolean ended;
    boolean closed;
    private final SoupBinTCPClient client;
    private final ByteBuffer message = ByteBuffer.allocate(64);

    public OuchClient(final int port, final String user, final String token, final long sequence) throws IOException
    {
        final SocketChannel channel =
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
        client = new SoupBinTCPClient(channel, 128, this::onMessage, this);
        final SoupBinTCP.LoginRequest request = new SoupBinTCP.LoginRequest();
        request.setUsername(user);
        request.setPassword(token);
        request.setRequestedSession("");
        request.setRequestedSequenceNumber(sequence);
        client.login(request);
        ExchangeRig.await(() -> poll() && (session != null || rejected != 0));
    }

    /** Always true. */
    boolean poll()
    {
        try
        {
            closed |= !closed && client.receive() < 0;
        }
        catch (final IOException ex)
        {
            closed = true;
        }
        return true;
    }

    public List<String> lines(final int count)
    {
        ExchangeRig.await(() -> poll() && lines.size() >= count);
        return lines;
    }

    void send(final ByteBuffer payload) throws IOException
    {
        client.send(payload);
    }

    public void enter(final long ref, final char side, final long quantity, final String stock, final long price,
        final char timeInForce) throws IOException
    {
        message.clear().put((byte)'O').putInt((int)ref).put((byte)side).putInt((int)quantity)
            .putLong(Symbols.of(stock)).putLong(price).put((byte)timeInForce).put("YONN              ".getBytes())
            .putShort((short)0);
        send(message.flip());
    }

    void replace(final long old, final long ref, final long quantity, final long price) throws IOException
    {
        message.clear().put((byte)'U').putInt((int)old).putInt((int)ref).putInt((int)quantity).putLong(price)
            .put("0YN              ".getBytes()).putShort((short)0);
        send(message.flip());
    }

    void cancel(final long ref, final long quantity) throws IOException
    {
        send(message.clear().put((byte)'X').putInt((int)ref).putInt((int)quantity).flip());
    }

    void modify(final long ref, final char side, final long quantity) throws IOException
    {
        send(message.clear().put((byte)'M').putInt((int)ref).put((byte)side).putInt((int)quantity).flip());
    }

    public void massCancel(final long ref, final String stock) throws IOException
    {
        message.clear().put((byte)'C').putInt((int)ref).put("    ".getBytes())
            .putLong(stock.isEmpty() ? Symbols.NONE : Symbols.of(stock));
        send(message.flip());
    }

    private void onMessage(final ByteBuffer m)
    {
        final byte[] all = new byte[m.remaining()];
        m.duplicate().get(all);
        bytes.add(HexFormat.of().formatHex(all));
        final char type = (char)m.get();
        m.getLong();
        lines.add(type + switch (type)
        {
            case 'A' -> " " + m.getInt() + " " + (char)m.get() + " " + m.getInt() + " " + Symbols.text(m.getLong()) +
                " @" + m.getLong();
            case 'U' -> " " + m.getInt() + ">" + m.getInt() + " " + (char)m.get() + " " + m.getInt() + " " +
                Symbols.text(m.getLong()) + " @" + m.getLong();
            case 'C' -> " " + m.getInt() + " " + m.getInt() + " " + (char)m.get();
            case 'E' -> " " + m.getInt() + " " + m.getInt() + " @" + m.getLong() + " " + (char)m.get() + " " +
                m.getLong();
            case 'J' -> " " + m.getInt() + " " + m.getShort();
            case 'I' -> " " + m.getInt();
            case 'M' -> " " + m.getInt() + " " + (char)m.get() + " " + m.getInt();
            case 'X' -> " " + m.getInt() + " " + Symbols.text(m.getLong(m.position() + 4));
            default -> " " + (char)m.get();
        });
    }

    @Override
    public void heartbeatTimeout(final SoupBinTCPClient to)
    {
        throw new AssertionError("no heartbeat");
    }

    @Override
    public void loginAccepted(final SoupBinTCPClient to, final SoupBinTCP.LoginAccepted payload)
    {
        session = payload.getSession().strip();
        nextSequence = payload.getSequenceNumber();
    }

    @Override
    public void loginRejected(final SoupBinTCPClient to, final SoupBinTCP.LoginRejected payload)
    {
        rejected = (char)payload.getRejectReasonCode();
    }

    @Override
    public void endOfSession(final SoupBinTCPClient to)
    {
        ended = true;
    }

    @Override
    public void close() throws IOException
    {
        client.close();
    }
}
