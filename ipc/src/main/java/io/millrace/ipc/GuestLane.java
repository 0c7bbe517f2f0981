package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * Serves the requests of one lane in their order. One thread; {@link #reply} may be called by any.
 */
final class GuestLane
{
    /** A token has the slot above the generation, the lane above that, and the session above that. */
    private static final int GENERATION_BITS = 24;
    private static final int SLOT_BITS = 10;
    private static final int LANE_BITS = 7;
    private static final int SESSION_BITS = 20;

    final LaneEnd end;
    private final Slots slots;
    private final int host;
    private final int self;
    private final long session;
    private final int mask;
    private final int[] offsets;
    private final ByteView[] requests;
    private final ByteView[] responses;
    private final GuestStream stream;
    private int next;
    /** Of the next request; counts the rounds of the ring. */
    private int generation;

    GuestLane(final LaneEnd end, final int host, final int self, final int session, final int maxMessageBytes)
    {
        this.end = end;
        this.host = host;
        this.self = self;
        this.session = session & (1 << SESSION_BITS) - 1;
        slots = end.slots;
        final int count = end.layout.slots;
        mask = count - 1;
        offsets = new int[count];
        requests = new ByteView[count];
        responses = new ByteView[count];
        for (int i = 0; i < count; i++)
        {
            offsets[i] = end.layout.slot(end.lane, i);
            requests[i] = end.requestView(offsets[i]);
            responses[i] = end.responseView(offsets[i]);
        }
        stream = new GuestStream(maxMessageBytes);
        findNext();
    }

    /** The slots before the host's next position have been freed once more than the others. */
    private void findNext()
    {
        generation = SlotWord.generation(slots.word(offsets[0]));
        for (int i = 1; i <= mask; i++)
        {
            final int here = SlotWord.generation(slots.word(offsets[i]));
            if (here != generation)
            {
                next = i;
                generation = here;
                return;
            }
        }
    }

    /**
     * Finds a request that is not where it should be, because another guest wrote impossible words before. For a thread
     * that has nothing to do.
     */
    void realign()
    {
        for (int i = 1; i <= mask && !hasWork(); i++)
        {
            final int index = next + i & mask;
            final long word = slots.word(offsets[index]);
            // A second look: requests are published in order, so the next one is there if a later one is.
            if (word == SlotWord.of(host, SlotWord.generation(word), SlotWord.REQ_READY) && !hasWork())
            {
                next = index;
                generation = SlotWord.generation(word);
            }
        }
    }

    /** Whether {@link #serve} has something to do: a request, or a slot to skip. */
    boolean hasWork()
    {
        final long word = slots.word(offsets[next]);
        return SlotWord.state(word) == SlotWord.REQ_READY || isBehind(word);
    }

    /** Serves what is ready, at most one round of the ring, or a given number; the number of requests. */
    int serve(final RequestHandler handler, final int limit)
    {
        int served = 0;
        for (int i = 0; i <= mask && served < limit; i++)
        {
            final int index = next;
            final long word = slots.word(offsets[index]);
            if (SlotWord.state(word) == SlotWord.REQ_READY)
            {
                generation = SlotWord.generation(word);
                advance();
                serve(handler, index, word);
                served++;
            }
            else if (isBehind(word))
            {
                // Given back, or reclaimed before we came.
                advance();
            }
            else
            {
                break;
            }
        }
        return served;
    }

    private boolean isBehind(final long word)
    {
        final int ahead = SlotWord.generation(word) - generation & SlotWord.GENERATIONS - 1;
        return ahead != 0 && ahead < SlotWord.GENERATIONS / 2;
    }

    private void advance()
    {
        next = next + 1 & mask;
        if (next == 0)
        {
            generation = generation + 1 & SlotWord.GENERATIONS - 1;
        }
    }

    private void serve(final RequestHandler handler, final int index, final long word)
    {
        final int slot = offsets[index];
        if (SlotWord.owner(word) != host)
        {
            end.link.fault(host, "lane " + end.lane + ": request with " + SlotWord.describe(word));
            return;
        }
        final long taken = slots.take(slot, word);
        if (taken == Slots.NONE)
        {
            return;
        }
        // Read once: the host can change it while we look.
        final long descriptor = end.memory.get(slot + ExchangeLayout.REQUEST_OFFSET);
        if (!Descriptor.isValid(descriptor, end.layout.payloadBytes))
        {
            end.link.fault(host, "lane " + end.lane + ": request with descriptor " + Long.toHexString(descriptor));
            return;
        }
        final int type = Descriptor.kind(descriptor);
        final long answer;
        if (Descriptor.isPlain(descriptor))
        {
            final Request request = end.request();
            request.set(type, requests[index], Descriptor.length(descriptor), responses[index]);
            request.token(token(index, word));
            answer = end.handle(handler, request);
            if (answer == RequestHandler.DEFERRED)
            {
                return;
            }
        }
        else
        {
            answer = serveOther(handler, index, descriptor, type);
        }
        slots.reply(slot, taken, answer);
        end.signal();
    }

    private long serveOther(final RequestHandler handler, final int index, final long descriptor, final int type)
    {
        final int flags = Descriptor.flags(descriptor);
        if (type == MessageType.HEARTBEAT)
        {
            return 0;
        }
        if (type == MessageType.FETCH)
        {
            return stream.next(responses[index]);
        }
        if ((flags & Descriptor.STREAMED) == 0 || type != MessageType.NORMAL && type < MessageType.APP_START)
        {
            return Descriptor.of(CallStatus.REFUSED.ordinal(), 0, 0);
        }
        try
        {
            if (!stream.add(requests[index], Descriptor.length(descriptor), flags))
            {
                return stream.partAnswer();
            }
        }
        catch (final OutOfMemoryError ex)
        {
            return end.failed(ex);
        }
        final Request request = end.request();
        stream.fill(request, type);
        request.token(0);
        final long answer = end.handle(handler, request);
        // Only an answered request has a length.
        return Descriptor.kind(answer) == CallStatus.OK.ordinal() ?
            stream.answer((int)answer, responses[index]) : answer;
    }

    private long token(final int index, final long word)
    {
        return ((session << LANE_BITS | end.lane) << SLOT_BITS | index) << GENERATION_BITS |
            SlotWord.generation(word) | 1L << GENERATION_BITS + SLOT_BITS + LANE_BITS + SESSION_BITS;
    }

    static int laneOf(final long token)
    {
        return (int)(token >>> GENERATION_BITS + SLOT_BITS) & (1 << LANE_BITS) - 1;
    }

    private static int slotOf(final long token)
    {
        return (int)(token >>> GENERATION_BITS) & (1 << SLOT_BITS) - 1;
    }

    /** Whether a token is of this session, and of one of our slots. */
    boolean knows(final long token)
    {
        return token >>> GENERATION_BITS + SLOT_BITS + LANE_BITS == (session | 1L << SESSION_BITS) &&
            slotOf(token) <= mask;
    }

    ByteView response(final long token)
    {
        return responses[slotOf(token)];
    }

    /** Answers a deferred request. The token's generation is part of the word that must be there. */
    boolean reply(final long token, final CallStatus status, final int length)
    {
        end.checkLength(length);
        final long taken = SlotWord.of(self, (int)token & SlotWord.GENERATIONS - 1, SlotWord.BUSY);
        final boolean replied =
            slots.reply(offsets[slotOf(token)], taken, Descriptor.of(status.ordinal(), length, 0));
        end.signal();
        return replied;
    }
}
