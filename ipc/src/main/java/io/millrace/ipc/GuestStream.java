package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * Messages longer than a slot, at the guest: collects the parts of a request, then gives out the parts of the response.
 * One lane, one thread. A new first part forgets an unfinished message.
 */
final class GuestStream
{
    private static final long REFUSED = Descriptor.of(CallStatus.REFUSED.ordinal(), 0, 0);

    private final int maxMessageBytes;
    /** Created by the first streamed request. */
    private ByteView request;
    private ByteView response;
    private int received;
    private boolean collecting;
    private int sent;
    private int answerLength;

    GuestStream(final int maxMessageBytes)
    {
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Takes a part of a request. True when the message is complete. */
    boolean add(final ByteView part, final int length, final int flags)
    {
        if ((flags & Descriptor.FIRST) != 0)
        {
            if (request == null)
            {
                response = new ByteView(new byte[maxMessageBytes]);
                // Last: without memory for both, the next message tries again.
                request = new ByteView(new byte[maxMessageBytes]);
            }
            received = 0;
            sent = 0;
            answerLength = 0;
            collecting = true;
        }
        collecting = collecting && length <= maxMessageBytes - received;
        if (!collecting)
        {
            return false;
        }
        Bytes.copy(part, 0, request, received, length);
        received += length;
        return (flags & Descriptor.MORE) == 0;
    }

    /** Descriptor of the answer to a part after which more follow, or which was refused. */
    long partAnswer()
    {
        return collecting ? 0 : REFUSED;
    }

    void fill(final Request target, final int type)
    {
        collecting = false;
        target.set(type, request, received, response);
    }

    /** The handler has written the response. */
    long answer(final int length, final ByteView slot)
    {
        answerLength = length;
        sent = 0;
        return next(slot);
    }

    /** Writes the next part of the response into a slot; its descriptor. */
    long next(final ByteView slot)
    {
        final int part = Math.min(slot.capacity(), answerLength - sent);
        if (part == 0 && sent > 0 || response == null)
        {
            return REFUSED;
        }
        Bytes.copy(response, sent, slot, 0, part);
        sent += part;
        return Descriptor.of(CallStatus.OK.ordinal(), part, sent < answerLength ? Descriptor.MORE : 0);
    }
}
