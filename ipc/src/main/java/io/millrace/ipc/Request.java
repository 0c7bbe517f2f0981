package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * A request that is being served. The lane reuses it: do not keep it beyond {@link RequestHandler#onRequest}.
 */
public final class Request
{
    private final LaneEnd end;
    private final int level;
    private ByteView bytes;
    private ByteView response;
    private int type;
    private int offset;
    private int length;
    private int responseOffset;
    private int responseCapacity;
    private long token;

    Request(final LaneEnd end, final int level)
    {
        this.end = end;
        this.level = level;
    }

    void set(final int newType, final ByteView newBytes, final int newLength, final ByteView newResponse)
    {
        part(newType, newBytes, 0, newLength, newResponse, 0, newResponse.capacity());
    }

    void part(
        final int newType,
        final ByteView newBytes,
        final int newOffset,
        final int newLength,
        final ByteView newResponse,
        final int newResponseOffset,
        final int newResponseCapacity)
    {
        type = newType;
        bytes = newBytes;
        offset = newOffset;
        length = newLength;
        response = newResponse;
        responseOffset = newResponseOffset;
        responseCapacity = newResponseCapacity;
    }

    int level()
    {
        return level;
    }

    void token(final long newToken)
    {
        token = newToken;
    }

    /**
     * Type of the request.
     *
     * @return {@link MessageType#NORMAL}, or a number from {@link MessageType#APP_START}.
     */
    public int type()
    {
        return type;
    }

    /**
     * The lane on which it came.
     *
     * @return number of the lane, from 0.
     */
    public int lane()
    {
        return end.lane;
    }

    /**
     * Contains the request.
     *
     * @return a view of at least {@code offset() + length()} bytes. The peer can still change them.
     */
    public ByteView bytes()
    {
        return bytes;
    }

    /**
     * Where the request begins.
     *
     * @return offset in {@link #bytes}.
     */
    public int offset()
    {
        return offset;
    }

    /**
     * Length of the request.
     *
     * @return number of bytes; checked against our own limits.
     */
    public int length()
    {
        return length;
    }

    /**
     * Receives the response.
     *
     * @return a view with space for it.
     */
    public ByteView response()
    {
        return response;
    }

    /**
     * Where the response begins.
     *
     * @return offset in {@link #response}.
     */
    public int responseOffset()
    {
        return responseOffset;
    }

    /**
     * Space for the response.
     *
     * @return greatest number of bytes.
     */
    public int responseCapacity()
    {
        return responseCapacity;
    }

    /**
     * Names this request for {@link ExchangeGuest#reply}.
     *
     * @return a positive number; 0 if this request cannot be deferred (nested, streamed, or one of a batch).
     */
    public long token()
    {
        return token;
    }

    /**
     * Start a call to the peer, which waits for the answer to this request and serves the call meanwhile.
     *
     * @return receives the bytes of the nested request.
     * @throws ExchangeException if the exchange's depth of nested calls is reached; nothing has changed.
     */
    public ByteView claimNested() throws ExchangeException
    {
        return end.claimNested(level);
    }

    /**
     * Make the nested call: {@link #claimNested} first.
     *
     * @param callType   {@link MessageType#NORMAL}, or a number from {@link MessageType#APP_START}.
     * @param callLength number of bytes of the nested request.
     * @return length of the answer, in bytes, in {@link #nestedResponse}.
     * @throws ExchangeException if it is not answered; the exchange is usable nevertheless.
     */
    public int callNested(final int callType, final int callLength) throws ExchangeException
    {
        return end.callNested(level, callType, callLength);
    }

    /**
     * Answer of the last nested call.
     *
     * @return its bytes, valid until the next nested call or the end of the handler.
     */
    public ByteView nestedResponse()
    {
        return end.nestedResponse(level);
    }
}
