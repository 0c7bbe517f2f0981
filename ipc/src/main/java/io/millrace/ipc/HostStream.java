package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * Messages longer than a slot: parts of a request, each answered by an empty response; then parts of the response, each
 * but the first fetched by a request.
 */
final class HostStream
{
    private final HostLane lane;
    private final int maxMessageBytes;

    HostStream(final HostLane lane, final int maxMessageBytes)
    {
        this.lane = lane;
        this.maxMessageBytes = maxMessageBytes;
    }

    int call(final int type, final ByteView message, final int offset, final int length, final ByteView answer)
        throws CallException
    {
        MessageType.checkApplication(type);
        if (length < 0 || length > maxMessageBytes || !message.contains(offset, length))
        {
            throw new IllegalArgumentException("length " + length + " at offset " + offset + " is not in 0.." +
                maxMessageBytes + " or not in the view of " + message.capacity() + " bytes");
        }
        if (lane.inFlight() > 0)
        {
            throw new IllegalStateException(lane.inFlight() + " requests are in flight: poll them before a call");
        }
        final int payload = lane.payloadBytes();
        int sent = 0;
        long received;
        do
        {
            final int part = Math.min(payload, length - sent);
            final int flags = Descriptor.STREAMED | (sent == 0 ? Descriptor.FIRST : 0) |
                (sent + part < length ? Descriptor.MORE : 0);
            Bytes.copy(message, offset + sent, claim(), 0, part);
            received = lane.exchange(Descriptor.of(type, part, flags));
            sent += part;
        }
        while (sent < length);
        return receive(received, answer);
    }

    private int receive(final long first, final ByteView answer) throws CallException
    {
        long received = first;
        int total = 0;
        while (true)
        {
            final int part = Descriptor.length(received);
            if (part > answer.capacity() - total)
            {
                throw new CallException(CallStatus.REFUSED, "the response is longer than " + answer.capacity() +
                    " bytes");
            }
            Bytes.copy(lane.response(), 0, answer, total, part);
            total += part;
            if ((Descriptor.flags(received) & Descriptor.MORE) == 0)
            {
                return total;
            }
            if (part == 0)
            {
                throw new CallException(CallStatus.REFUSED, "an empty part of a response");
            }
            claim();
            received = lane.exchange(Descriptor.of(MessageType.FETCH, 0, Descriptor.STREAMED));
        }
    }

    private ByteView claim() throws CallException
    {
        final ByteView request = lane.claim();
        if (request == null)
        {
            throw new CallException(CallStatus.TIMED_OUT, "no slot is free");
        }
        return request;
    }
}
