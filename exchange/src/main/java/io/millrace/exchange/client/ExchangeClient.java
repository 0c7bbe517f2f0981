package io.millrace.exchange.client;

import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.binary.SessionRecords;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerCodec;
import io.millrace.exchange.core.AnswerDescriptor;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.session.EndReason;
import io.millrace.exchange.tls.TlsChannel;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;

/**
 * A client of an exchange, in the binary protocol. It numbers the requests, keeps those that are not answered, and
 * knows the last answer that it got. So after {@link #connect} has been called again, no answer is missing or comes
 * twice, and every request without an answer is sent again; the exchange executes each at most once.
 * <p>
 * One thread. Nothing blocks except {@link #connect}. Nothing allocates after the connect, except with TLS.
 */
public final class ExchangeClient implements AutoCloseable
{
    private static final int BUFFER_LENGTH = 1 << 17;
    private static final int RECORD_LENGTH = new OrderCommandCodec().maxLengthBytes();
    private static final int MAX_UNANSWERED = 1 << 16;

    private final String name;
    private final byte[] token;
    private final boolean cancelsOnDisconnect;
    private final ByteBuffer input = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final ByteView inputView = new ByteView(input);
    private final ByteBuffer output = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final ByteView outputView = new ByteView(output);
    /** Requests that are not answered: one slot each, with its length before it. */
    private final ByteBuffer unanswered;
    private final ByteView unansweredView;
    private final int maxUnanswered;
    private final OrderCommand command = new OrderCommand();
    private final OrderCommandCodec commands = new OrderCommandCodec();
    private final AnswerCodec answers = new AnswerCodec();
    private final Answer answer = new Answer();
    private SSLContext tls;
    /** The socket, or its TLS; null when not connected. */
    private ByteChannel channel;
    private boolean loggedOn;
    /** Whether the last request of earlier programs is known: after the first logon. */
    private boolean knowsRequests;
    private long lastAnswer;
    private long lastRequest;
    private long answeredRequest;
    /** Last answer and last request that the exchange had at the logon. */
    private long lastKept;
    private long lastExecuted;
    /** Last request that was sent on this connection. */
    private long sentRequest;

    /**
     * A client that is not connected.
     *
     * @param name                of the account.
     * @param token               its secret.
     * @param cancelsOnDisconnect whether its open orders are cancelled when a connection ends.
     * @param maxUnanswered       greatest number of requests without an answer, a power of two up to 65,536.
     */
    public ExchangeClient(
        final String name, final String token, final boolean cancelsOnDisconnect, final int maxUnanswered)
    {
        if (maxUnanswered < 1 || maxUnanswered > MAX_UNANSWERED || Integer.bitCount(maxUnanswered) != 1)
        {
            throw new IllegalArgumentException("maxUnanswered " + maxUnanswered +
                " is not a power of two in 1.." + MAX_UNANSWERED);
        }
        this.name = checkLength("name", name, SessionRecords.NAME_LENGTH);
        this.token = checkLength("token", token, SessionRecords.TOKEN_LENGTH).getBytes(StandardCharsets.US_ASCII);
        this.cancelsOnDisconnect = cancelsOnDisconnect;
        this.maxUnanswered = maxUnanswered;
        unanswered = ByteBuffer.allocateDirect(maxUnanswered * (Integer.BYTES + RECORD_LENGTH));
        unansweredView = new ByteView(unanswered);
    }

    private static String checkLength(final String what, final String text, final int greatest)
    {
        if (text.length() > greatest)
        {
            throw new IllegalArgumentException("a " + what + " has at most " + greatest + " characters");
        }
        return text;
    }

    /**
     * Speaks TLS 1.3 from the next {@link #connect} on. The certificate of the exchange must be for the host name or
     * address that is given there.
     *
     * @param context knows whom to trust; null, the default, for no TLS.
     */
    public void tls(final SSLContext context)
    {
        tls = context;
    }

    /**
     * Connects and logs on; {@link #poll} reports the result. Call it again after the connection has ended, for all
     * answers after the last one that this object got.
     *
     * @param address of the exchange's binary protocol.
     * @throws IOException when there is no connection; the message has the address.
     */
    public void connect(final InetSocketAddress address) throws IOException
    {
        close();
        final SocketChannel socket;
        try
        {
            socket = SocketChannel.open(address);
        }
        catch (final IOException | UnresolvedAddressException ex)
        {
            throw new IOException("cannot connect to " + address + ": " + ex, ex);
        }
        channel = socket;
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        if (tls != null)
        {
            channel = TlsChannel.client(tls, socket, address.getHostString(), address.getPort());
        }
        input.clear();
        output.clear();
        for (int i = 0; i < SessionRecords.LOGON_LENGTH; i += Long.BYTES)
        {
            outputView.putLong(i, 0);
        }
        outputView.putByte(0, SessionRecords.LOGON);
        outputView.putByte(SessionRecords.VERSION_OFFSET, SessionRecords.VERSION);
        outputView.putByte(SessionRecords.LOGON_FLAGS_OFFSET,
            cancelsOnDisconnect ? SessionRecords.CANCEL_ON_DISCONNECT : 0);
        putText(SessionRecords.LOGON_NAME_OFFSET, name.getBytes(StandardCharsets.US_ASCII));
        putText(SessionRecords.LOGON_TOKEN_OFFSET, token);
        outputView.putLong(SessionRecords.LOGON_FIRST_OFFSET, lastAnswer + 1);
        output.position(SessionRecords.LOGON_LENGTH);
        flush();
    }

    private void putText(final int offset, final byte[] text)
    {
        for (int i = 0; i < text.length; i++)
        {
            outputView.putByte(offset + i, text[i]);
        }
    }

    /**
     * Where the answers of the next connection begin: at first with the first one that the exchange ever gave to this
     * client. Call it after {@link EndReason#ANSWERS_GONE}, too.
     *
     * @param sequence last answer that the client has, for example from an earlier program; -1 for new answers only.
     *                 A request whose answer is left out counts as answered.
     */
    public void lastAnswer(final long sequence)
    {
        lastAnswer = sequence;
    }

    /** @return sequence of the last answer. */
    public long lastAnswer()
    {
        return lastAnswer;
    }

    /** @return number of the last request. */
    public long lastRequest()
    {
        return lastRequest;
    }

    /** @return number of requests without an answer. */
    public int unanswered()
    {
        return (int)(lastRequest - answeredRequest);
    }

    /** @return whether the logon was accepted and the connection has not ended. */
    public boolean isLoggedOn()
    {
        return loggedOn;
    }

    /**
     * A command to fill and then to {@link #send()}. Its order id is any number of this client from 1 to 2^48 - 1; user
     * and time do not matter.
     *
     * @return always the same object.
     */
    public OrderCommand command()
    {
        return command;
    }

    /**
     * Sends the command, or later when the socket takes nothing now: {@link #poll} and {@link #flush} go on.
     *
     * @return number of the request; 0 when too many are unanswered, or when the client has never been logged on.
     */
    public long send()
    {
        final int slot = slot();
        if (slot < 0)
        {
            return 0;
        }
        command.correlation(lastRequest + 1);
        unansweredView.putInt(slot, commands.encode(command, unansweredView, slot + Integer.BYTES));
        return finish();
    }

    /**
     * Cancels all open orders of this client.
     *
     * @param symbol of the orders; {@link ExchangeCommand#ALL_SYMBOLS} for all.
     * @return as {@link #send()}.
     */
    public long cancelAll(final int symbol)
    {
        final int slot = slot();
        if (slot < 0)
        {
            return 0;
        }
        final int record = slot + Integer.BYTES;
        unansweredView.putInt(slot, SessionRecords.CANCEL_ALL_LENGTH);
        unansweredView.putLong(record, 0);
        unansweredView.putByte(record, SessionRecords.CANCEL_ALL);
        unansweredView.putByte(record + SessionRecords.VERSION_OFFSET, SessionRecords.VERSION);
        unansweredView.putInt(record + SessionRecords.CANCEL_ALL_SYMBOL_OFFSET, symbol);
        unansweredView.putLong(record + SessionRecords.CANCEL_ALL_REQUEST_OFFSET, lastRequest + 1);
        return finish();
    }

    /** Offset of the next request's slot; -1 when there is none. */
    private int slot()
    {
        return lastRequest - answeredRequest == maxUnanswered || !knowsRequests ? -1 :
            slot(lastRequest + 1);
    }

    private int slot(final long requestId)
    {
        return (int)(requestId & maxUnanswered - 1) * (Integer.BYTES + RECORD_LENGTH);
    }

    private long finish()
    {
        lastRequest++;
        sendWaiting();
        return lastRequest;
    }

    /** Copies requests that were not sent on this connection into the output. */
    private void sendWaiting()
    {
        while (loggedOn && sentRequest < lastRequest)
        {
            final int slot = slot(sentRequest + 1);
            final int length = unansweredView.getInt(slot);
            if (output.remaining() < length)
            {
                return;
            }
            for (int i = 0; i < length; i += Long.BYTES)
            {
                outputView.putLong(output.position() + i, unansweredView.getLong(slot + Integer.BYTES + i));
            }
            output.position(output.position() + length);
            sentRequest++;
        }
    }

    /** Sends a heartbeat; do so when nothing else was sent for a while. */
    public void heartbeat()
    {
        shortRecord(SessionRecords.HEARTBEAT);
    }

    /** Ends the session; {@link #poll} reports the end. */
    public void logOut()
    {
        shortRecord(SessionRecords.LOGOUT);
    }

    private void shortRecord(final byte type)
    {
        if (loggedOn && output.remaining() >= SessionRecords.SHORT_LENGTH)
        {
            final int offset = output.position();
            outputView.putLong(offset, 0);
            outputView.putByte(offset, type);
            outputView.putByte(offset + SessionRecords.VERSION_OFFSET, SessionRecords.VERSION);
            output.position(offset + SessionRecords.SHORT_LENGTH);
        }
    }

    /**
     * Writes what the socket takes.
     *
     * @throws IOException when the connection is broken. It has ended: {@link #connect} again.
     */
    public void flush() throws IOException
    {
        if (channel != null && (output.position() > 0 || tls != null))
        {
            output.flip();
            try
            {
                channel.write(output);
            }
            catch (final IOException ex)
            {
                close();
                throw ex;
            }
            finally
            {
                output.compact();
            }
        }
    }

    /**
     * Sends and receives what the socket takes and has. An exception of the listener is thrown on; the listener has got
     * that record, and the next call continues with the one after it.
     *
     * @param listener gets the answers.
     * @return number of records received.
     * @throws IOException when the connection is broken. It has ended: {@link #connect} again.
     */
    public int poll(final ExchangeListener listener) throws IOException
    {
        try
        {
            return sendAndReceive(listener);
        }
        catch (final IOException ex)
        {
            close();
            throw ex;
        }
    }

    private int sendAndReceive(final ExchangeListener listener) throws IOException
    {
        // The listener may close it, or connect again.
        final ByteChannel open = channel;
        if (open == null)
        {
            return 0;
        }
        sendWaiting();
        flush();
        if (open.read(input) < 0)
        {
            close();
            listener.onEnd(EndReason.CLOSED);
            return 0;
        }
        int offset = 0;
        int count = 0;
        try
        {
            while (channel == open && input.position() - offset >= length(offset))
            {
                // Before the call: a listener that throws has got the record.
                final int record = offset;
                offset += length(record);
                count++;
                receive(record, listener);
            }
        }
        finally
        {
            if (channel == open && offset > 0)
            {
                input.limit(input.position()).position(offset);
                input.compact();
            }
        }
        return count;
    }

    /** Of the record that begins there; more than there is when nothing does. */
    private int length(final int offset) throws IOException
    {
        if (input.position() == offset)
        {
            return 1;
        }
        switch (inputView.getByte(offset))
        {
            case AnswerDescriptor.TYPE:
                return AnswerDescriptor.LENGTH;
            case SessionRecords.LOGON_ACCEPTED:
                return SessionRecords.ACCEPTED_LENGTH;
            case SessionRecords.HEARTBEAT:
            case SessionRecords.SESSION_END:
                return SessionRecords.SHORT_LENGTH;
            default:
                throw new IOException("the exchange sent a record of type " + inputView.getByte(offset));
        }
    }

    private void receive(final int offset, final ExchangeListener listener) throws IOException
    {
        switch (inputView.getByte(offset))
        {
            case AnswerDescriptor.TYPE:
                onAnswer(offset, listener);
                return;
            case SessionRecords.LOGON_ACCEPTED:
                onLogon(offset, listener);
                return;
            case SessionRecords.SESSION_END:
                close();
                listener.onEnd(reason(inputView.getByte(offset + SessionRecords.END_REASON_OFFSET) & 0xFF));
                return;
            default:
                // A heartbeat.
                return;
        }
    }

    /** The connection has ended in any case: a newer exchange may have further reasons. */
    private static EndReason reason(final int number) throws IOException
    {
        final EndReason[] all = EndReason.values();
        if (number >= all.length)
        {
            throw new IOException("the exchange ended the session for reason " + number);
        }
        return all[number];
    }

    private void onAnswer(final int offset, final ExchangeListener listener) throws IOException
    {
        final DecodeResult result = answers.decode(inputView, offset, AnswerDescriptor.LENGTH, answer);
        if (result != DecodeResult.OK)
        {
            throw new IOException("the exchange sent an answer that is " + result);
        }
        if (!answer.isRepeated())
        {
            if (answer.sequence() != lastAnswer + 1)
            {
                throw new IOException("answer " + answer.sequence() + " follows " + lastAnswer);
            }
            lastAnswer++;
            skipLeftOut();
        }
        if (answer.user() == 0 && answer.requestId() > answeredRequest)
        {
            // Commands are executed in the order of their numbers.
            answeredRequest = answer.requestId();
        }
        listener.onAnswer(answer);
    }

    /** After the last answer that the exchange had at the logon, no request of that time gets another one. */
    private void skipLeftOut()
    {
        answeredRequest = lastAnswer < lastKept ? answeredRequest : Math.max(answeredRequest, lastExecuted);
    }

    private void onLogon(final int offset, final ExchangeListener listener)
    {
        final long first = inputView.getLong(offset + SessionRecords.ACCEPTED_FIRST_OFFSET);
        final long next = inputView.getLong(offset + SessionRecords.ACCEPTED_NEXT_OFFSET);
        final long has = inputView.getLong(offset + SessionRecords.ACCEPTED_REQUEST_OFFSET);
        // Requests of an earlier program are answered.
        answeredRequest = has > lastRequest ? has : answeredRequest;
        lastRequest = Math.max(lastRequest, has);
        lastAnswer = first - 1;
        lastKept = next - 1;
        lastExecuted = has;
        skipLeftOut();
        // What the exchange has is answered by the answers that follow.
        sentRequest = Math.max(has, answeredRequest);
        loggedOn = true;
        knowsRequests = true;
        listener.onLogon(first, next, has);
        sendWaiting();
    }

    /** Ends the connection. What is not answered is sent again after the next {@link #connect}. */
    @Override
    public void close()
    {
        loggedOn = false;
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        catch (final IOException ex)
        {
            // The descriptor is released in any case.
            channel = null;
        }
        channel = null;
    }
}
