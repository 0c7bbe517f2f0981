package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * Calls the guest, from one thread. A lane is a ring of slots, one for each request in flight; the answers come in the
 * order of the requests.
 * <pre>
 *  one at a time:     claim, fill, call, read response()
 *  several in flight: claim, fill, submit, claim, fill, submit, ... poll(handler)
 * </pre>
 * Not thread-safe: use one lane for each calling thread. While the lane waits, it serves the guest's nested calls.
 */
public final class HostLane
{
    /** Instead of the word of a request: it was given back. */
    private static final long CANCELLED = Slots.NONE;
    /** Instead of the word of a request: it could not be published. No published word is 0. */
    private static final long UNPUBLISHED = 0;

    /** Fewer calls in flight are awaited one by one. */
    private static final int MIN_GATHERED = 8;

    private final LaneEnd end;
    private final Slots slots;
    private final PeerLink link;
    private final int mask;
    /** From a position to the round of the ring, which is the generation of its slot. */
    private final int generationShift;
    private final int[] offsets;
    private final ByteView[] requests;
    private final ByteView[] responses;
    /** Word and guest of each published request. */
    private final long[] words;
    private final int[] peers;
    private final HostStream stream;
    /** Positions: next to claim, next to end. */
    private long head;
    private long tail;
    /** Oldest position whose slot is in use behind the tail: its response is awaited, or a handler reads it. */
    private long held = Long.MAX_VALUE;
    private long claimed = Slots.NONE;
    /** Word and slot of the response that can be read. */
    private long accepted = Slots.NONE;
    private int acceptedSlot;
    private ByteView response;
    private long waitingSinceNs;
    private long waitingFor = -1;

    HostLane(final LaneEnd end, final int maxMessageBytes)
    {
        this.end = end;
        slots = end.slots;
        link = end.link;
        final int capacity = end.layout.slots;
        mask = capacity - 1;
        generationShift = Integer.numberOfTrailingZeros(capacity);
        offsets = new int[capacity];
        requests = new ByteView[capacity];
        responses = new ByteView[capacity];
        words = new long[capacity];
        peers = new int[capacity];
        for (int i = 0; i < capacity; i++)
        {
            offsets[i] = end.layout.slot(end.lane, i);
            requests[i] = end.requestView(offsets[i]);
            responses[i] = end.responseView(offsets[i]);
        }
        response = responses[0];
        stream = new HostStream(this, maxMessageBytes);
    }

    /**
     * Number of the lane.
     *
     * @return from 0.
     */
    public int number()
    {
        return end.lane;
    }

    /**
     * Serve the guest's nested calls on this lane with a handler.
     *
     * @param handler of the calls, called by the lane's thread while it waits; null refuses them. It may claim and
     *                submit on this lane. To call, poll or await throws an {@link IllegalStateException}: the guest
     *                waits for the handler first. The request of such a call stays claimed.
     */
    public void onNested(final RequestHandler handler)
    {
        end.handler(handler);
    }

    /**
     * Number of slots of this lane.
     *
     * @return greatest number of requests in flight.
     */
    public int capacity()
    {
        return mask + 1;
    }

    /**
     * Requests that were submitted and whose end was not polled.
     *
     * @return their number, with a claimed one, and with those given back behind them.
     */
    public int inFlight()
    {
        return (int)(head - tail);
    }

    /**
     * Take the next slot in order to fill it. The response of the last call is no longer readable.
     *
     * @return receives the request. Null if no slot is free: poll. A slot whose call timed out is free again when the
     * guest has come back to it or is gone; one whose response a {@link ResponseHandler} reads, when that has returned.
     */
    public ByteView claim()
    {
        if (claimed != Slots.NONE)
        {
            throw new IllegalStateException("a request is claimed already");
        }
        final int index = (int)head & mask;
        try
        {
            releaseAccepted();
            if (head - Math.min(tail, held) <= mask)
            {
                final int generation = (int)(head >>> generationShift);
                claimed = slots.claim(offsets[index], generation);
                if (claimed == Slots.NONE)
                {
                    claimed = slots.takeOver(offsets[index], generation, link.peer());
                }
                if (claimed != Slots.NONE)
                {
                    head++;
                    return requests[index];
                }
            }
            SharedMemory.reportFault();
        }
        catch (final InternalError ex)
        {
            unreadable(ex);
        }
        link.full.incrementAndGet();
        return null;
    }

    /**
     * Give the claimed slot back unused, because filling it failed. Does nothing if none is claimed.
     */
    public void cancel()
    {
        if (claimed != Slots.NONE)
        {
            final int index = (int)(head - 1) & mask;
            slots.cancel(offsets[index], claimed);
            words[index] = CANCELLED;
            claimed = Slots.NONE;
            skipCancelled();
        }
    }

    /** Called before the handler, which may throw: the tail is never at a cancelled request. */
    private long passTail()
    {
        final long position = tail++;
        skipCancelled();
        return position;
    }

    private void skipCancelled()
    {
        while (tail != head && words[(int)tail & mask] == CANCELLED && (claimed == Slots.NONE || tail != head - 1))
        {
            tail++;
        }
    }

    /**
     * Publish the claimed request; {@link #poll} reports its end.
     *
     * @param type   {@link MessageType#NORMAL}, {@link MessageType#HEARTBEAT} or a number from
     *               {@link MessageType#APP_START}.
     * @param length of the request in bytes, 0 to {@link #payloadBytes}.
     * @return number of the call, rising.
     * @throws IllegalArgumentException if a number is out of range; the slot stays claimed.
     */
    public long submit(final int type, final int length)
    {
        MessageType.checkApplication(type);
        end.checkLength(length);
        return publish(Descriptor.of(type, length, 0));
    }

    private long publish(final long descriptor)
    {
        if (claimed == Slots.NONE)
        {
            throw new IllegalStateException("no request is claimed");
        }
        final long position = head - 1;
        final int index = (int)position & mask;
        peers[index] = link.peer();
        try
        {
            words[index] = UNPUBLISHED;
            final long published = slots.publish(offsets[index], claimed, descriptor);
            if (published != Slots.NONE)
            {
                words[index] = published;
                end.signal();
            }
        }
        catch (final InternalError ex)
        {
            unreadable(ex);
        }
        finally
        {
            claimed = Slots.NONE;
        }
        return position;
    }

    /**
     * Publish the claimed request and wait for its answer, which {@link #response} then has. Spins, then yields, then
     * parks.
     *
     * @param type   as in {@link #submit}.
     * @param length of the request in bytes, 0 to {@link #payloadBytes}.
     * @return length of the response in bytes.
     * @throws CallException            if there is no answer; {@link CallException#status} says why. The slot is
     *                                  reclaimed.
     * @throws IllegalArgumentException if a number is out of range; the slot stays claimed.
     * @throws IllegalStateException    if no request is claimed, or others are in flight; nothing has changed.
     */
    public int call(final int type, final int length) throws CallException
    {
        MessageType.checkApplication(type);
        end.checkLength(length);
        return Descriptor.length(exchange(Descriptor.of(type, length, 0)));
    }

    /** Calls with any descriptor; the checked descriptor of the response. */
    long exchange(final long descriptor) throws CallException
    {
        end.checkNotNested();
        if (head - tail != 1)
        {
            throw new IllegalStateException(inFlight() + " claimed or in flight: a call needs the claimed one only");
        }
        final int index = (int)tail & mask;
        publish(descriptor);
        // For handlers of nested calls, which may claim.
        final long outer = held;
        held = Math.min(outer, tail++);
        try
        {
            final int slot = offsets[index];
            final int peer = peers[index];
            final long answered = words[index] == UNPUBLISHED || peer == PeerLink.NOBODY ?
                giveUp(index) : end.await(slot, words[index], peer, 0);
            if (answered != Slots.NONE && slots.accept(slot, answered))
            {
                accepted = answered;
                acceptedSlot = slot;
                response = responses[index];
                final long received = end.memory.get(slot + ExchangeLayout.RESPONSE_OFFSET);
                final CallStatus status = end.responseStatus(received, peer);
                if (status == CallStatus.OK)
                {
                    return received;
                }
                throw new CallException(status, "call on lane " + end.lane);
            }
            throw CallException.unanswered("call", end, peer);
        }
        catch (final InternalError ex)
        {
            unreadable(ex);
            throw new CallException(CallStatus.PEER_LOST, "call on lane " + end.lane);
        }
        finally
        {
            held = outer;
        }
    }

    private long giveUp(final int index)
    {
        if (words[index] != UNPUBLISHED)
        {
            slots.abandon(offsets[index], words[index], peers[index]);
        }
        return Slots.NONE;
    }

    private void releaseAccepted()
    {
        if (accepted != Slots.NONE)
        {
            final long word = accepted;
            accepted = Slots.NONE;
            slots.release(acceptedSlot, word);
        }
    }

    /**
     * Response of the last {@link #call}.
     *
     * @return its bytes, valid until the next claim, call or poll. The guest can still change them.
     */
    public ByteView response()
    {
        return response;
    }

    /**
     * Report ended calls, in the order of their submission. Does not wait; see {@link #await}.
     *
     * @param handler receives them.
     * @param limit   greatest number of calls to report.
     * @return number of calls reported.
     */
    public int poll(final ResponseHandler handler, final int limit)
    {
        end.checkNotNested();
        int count = 0;
        // The tail passes it when the handler cancels a request of its own.
        final long stop = claimed == Slots.NONE ? head : head - 1;
        try
        {
            releaseAccepted();
            while (count < limit && tail < stop && end(handler))
            {
                count++;
            }
        }
        catch (final InternalError ex)
        {
            unreadable(ex);
            // No answer can be read any more.
            for (; count < limit && tail < stop; count++)
            {
                final long position = passTail();
                handler.onResponse(position, CallStatus.PEER_LOST, responses[(int)position & mask], 0);
            }
        }
        return count;
    }

    /** Polls; the time of the oldest call runs from startNs; all calls in flight were submitted before it. */
    int pollSince(final long startNs, final ResponseHandler handler)
    {
        waitingFor = tail;
        waitingSinceNs = startNs;
        return poll(handler, capacity());
    }

    /** Ends the oldest call if it is answered or lost. */
    private boolean end(final ResponseHandler handler)
    {
        final long position = tail;
        final int index = (int)position & mask;
        final int slot = offsets[index];
        final int peer = peers[index];
        final long published = words[index];
        if (published == UNPUBLISHED || peer == PeerLink.NOBODY)
        {
            giveUp(index);
        }
        else
        {
            final long answered = SlotWord.with(published, peer, SlotWord.RESP_READY);
            if (slots.word(slot) == answered && slots.accept(slot, answered))
            {
                final long received = end.memory.get(slot + ExchangeLayout.RESPONSE_OFFSET);
                final CallStatus status = end.responseStatus(received, peer);
                final long outer = held;
                held = Math.min(outer, passTail());
                try
                {
                    handler.onResponse(position, status, responses[index],
                        status == CallStatus.OK ? Descriptor.length(received) : 0);
                }
                finally
                {
                    held = outer;
                    slots.release(slot, answered);
                }
                return true;
            }
            if (!isLost(position, slot, published, peer))
            {
                return false;
            }
        }
        passTail();
        handler.onResponse(position, end.lostStatus(peer), responses[index], 0);
        return true;
    }

    /** Whether an unanswered call is over. Its time runs from the first poll that waits for it. */
    private boolean isLost(final long position, final int slot, final long published, final int peer)
    {
        end.serveOneNested(peer);
        boolean isOver = link.peer() != peer || end.isForeign(slots.word(slot), published, peer);
        if (!isOver)
        {
            final long nowNs = System.nanoTime();
            if (waitingFor != position)
            {
                waitingFor = position;
                waitingSinceNs = nowNs;
            }
            isOver = nowNs - waitingSinceNs >= end.timeoutNs;
        }
        return isOver && slots.abandon(slot, published, peer);
    }

    /**
     * With many calls in flight, waits a moment until most of them are answered. A look at the oldest slot would take
     * its cache line from the guest, which is about to write the answer there.
     */
    private void gather()
    {
        final int count = inFlight();
        if (count >= MIN_GATHERED)
        {
            end.spin(offsets[(int)(tail + count - (count >>> 2)) & mask]);
        }
    }

    /**
     * Wait until the oldest submitted call is answered or lost, then report it and the next ended ones.
     *
     * @param handler receives them.
     * @param limit   greatest number of calls to report.
     * @return number of calls reported; 0 if nothing is in flight.
     */
    public int await(final ResponseHandler handler, final int limit)
    {
        gather();
        int count = poll(handler, limit);
        if (count == 0 && tail != head && claimed == Slots.NONE)
        {
            final int index = (int)tail & mask;
            if (words[index] != UNPUBLISHED && peers[index] != PeerLink.NOBODY)
            {
                try
                {
                    if (end.await(offsets[index], words[index], peers[index], 0) == Slots.NONE)
                    {
                        handler.onResponse(passTail(), end.lostStatus(peers[index]), responses[index], 0);
                        return 1 + poll(handler, limit - 1);
                    }
                }
                catch (final InternalError ex)
                {
                    unreadable(ex);
                }
            }
            count = poll(handler, limit);
        }
        return count;
    }

    /**
     * Make several calls, as many at a time as the lane has slots, and wait until each has ended. The same as a loop of
     * {@link #claim}, {@link #submit} and {@link #await}.
     *
     * @param type   as in {@link #submit}.
     * @param count  number of calls, also more than there are slots.
     * @param filler writes each request when its slot is free. If it throws, or returns an impossible length, the
     *               requests before it are in flight: poll them.
     * @param ends   receives the end of each call, in order, also while later requests are written.
     * @return number of calls submitted: less than the count if no slot became free, because a call that timed out is
     * still served, or because the lane has one slot and this is called by the handler that reads its response.
     * @throws IllegalArgumentException if a number is out of range.
     * @throws IllegalStateException    if a request is claimed, or others are in flight; nothing has changed.
     */
    public int batch(final int type, final int count, final RequestFiller filler, final ResponseHandler ends)
    {
        MessageType.checkApplication(type);
        end.checkNotNested();
        if (head != tail)
        {
            throw new IllegalStateException(inFlight() + " requests are in flight: poll them before a batch");
        }
        if (count < 0)
        {
            throw new IllegalArgumentException("count " + count + " is not in 0.." + Integer.MAX_VALUE);
        }
        int sent = 0;
        while (sent < count || head != tail)
        {
            final ByteView request = sent < count && inFlight() <= mask ? claim() : null;
            if (request != null)
            {
                fill(type, filler, sent++, request);
            }
            else if (await(ends, capacity()) == 0 && head == tail)
            {
                break;
            }
        }
        return sent;
    }

    private void fill(final int type, final RequestFiller filler, final int index, final ByteView request)
    {
        try
        {
            submit(type, filler.fill(index, request));
        }
        finally
        {
            // Does nothing after a submit.
            cancel();
        }
    }

    /**
     * Call with a message of any length, in as many slots as it needs.
     *
     * @param type       as in {@link #submit}.
     * @param message    contains the request.
     * @param offset     of its first byte.
     * @param length     in bytes, 0 to the context's {@code maxMessageBytes}.
     * @param intoAnswer receives the response from its first byte on.
     * @return length of the response in bytes.
     * @throws CallException            if a part is not answered, or the response is longer than the view.
     * @throws IllegalArgumentException if a number is out of range; nothing has changed.
     * @throws IllegalStateException    if requests are in flight; nothing has changed.
     */
    public int callStreamed(
        final int type, final ByteView message, final int offset, final int length, final ByteView intoAnswer)
        throws CallException
    {
        return stream.call(type, message, offset, length, intoAnswer);
    }

    /**
     * Longest request and longest response of one slot.
     *
     * @return number of bytes.
     */
    public int payloadBytes()
    {
        return end.layout.payloadBytes;
    }

    /** The file was shortened under us, or its memory is gone. */
    private void unreadable(final InternalError error)
    {
        link.fault(link.peer(), "lane " + end.lane + ": the file cannot be read: " + error.getMessage());
    }
}
