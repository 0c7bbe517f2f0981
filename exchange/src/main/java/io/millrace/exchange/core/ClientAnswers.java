package io.millrace.exchange.core;

import io.millrace.engine.tables.Fnv;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What the exchange knows of one client: its last request, its open orders, and its last answers. Part of the state, so
 * a replay of the journal gives the same. The core's thread only.
 */
final class ClientAnswers
{
    private static final byte CONNECTED = 4;
    private static final int HEAD_LENGTH = 4 * Long.BYTES;

    private final int client;
    private final long mask;
    private final AnswerCodec codec = new AnswerCodec();
    private final ByteBuffer bytes;
    private final ByteView window;
    /** Of each kept answer {@link #ownRequestId}: a repeated request is looked for in 32 KiB, not in 416. */
    private final long[] requests;
    private long next = 1;
    private long lastRequest;
    private int openOrders;
    private byte flags;

    /**
     * @param answers number of answers that are kept, a power of two.
     */
    ClientAnswers(final int client, final int answers)
    {
        this.client = client;
        mask = answers - 1;
        requests = new long[answers];
        bytes = ByteBuffer.allocate(answers * AnswerDescriptor.LENGTH);
        window = new ByteView(bytes);
    }

    int client()
    {
        return client;
    }

    /** Sequence of the next answer. */
    long next()
    {
        return next;
    }

    /** Sequence of the first answer that is kept. */
    long oldest()
    {
        return Math.max(1, next - mask - 1);
    }

    /** Gives an answer the next sequence, and keeps it. */
    void append(final Answer answer)
    {
        codec.encode(answer, window, offset(next));
        index(next);
        next++;
    }

    private int offset(final long sequence)
    {
        return (int)(sequence & mask) * AnswerDescriptor.LENGTH;
    }

    /** Reads an answer that is kept. */
    void read(final long sequence, final Answer into)
    {
        if (sequence < oldest() || sequence >= next ||
            codec.decode(window, offset(sequence), AnswerDescriptor.LENGTH, into) != DecodeResult.OK)
        {
            throw new IllegalStateException("answer " + sequence + " of client " + client + " is not in " + oldest() +
                ".." + (next - 1));
        }
    }

    /** Request of an answer that is kept; 0 if it has none or is a copy for a drop copy. */
    long ownRequestId(final long sequence)
    {
        return requests[(int)(sequence & mask)];
    }

    /**
     * Sequence of the last kept answer to a request, not 0; 0 for none. The ids do not always increase: a repetition
     * that was refused has an older one.
     */
    long lastAnswer(final long requestId)
    {
        final int newest = (int)(next - 1 & mask);
        int found = before(newest + 1, 0, requestId);
        found = found >= 0 ? found : before(requests.length, newest + 1, requestId);
        return found < 0 ? 0 : next - 1 - (newest - found & mask);
    }

    private int before(final int end, final int begin, final long requestId)
    {
        int at = end - 1;
        while (at >= begin && requests[at] != requestId)
        {
            at--;
        }
        return at >= begin ? at : -1;
    }

    private void index(final long sequence)
    {
        final int offset = offset(sequence);
        requests[(int)(sequence & mask)] = window.getInt(offset + AnswerDescriptor.USER_OFFSET) != 0 ? 0 :
            window.getLong(offset + AnswerDescriptor.REQUEST_ID_OFFSET);
    }

    /** Record of an answer that is kept. */
    long record(final long sequence)
    {
        return window.getLong(offset(sequence) + AnswerDescriptor.RECORD_OFFSET);
    }

    long lastRequest()
    {
        return lastRequest;
    }

    void lastRequest(final long requestId)
    {
        lastRequest = requestId;
    }

    int openOrders()
    {
        return openOrders;
    }

    void addOpenOrders(final int count)
    {
        openOrders += count;
    }

    boolean isConnected()
    {
        return (flags & CONNECTED) != 0;
    }

    boolean isDropCopy()
    {
        return (flags & LogonFlags.DROP_COPY) != 0;
    }

    /** Ends the connection. Returns whether its orders are to be cancelled. */
    boolean disconnect()
    {
        final boolean cancels = isConnected() && (flags & LogonFlags.CANCEL_ON_DISCONNECT) != 0;
        flags &= LogonFlags.DROP_COPY;
        return cancels;
    }

    void connect(final byte logonFlags)
    {
        flags = (byte)(logonFlags | CONNECTED);
    }

    void writeTo(final SnapshotOutput out) throws IOException
    {
        out.putLong(client);
        out.putLong(next);
        out.putLong(lastRequest);
        out.putLong((long)openOrders << Byte.SIZE | flags & 0xFF);
        for (long sequence = oldest(); sequence < next; sequence++)
        {
            out.putBytes(slot(sequence));
        }
    }

    void readFrom(final SnapshotInput in) throws IOException
    {
        if (in.remaining() < HEAD_LENGTH - Long.BYTES)
        {
            throw new IOException("the state of client " + client + " is cut off");
        }
        next = in.getLong();
        lastRequest = in.getLong();
        final long rest = in.getLong();
        openOrders = (int)(rest >>> Byte.SIZE);
        flags = (byte)rest;
        for (long sequence = oldest(); sequence < next; sequence++)
        {
            in.getBytes(slot(sequence));
            index(sequence);
        }
    }

    private ByteBuffer slot(final long sequence)
    {
        final int offset = offset(sequence);
        return bytes.clear().limit(offset + AnswerDescriptor.LENGTH).position(offset);
    }

    long addToHash(final long hash)
    {
        long sum = Fnv.add(Fnv.add(Fnv.add(Fnv.add(Fnv.add(hash, client), next), lastRequest), openOrders), flags);
        for (long sequence = oldest(); sequence < next; sequence++)
        {
            for (int offset = offset(sequence), end = offset + AnswerDescriptor.LENGTH; offset < end;
                offset += Long.BYTES)
            {
                sum = Fnv.add(sum, window.getLong(offset));
            }
        }
        return sum;
    }
}
