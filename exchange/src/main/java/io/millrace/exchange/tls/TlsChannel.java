package io.millrace.exchange.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS 1.3 over a non-blocking socket. {@link #read} and {@link #write} do the handshake, too, and never block. Call
 * them when the socket is ready, and {@link #read} also when {@link #hasMore} is true. Allocates: the engine of the
 * JDK does for each record. Three buffers of a record each, 17 KB. One thread, except for the tasks of the handshake.
 */
public final class TlsChannel implements ByteChannel
{
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** An alert and the end of the stream. */
    private static final int LAST_RECORDS = 2;
    /** In a row: a handshake with a long chain of certificates in records of 512 bytes, and tickets behind it. */
    private static final int MAX_EMPTY_RECORDS = 32;
    /** In a read: hundreds with a byte each may come at a time. Order entry handles as many messages. */
    private static final int MAX_RECORDS = 64;

    private final SocketChannel socket;
    private final SSLEngine engine;
    private final Executor tasks;
    /** From 0 to the position: records, the last one perhaps not complete. */
    private final ByteBuffer received;
    /** From the position to the limit: bytes for the caller. */
    private final ByteBuffer plain;
    /** From the position to the limit: records for the socket. */
    private final ByteBuffer toSend;
    /**
     * Written by the thread of the task when it has ended, read by the channel's before it uses the engine again:
     * volatile. Set by the channel's thread before it hands the task over.
     */
    private volatile boolean taskRuns;
    private boolean waitsForTask;
    private boolean hasEnded;
    /** Records without bytes for the caller since the last one with some. */
    private int emptyRecords;
    /** Whether the caller's buffer or the number of records, not the socket, ended the last read. */
    private boolean hasMore;

    private TlsChannel(final SocketChannel socket, final SSLEngine engine, final Executor tasks)
    {
        this.socket = socket;
        this.engine = engine;
        this.tasks = tasks;
        received = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
        toSend = ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).limit(0);
    }

    /**
     * The side that accepted the connection.
     *
     * @param context has the certificate.
     * @param socket  not blocking.
     * @param tasks   runs the expensive steps of the handshake, one at a time for a channel.
     * @return a channel whose handshake has not begun.
     */
    public static TlsChannel server(final SSLContext context, final SocketChannel socket, final Executor tasks)
    {
        final SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(PROTOCOLS);
        return new TlsChannel(socket, engine, tasks);
    }

    /**
     * The side that connected. Its handshake runs on the calling thread.
     *
     * @param context knows whom to trust.
     * @param socket  not blocking.
     * @param host    the certificate must be for this name or address.
     * @param port    of the server.
     * @return a channel whose handshake has not begun.
     */
    public static TlsChannel client(
        final SSLContext context, final SocketChannel socket, final String host, final int port)
    {
        final SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        final SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return new TlsChannel(socket, engine, Runnable::run);
    }

    /**
     * Reads at most once from the socket, and decrypts at most {@value #MAX_RECORDS} records, or one without bytes for
     * the caller: a change of keys takes some 70 microseconds, and a peer may send hundreds at a time.
     *
     * @param into gets the bytes.
     * @return number of bytes, 0 for none now, also during the handshake; -1 at the end of the stream.
     * @throws SSLException when the peer does not speak TLS, or refuses our certificate, or we its; or it sends more
     *                      than {@value #MAX_EMPTY_RECORDS} records without bytes in a row.
     * @throws IOException  when the connection is broken.
     */
    @Override
    public int read(final ByteBuffer into) throws IOException
    {
        final int before = into.position();
        boolean mayReceive = true;
        boolean goesOn = true;
        int records = 0;
        while (goesOn && records < MAX_RECORDS && into.hasRemaining())
        {
            if (plain.hasRemaining())
            {
                final int length = Math.min(plain.remaining(), into.remaining());
                into.put(into.position(), plain, plain.position(), length).position(into.position() + length);
                plain.position(plain.position() + length);
            }
            else if (!handshake() || hasEnded)
            {
                if (taskRuns && mayReceive && received.hasRemaining())
                {
                    // The step does not use this buffer, and a peer that has gone needs no step.
                    receive();
                }
                goesOn = false;
            }
            else if (!decrypt())
            {
                goesOn = mayReceive && receive();
                mayReceive = false;
            }
            else
            {
                records = plain.hasRemaining() ? records + 1 : MAX_RECORDS;
            }
        }
        final int length = into.position() - before;
        hasMore = !into.hasRemaining() || records == MAX_RECORDS || hasEnded && length > 0;
        return length == 0 && hasEnded ? -1 : length;
    }

    /** Decrypts a record. Returns false when it is not complete. */
    private boolean decrypt() throws IOException
    {
        received.flip();
        plain.clear();
        final SSLEngineResult.Status status;
        try
        {
            status = engine.unwrap(received, plain).getStatus();
        }
        catch (final RuntimeException ex)
        {
            throw new SSLException("a record cannot be read", ex);
        }
        finally
        {
            received.compact();
            plain.flip();
        }
        hasEnded |= status == SSLEngineResult.Status.CLOSED;
        if (status == SSLEngineResult.Status.BUFFER_OVERFLOW ||
            status == SSLEngineResult.Status.BUFFER_UNDERFLOW && !received.hasRemaining())
        {
            throw new SSLException("a record is too long");
        }
        if (status == SSLEngineResult.Status.BUFFER_UNDERFLOW)
        {
            return false;
        }
        emptyRecords = plain.hasRemaining() ? 0 : emptyRecords + 1;
        if (emptyRecords > MAX_EMPTY_RECORDS)
        {
            throw new SSLException("more than " + MAX_EMPTY_RECORDS + " records in a row have no bytes");
        }
        return true;
    }

    private boolean receive() throws IOException
    {
        final int length = socket.read(received);
        hasEnded = length < 0;
        return length > 0;
    }

    /** Goes on with the handshake. Returns false when it waits for a task or for the socket to take bytes. */
    private boolean handshake() throws IOException
    {
        boolean goesOn = !taskRuns;
        waitsForTask &= !goesOn;
        while (goesOn && isOurTurn())
        {
            goesOn = engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK ? run(engine.getDelegatedTask()) :
                encrypt(NOTHING);
        }
        return goesOn;
    }

    private boolean isOurTurn()
    {
        final HandshakeStatus status = engine.getHandshakeStatus();
        return status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP;
    }

    /** Returns whether the task has ended already. */
    private boolean run(final Runnable task)
    {
        taskRuns = true;
        tasks.execute(() ->
        {
            try
            {
                // Peers that connect and disconnect in a loop would fill the queue with steps that nobody waits for.
                if (socket.isOpen())
                {
                    task.run();
                }
            }
            finally
            {
                taskRuns = false;
            }
        });
        waitsForTask = taskRuns;
        return !waitsForTask;
    }

    /**
     * Writes as much as the socket takes, and a record more.
     *
     * @param from has the bytes.
     * @return number of bytes taken; 0 during the handshake.
     * @throws SSLException as {@link #read}.
     * @throws IOException  when the connection is broken.
     */
    @Override
    public int write(final ByteBuffer from) throws IOException
    {
        final int before = from.position();
        boolean goesOn = handshake() && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
        while (goesOn && from.hasRemaining())
        {
            goesOn = encrypt(from);
        }
        flush();
        return from.position() - before;
    }

    /** Encrypts a record, when the socket has taken the one before. Returns whether there was one. */
    private boolean encrypt(final ByteBuffer from) throws IOException
    {
        if (!flush())
        {
            return false;
        }
        toSend.clear();
        try
        {
            engine.wrap(from, toSend);
        }
        catch (final RuntimeException ex)
        {
            throw new SSLException("a record cannot be written", ex);
        }
        finally
        {
            toSend.flip();
        }
        final boolean hasRecord = toSend.hasRemaining();
        flush();
        return hasRecord;
    }

    private boolean flush() throws IOException
    {
        if (toSend.hasRemaining())
        {
            socket.write(toSend);
        }
        return !toSend.hasRemaining();
    }

    /** @return whether the socket has not taken all bytes of the records: call {@link #write} again. */
    public boolean isPending()
    {
        return toSend.hasRemaining();
    }

    /** @return whether {@link #read} can go on although the socket may have nothing new. */
    public boolean hasMore()
    {
        return hasMore || waitsForTask && !taskRuns;
    }

    @Override
    public boolean isOpen()
    {
        return socket.isOpen();
    }

    /** Sends the end of the stream, or the alert that says why it ends, as far as the socket takes it. */
    public void closeOutbound()
    {
        if (taskRuns)
        {
            return;
        }
        engine.closeOutbound();
        try
        {
            for (int i = 0; i < LAST_RECORDS && !engine.isOutboundDone(); i++)
            {
                encrypt(NOTHING);
            }
        }
        catch (final IOException ex)
        {
            // The peer is gone: it does not get the last words.
            toSend.limit(0);
        }
    }

    @Override
    public void close() throws IOException
    {
        closeOutbound();
        socket.close();
    }
}
