package io.millrace.exchange.session;

import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.binary.SessionRecords;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerCodec;
import io.millrace.exchange.core.AnswerDescriptor;
import io.millrace.pool.ByteView;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A blocking client that may send any bytes. */
public final class RawClient implements AutoCloseable
{
    /** The exchange answers nothing while the disk of the host takes a force: 15 seconds were seen. */
    private static final int TIMEOUT_MS = 100_000;

    public final Socket socket;
    private final DataInputStream in;
    private final OrderCommand command = new OrderCommand();

    public RawClient(final int port)
    {
        this(connected(port));
    }

    /** @param socket connected, for example one with TLS. */
    public RawClient(final Socket socket)
    {
        this.socket = socket;
        try
        {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static Socket connected(final int port)
    {
        try
        {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public static byte[] logon(final String name, final String token, final long first, final int flags)
    {
        final byte[] bytes = new byte[SessionRecords.LOGON_LENGTH];
        final ByteView view = new ByteView(bytes);
        view.putByte(0, SessionRecords.LOGON);
        view.putByte(1, SessionRecords.VERSION);
        view.putByte(SessionRecords.LOGON_FLAGS_OFFSET, (byte)flags);
        final byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(nameBytes, 0, bytes, SessionRecords.LOGON_NAME_OFFSET, nameBytes.length);
        final byte[] tokenBytes = token.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(tokenBytes, 0, bytes, SessionRecords.LOGON_TOKEN_OFFSET, tokenBytes.length);
        view.putLong(SessionRecords.LOGON_FIRST_OFFSET, first);
        view.putInt(SessionRecords.LOGON_SYMBOL_OFFSET, ExchangeRig.SYMBOL);
        return bytes;
    }

    public void send(final byte[] bytes)
    {
        try
        {
            socket.getOutputStream().write(bytes);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public void logOn(final String name, final String token, final long first, final int flags)
    {
        send(logon(name, token, first, flags));
    }

    public static byte[] place(
        final OrderCommand into, final long request, final long order, final byte side, final long price,
        final long size)
    {
        into.limit(ExchangeRig.SYMBOL, order, 0, side, price, size).correlation(request);
        final byte[] bytes = new byte[new OrderCommandCodec().maxLengthBytes()];
        final int length = new OrderCommandCodec().encode(into, new ByteView(bytes), 0);
        return Arrays.copyOf(bytes, length);
    }

    public void place(final long request, final long order, final byte side, final long price, final long size)
    {
        send(place(command, request, order, side, price, size));
    }

    /** The next record, without heartbeats; null at the end of the stream. */
    public byte[] read()
    {
        try
        {
            while (true)
            {
                final int type = in.read();
                if (type < 0)
                {
                    return null;
                }
                final int length = type == AnswerDescriptor.TYPE ? AnswerDescriptor.LENGTH :
                    type == SessionRecords.LOGON_ACCEPTED ? SessionRecords.ACCEPTED_LENGTH :
                    type == 3 ? 48 : SessionRecords.SHORT_LENGTH;
                final byte[] record = new byte[length];
                record[0] = (byte)type;
                in.readFully(record, 1, length - 1);
                if (type != SessionRecords.HEARTBEAT)
                {
                    return record;
                }
            }
        }
        catch (final SocketException ex)
        {
            // Reset.
            return null;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public byte[] readUntilLogon()
    {
        byte[] record = read();
        while (record != null && record[0] != SessionRecords.LOGON_ACCEPTED)
        {
            record = read();
        }
        return record;
    }

    public List<String> answers(final int count)
    {
        final List<String> lines = new ArrayList<>();
        final Answer answer = new Answer();
        while (lines.size() < count)
        {
            final byte[] record = read();
            if (record == null)
            {
                throw new AssertionError("the stream ended after " + lines);
            }
            if (record[0] == AnswerDescriptor.TYPE)
            {
                new AnswerCodec().decode(new ByteView(record), 0, record.length, answer);
                lines.add(ExchangeRig.text(answer));
            }
        }
        return lines;
    }

    /** Reads to the end of the stream. */
    public EndReason end()
    {
        EndReason reason = EndReason.CLOSED;
        for (byte[] record = read(); record != null; record = read())
        {
            reason = record[0] == SessionRecords.SESSION_END ?
                EndReason.values()[record[SessionRecords.END_REASON_OFFSET]] : reason;
        }
        return reason;
    }

    @Override
    public void close()
    {
        try
        {
            socket.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
