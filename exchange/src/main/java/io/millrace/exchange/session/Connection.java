package io.millrace.exchange.session;

import io.millrace.engine.book.CommandResult;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.tls.TlsChannel;
import io.millrace.pool.ByteView;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * One connection, as its {@link ProtocolSession} sees it: input, output, and what a client can ask for. Reused for
 * later connections. The agent of order entry only.
 */
public final class Connection
{
    /**
     * Greatest number of a request. A greater one, such as the greatest {@code long} by mistake, would leave the client
     * no number for its next requests, so it is refused.
     */
    public static final long MAX_REQUEST_ID = (1L << 62) - 1;

    private final OrderEntry entry;
    private final ByteBuffer input;
    private final ByteView inputView;
    private final ByteBuffer output;
    private final ByteView outputView;
    private ProtocolSession session;
    private SocketChannel channel;
    /** Null without TLS. */
    private TlsChannel tls;
    /** Where the bytes go: the socket, or its TLS. */
    private ByteChannel bytes;
    private SelectionKey key;
    private int stamp;
    /** Where the handled bytes of the input end. */
    private int handled;
    private boolean blocked;
    private boolean peerEnded;
    /** The next message waits for the next duty cycle, even if no more bytes come. */
    private boolean repeats;

    /** Set by {@link OrderEntry}. */
    Seat seat;
    boolean loggedOn;
    boolean canContinue;
    /** Sequence of the answer that the client gets next. */
    long nextAnswer;
    /** Sequence after the answers that the client has got; higher than the next one while some are given again. */
    long given;
    boolean behind;
    boolean resendPending;
    boolean isEnding;
    long openedNs;
    /** When the last message came; later if the client was asked late. */
    long receivedNs;
    /** Whether the client was asked for a sign of life since then. */
    boolean isAsked;
    long sentNs;
    long progressNs;

    Connection(final OrderEntry entry, final int inputBytes, final int outputBytes)
    {
        this.entry = entry;
        input = ByteBuffer.allocateDirect(inputBytes);
        inputView = new ByteView(input);
        output = ByteBuffer.allocateDirect(outputBytes);
        outputView = new ByteView(output);
    }

    /**
     * Whether a number may be that of a request.
     *
     * @param requestId number of the request, 0 for none.
     * @return true for 0 to {@link #MAX_REQUEST_ID}.
     */
    public static boolean isRequestId(final long requestId)
    {
        return requestId >= 0 && requestId <= MAX_REQUEST_ID;
    }

    void open(
        final SocketChannel newChannel,
        final TlsChannel newTls,
        final SelectionKey newKey,
        final Protocol protocol,
        final int newStamp,
        final long nowNs)
    {
        tls = newTls;
        bytes = newTls == null ? newChannel : newTls;
        key = newKey;
        stamp = newStamp;
        input.clear();
        output.clear();
        handled = 0;
        blocked = false;
        peerEnded = false;
        repeats = false;
        seat = null;
        loggedOn = false;
        canContinue = false;
        behind = false;
        resendPending = false;
        isEnding = false;
        openedNs = nowNs;
        received(nowNs);
        sentNs = nowNs;
        progressNs = nowNs;
        session = protocol.connect(this);
        // Last: if memory was missing before, the connection is not open.
        channel = newChannel;
    }

    /**
     * Proves who the client is, and asks where its answers go on. {@link ProtocolSession#onLogon} or {@link
     * ProtocolSession#onEnd} follows; further bytes wait until then. Allocates. Another connection of the same client
     * ends. Call it once.
     *
     * @param name                of the client.
     * @param token               its secret.
     * @param firstAnswer         sequence of the first wanted answer; 0 for the next new one.
     * @param cancelsOnDisconnect whether the client's open orders are cancelled when this connection ends.
     * @return false when there is no capacity now: call it again with the same bytes.
     */
    public boolean logOn(
        final String name, final byte[] token, final long firstAnswer, final boolean cancelsOnDisconnect)
    {
        return entry.commands().logOn(this, name, token, firstAnswer, cancelsOnDisconnect);
    }

    /** @return whether a logon was accepted. */
    public boolean isLoggedOn()
    {
        return loggedOn;
    }

    /** @return the client; null before the logon. */
    public ClientAccount account()
    {
        return seat == null ? null : seat.account;
    }

    /**
     * A command to fill before {@link #submit} or {@link #refuse}. Always the same object. Its order id is the
     * client's own; {@link #submit} sets user (0 means the session's), time and envelope.
     *
     * @return the command, with the fields of its last use.
     */
    public ExchangeCommand command()
    {
        return entry.commands().command();
    }

    /**
     * Gives the command to the exchange. A command that the session may not give is journaled as a refusal. Each
     * command is answered, unless the disk of the journal is nearly full: then the connection ends as
     * {@link EndReason#DISK_LOW}, except for a CANCEL of a symbol. A command of one order names its symbol; {@link
     * ExchangeCommand#ALL_SYMBOLS} is refused.
     *
     * @param requestId number of the request, at most {@link #MAX_REQUEST_ID}, above those of all earlier ones; 0 for
     *                  none. A request with an earlier number is not executed, but gets its first answers again.
     * @return false when there is no capacity now, or the client's rate is used up: call it again with the same bytes.
     * True also when the connection has ended.
     * @throws IllegalStateException when the session is not logged on.
     */
    public boolean submit(final long requestId)
    {
        if (command().symbol() == ExchangeCommand.ALL_SYMBOLS && ExchangeCommand.isOfOrder(command().commandType()))
        {
            // The exchange would look for the order in all symbols.
            return refuse(requestId, CommandResult.UNKNOWN_SYMBOL.code());
        }
        return submit(requestId, (byte)0, 0);
    }

    /**
     * Gives a command that changes an order to the exchange. Its symbol may be {@link ExchangeCommand#ALL_SYMBOLS}:
     * then the exchange finds the order.
     *
     * @param requestId  see {@link #submit(long)}.
     * @param flags      see {@link io.millrace.exchange.core.OrderFlags}.
     * @param newOrderId id that the order has after a REPLACE, 1 to 2^48 - 1; 0 for the same as before. Its earlier ids
     *                   are then unknown.
     * @return see {@link #submit(long)}.
     * @throws IllegalStateException when the session is not logged on.
     */
    public boolean submit(final long requestId, final byte flags, final long newOrderId)
    {
        repeats |= ExchangeCommand.isOfManyOrders(command().commandType());
        return entry.commands().submit(this, requestId, flags, newOrderId);
    }

    /**
     * Answers the command with REJECTED, unless the disk of the journal is nearly full: then the connection ends as
     * {@link EndReason#DISK_LOW}. Order id and symbol of {@link #command()} are repeated.
     *
     * @param requestId number of the request, 0 for none; the answer has 0 for one that is out of range.
     * @param reason    see {@link io.millrace.exchange.core.AnswerReason}.
     * @return as {@link #submit}.
     */
    public boolean refuse(final long requestId, final byte reason)
    {
        return entry.commands().refuse(this, requestId, reason);
    }

    /**
     * Cancels the client's open orders. DONE is the last answer. A drop copy's request is refused.
     *
     * @param symbol    of the orders; {@link ExchangeCommand#ALL_SYMBOLS} for all.
     * @param requestId as in {@link #submit}; WRONG_VALUE is the answer if it is out of range.
     * @return as {@link #submit}.
     */
    public boolean cancelAll(final int symbol, final long requestId)
    {
        repeats = true;
        return entry.commands().cancelAll(this, symbol, requestId);
    }

    /**
     * Gives answers again: the next {@link ProtocolSession#onAnswer} has this sequence, and all later ones follow. If
     * it is no longer kept, the connection ends as {@link EndReason#ANSWERS_GONE}.
     *
     * @param first sequence of an answer that was given to this client.
     */
    public void resendFrom(final long first)
    {
        nextAnswer = Math.min(nextAnswer, first);
        behind = true;
    }

    /**
     * Ends the connection after {@link ProtocolSession#onEnd}. No further bytes are handled.
     *
     * @param reason why.
     */
    public void end(final EndReason reason)
    {
        entry.end(this, reason);
    }

    /**
     * Reserves bytes at the end of the output.
     *
     * @param length number of bytes.
     * @return offset in {@link #output()}; -1 when they do not fit now.
     */
    public int reserve(final int length)
    {
        return output.remaining() >= length ? output.position() : -1;
    }

    /**
     * Sends the reserved bytes.
     *
     * @param length number of bytes that were written at the reserved offset.
     */
    public void commit(final int length)
    {
        output.position(output.position() + length);
    }

    /**
     * The next message cannot be handled now, for example because the output is full. Return 0 from {@link
     * ProtocolSession#onBytes} then: it gets the same bytes again, even if no more come.
     */
    public void repeat()
    {
        repeats = true;
    }

    /** @return the bytes to send; write from the offset that {@link #reserve} returned. */
    public ByteView output()
    {
        return outputView;
    }

    /** @return the bytes behind {@link #output()}, for absolute access; do not change its position. */
    public ByteBuffer outputBuffer()
    {
        return output;
    }

    /** @return the bytes behind the view of {@link ProtocolSession#onBytes}, for absolute access. */
    public ByteBuffer inputBuffer()
    {
        return input;
    }

    /** @return stamp of this connection, which a later one does not have for a long time. */
    int stamp()
    {
        return stamp;
    }

    boolean isOpen()
    {
        return channel != null;
    }

    /** A message has come, or waits in the input. */
    void received(final long nowNs)
    {
        receivedNs = nowNs;
        isAsked = false;
    }

    ProtocolSession session()
    {
        return session;
    }

    SelectionKey key()
    {
        return key;
    }

    boolean hasOutput()
    {
        return output.position() > 0 || tls != null && tls.isPending();
    }

    boolean isBlocked()
    {
        return blocked;
    }

    void unblock()
    {
        blocked = false;
    }

    /** Whether there is space again for a good part of the answers that are waiting. */
    boolean isHalfFree()
    {
        return output.position() <= output.capacity() / 2;
    }

    boolean hasPeerEnded()
    {
        return peerEnded;
    }

    /** Whether there is something to read although the socket may have nothing new. */
    boolean hasMore()
    {
        return tls != null && tls.hasMore() && input.hasRemaining() && !peerEnded;
    }

    /** Reads what the socket has, as far as there is space. */
    void read() throws IOException
    {
        if (input.hasRemaining() && !peerEnded)
        {
            final int length = bytes.read(input);
            peerEnded = length < 0;
            canContinue |= length > 0;
        }
    }

    /**
     * Handles up to so many messages, but none behind one that reads all orders of a client: then others have their
     * turn. Returns how many.
     */
    int handle(final int limit)
    {
        int count = 0;
        boolean more = true;
        repeats = false;
        while (more && isOpen() && count < limit)
        {
            final int length = input.position() - handled;
            final int used = length == 0 ? 0 : session.onBytes(inputView, handled, length);
            handled += used;
            count += used > 0 ? 1 : 0;
            more = used > 0 && !repeats && !isLoggingOn();
        }
        if (isOpen())
        {
            compact();
        }
        return count;
    }

    private void compact()
    {
        if (handled == input.position())
        {
            input.clear();
        }
        else if (handled > 0)
        {
            input.limit(input.position()).position(handled);
            input.compact();
        }
        handled = 0;
    }

    /** Whether the core has not answered the logon yet: further bytes wait. */
    boolean isLoggingOn()
    {
        return seat != null && !loggedOn;
    }

    boolean repeats()
    {
        return repeats;
    }

    boolean isInputFull()
    {
        return !input.hasRemaining();
    }

    /** Gives the session an answer. Returns false when it does not fit now. */
    boolean deliver(final Answer answer)
    {
        return session.onAnswer(answer);
    }

    /** Writes as much as the socket takes. */
    void write(final long nowNs) throws IOException
    {
        output.flip();
        final int written;
        try
        {
            written = bytes.write(output);
        }
        finally
        {
            output.compact();
        }
        if (written > 0)
        {
            sentNs = nowNs;
            progressNs = nowNs;
        }
        final boolean rest = hasOutput();
        if (rest && !blocked)
        {
            progressNs = nowNs;
        }
        if (rest != ((key.interestOps() & SelectionKey.OP_WRITE) != 0))
        {
            key.interestOps(rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
        blocked = rest;
    }

    /**
     * Closes the socket. A reset drops bytes that the peer has not read.
     *
     * @return the socket, of which only our side is closed, if the peer may still send; otherwise null.
     */
    SocketChannel close(final boolean reset)
    {
        SocketChannel halfClosed = null;
        key.cancel();
        try
        {
            if (reset)
            {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            else if (channel.isConnected())
            {
                if (tls != null)
                {
                    tls.closeOutbound();
                }
                channel.shutdownOutput();
                halfClosed = peerEnded ? null : channel;
            }
        }
        catch (final IOException ex)
        {
            // The peer is gone; the close below releases the descriptor.
            peerEnded = true;
        }
        if (halfClosed == null)
        {
            CloseHelper.quietClose(channel);
        }
        channel = null;
        tls = null;
        bytes = null;
        session = null;
        return halfClosed;
    }
}
