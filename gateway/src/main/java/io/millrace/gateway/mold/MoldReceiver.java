package io.millrace.gateway.mold;

import org.agrona.concurrent.NanoClock;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Receives a MoldUDP64 session: delivers each message once and in order, requests missing ones, and gives up after a
 * bounded number of attempts. Memory is bounded: packets behind a gap are kept in a fixed number of slots.
 * {@code docs/itch.md} has the rules of recovery. Allocates nothing after the constructor. One thread; any thread reads
 * counters and {@link #isExhausted()}.
 */
public final class MoldReceiver implements Closeable
{
    /** Some ten microseconds of system calls. */
    private static final int PACKETS_PER_POLL = 16;
    private static final int NONE = -1;
    /** The greatest shift: no gap waits for a request. */
    private static final int NO_ANSWER = Integer.SIZE - 1;

    private final MoldTransport transport;
    private final NanoClock clock;
    private final MoldReceiverContext limits;
    private final MoldReceiverCounters counters = new MoldReceiverCounters();
    private final MoldPacketEncoder requests;
    /** One for each slot; a slot is free, held behind a gap, or the current one. */
    private final ByteBuffer[] slots;
    private final int[] lengths;
    private final long[] sequences;
    private final int[] counts;
    private final int[] free;
    private int freeCount;
    private final int[] held;
    private int heldCount;

    private final MoldPacket packet = new MoldPacket();
    private int current = NONE;
    private long sessionHigh;
    private short sessionLow;
    private boolean hasSession;
    private long lastPacketNs;
    /** Next message to deliver; 0 before the first packet. */
    private long next;
    /** Earlier messages are not wanted. */
    private long firstSequence;
    /** Next message of the sender, as far as it is known. */
    private long senderNext;
    private boolean hasEnd;
    /** End of a packet that was too far ahead; 0 if there is none. */
    private long farEnd;
    private final MoldPosition position = new MoldPosition();
    private final MoldNews news = new MoldNews();

    private boolean hasGap;
    /** First missing message when the timer was set. */
    private long gapFirst;
    private long timerNs;
    private int attempts;
    /** Gaps in a row that no request closed. */
    private int unanswered;
    /** The last request could not be sent. */
    private boolean isUnsent;
    private volatile boolean exhausted;

    /**
     * A receiver.
     *
     * @param transport brings the packets; closed with this receiver.
     * @param limits    not changed later.
     * @param clock     read once a poll.
     */
    public MoldReceiver(final MoldTransport transport, final MoldReceiverContext limits, final NanoClock clock)
    {
        this.transport = transport;
        this.clock = clock;
        this.limits = limits;
        requests = new MoldPacketEncoder(limits.session == null ? "?" : limits.session, MoldDescriptor.HEADER_LENGTH);
        firstSequence = limits.firstSequence;
        next = firstSequence;
        if (limits.session != null)
        {
            final ByteBuffer name = ByteBuffer.wrap(MoldPacketEncoder.session(limits.session));
            startSession(name.getLong(0), name.getShort(Long.BYTES));
        }
        // One more to receive into, and one for the current packet. One byte more shows that a packet was too long.
        final int count = limits.heldPackets + 2;
        slots = new ByteBuffer[count];
        lengths = new int[count];
        sequences = new long[count];
        counts = new int[count];
        free = new int[count];
        held = new int[count];
        for (int i = 0; i < count; i++)
        {
            slots[i] = ByteBuffer.allocate(limits.packetLength + 1);
            free[freeCount++] = i;
        }
        lastPacketNs = clock.nanoTime();
    }

    /**
     * Receive, deliver, and request what is missing.
     *
     * @param handler takes the messages.
     * @param limit   greatest number of messages, at least 1.
     * @return number of delivered messages.
     * @throws IOException if the transport fails.
     */
    public int poll(final MoldHandler handler, final int limit) throws IOException
    {
        final long nowNs = clock.nanoTime();
        int delivered = 0;
        int received = 0;
        boolean goesOn = true;
        while (goesOn && delivered < limit)
        {
            if (current != NONE || heldCount > 0 && takeHeld())
            {
                news.report(handler);
                goesOn = deliver(handler);
                delivered++;
            }
            else if (received++ == PACKETS_PER_POLL || !receive(nowNs))
            {
                goesOn = false;
            }
        }
        // If the next message is in a held packet, none is missing: the next poll delivers it.
        if (current == NONE && (heldCount == 0 || !takeHeld()))
        {
            // A loss of a new session comes after the news of it.
            news.report(handler);
            recover(nowNs);
            news.report(handler);
            if (hasEnd && next >= senderNext)
            {
                exhausted = true;
            }
        }
        return delivered;
    }

    /** Deliver the next message of the current packet. */
    private boolean deliver(final MoldHandler handler)
    {
        packet.next();
        final long sequence = next++;
        counters.messages.addOpaque(1);
        final boolean goesOn =
            handler.onMessage(packet.buffer(), packet.messageOffset(), packet.messageLength(), sequence);
        if (!packet.hasNext())
        {
            free[freeCount++] = current;
            current = NONE;
        }
        return goesOn;
    }

    /** Make a held packet current if it has the next message; free those that have become duplicates. */
    private boolean takeHeld()
    {
        for (int i = heldCount - 1; i >= 0; i--)
        {
            final int slot = held[i];
            if (sequences[slot] <= next)
            {
                held[i] = held[--heldCount];
                packet.wrap(slots[slot], 0, lengths[slot]);
                if (open(slot))
                {
                    return true;
                }
            }
        }
        return false;
    }

    /** Make the packet in a slot current, from the next message on; free it if all of it is there already. */
    private boolean open(final int slot)
    {
        final long end = sequences[slot] + counts[slot];
        final long old = Math.min(next, end) - sequences[slot];
        counters.duplicates.addOpaque(old);
        if (end <= next)
        {
            free[freeCount++] = slot;
            return false;
        }
        for (long i = 0; i < old; i++)
        {
            packet.next();
        }
        current = slot;
        return true;
    }

    /** Receive a packet. False if there is none. */
    private boolean receive(final long nowNs) throws IOException
    {
        final int slot = free[freeCount - 1];
        final ByteBuffer buffer = slots[slot].clear();
        if (!transport.receive(buffer))
        {
            return false;
        }
        final int length = buffer.position();
        buffer.clear();
        counters.packets.addOpaque(1);
        if (length > limits.packetLength || !packet.wrap(buffer, 0, length) || !packet.hasPossibleSequence())
        {
            counters.malformed.addOpaque(1);
        }
        else if (!isOfSession(nowNs))
        {
            counters.otherSession.addOpaque(1);
        }
        else
        {
            lastPacketNs = nowNs;
            lengths[slot] = length;
            sequences[slot] = packet.sequence();
            counts[slot] = packet.count();
            if (isNear())
            {
                checkPosition(nowNs);
                enter(slot);
            }
        }
        return true;
    }

    /** Whether the packet belongs to the session, which the first packet chooses, or one after a silence. */
    private boolean isOfSession(final long nowNs)
    {
        if (hasSession && packet.sessionHigh() == sessionHigh && packet.sessionLow() == sessionLow)
        {
            return true;
        }
        if (hasSession && (limits.session != null || nowNs - lastPacketNs < limits.silenceNs))
        {
            return false;
        }
        if (hasSession)
        {
            lose(senderNext);
            freeHeld();
            news.newSession();
            // The packets that came before the silence was long enough are missing.
            firstSequence = limits.firstSequence == MoldReceiverContext.JOIN ? MoldReceiverContext.JOIN : 1;
            next = firstSequence;
        }
        startSession(packet.sessionHigh(), packet.sessionLow());
        return true;
    }

    private void startSession(final long high, final short low)
    {
        hasSession = true;
        sessionHigh = high;
        sessionLow = low;
        requests.session(high, low);
        senderNext = next;
        forget();
        counters.sessions.addOpaque(1);
    }

    /** Whether the packet is near enough to be believed. Two in a row that agree are. */
    private boolean isNear()
    {
        final long sequence = packet.sequence();
        final long end = sequence + packet.count();
        if (next == MoldReceiverContext.JOIN)
        {
            next = sequence;
        }
        if (end - next <= limits.maxGap)
        {
            farEnd = 0;
            return true;
        }
        if (farEnd != 0 && sequence >= farEnd && end - farEnd <= limits.maxGap)
        {
            farEnd = 0;
            lose(sequence);
            return true;
        }
        farEnd = end;
        counters.farAhead.addOpaque(1);
        return false;
    }

    /** Go back if a wrong packet was believed. */
    private void checkPosition(final long nowNs)
    {
        final long sequence = packet.sequence();
        final long end = sequence + packet.count();
        if (end < firstSequence || !position.isFalse(sequence, end, next, senderNext, nowNs - limits.silenceNs, nowNs))
        {
            return;
        }
        counters.fallBacks.addOpaque(1);
        freeHeld();
        senderNext = end;
        if (next > end)
        {
            news.newSession();
            next = Math.max(firstSequence, position.first(sequence - limits.maxGap));
        }
        forget();
    }

    private void forget()
    {
        hasEnd = false;
        hasGap = false;
        farEnd = 0;
        position.reset();
    }

    /** The slot of the packet that is just received stays the last free one. */
    private void freeHeld()
    {
        final int last = free[--freeCount];
        while (heldCount > 0)
        {
            free[freeCount++] = held[--heldCount];
        }
        free[freeCount++] = last;
    }

    /** The slot is the last free one. */
    private void enter(final int slot)
    {
        final long end = sequences[slot] + counts[slot];
        hasEnd = hasEnd && end <= senderNext || packet.isEndOfSession() && end >= senderNext;
        senderNext = Math.max(senderNext, end);
        if (packet.isEndOfSession())
        {
            return;
        }
        if (packet.count() == 0)
        {
            counters.heartbeats.addOpaque(1);
        }
        else if (sequences[slot] <= next)
        {
            freeCount--;
            open(slot);
        }
        else if (isHeld(sequences[slot], counts[slot]))
        {
            counters.duplicates.addOpaque(counts[slot]);
        }
        else if (heldCount == limits.heldPackets)
        {
            counters.notHeld.addOpaque(1);
        }
        else
        {
            freeCount--;
            held[heldCount++] = slot;
        }
    }

    private boolean isHeld(final long sequence, final int count)
    {
        for (int i = 0; i < heldCount; i++)
        {
            if (sequences[held[i]] == sequence && counts[held[i]] >= count)
            {
                return true;
            }
        }
        return false;
    }

    /** Give up all messages before one. */
    private void lose(final long sequence)
    {
        if (sequence > next)
        {
            news.lost(next, sequence - next);
            counters.lost.addOpaque(sequence - next);
            next = sequence;
            hasGap = false;
        }
    }

    /** Request the first missing messages, or give them up. */
    private void recover(final long nowNs)
    {
        if (hasGap && attempts > 0 && gapFirst != next)
        {
            unanswered = 0;
        }
        if (next == MoldReceiverContext.JOIN || next >= senderNext)
        {
            hasGap = false;
            return;
        }
        if (!hasGap || gapFirst != next)
        {
            counters.gaps.addOpaque(hasGap ? 0 : 1);
            // After progress the next part is requested at once: the server answers one packet at a time.
            timerNs = hasGap && attempts > 0 ? nowNs : nowNs + limits.reorderNs;
            hasGap = true;
            gapFirst = next;
            attempts = 0;
            isUnsent = false;
        }
        // With all slots full, waiting loses what arrives. A server that answers brings it later; without answers it
        // would be the next gap, and so on for ever. So each gap after one without an answer gets half the requests.
        final boolean isFull = heldCount == limits.heldPackets;
        // An eighth of the time later: what filled the socket has gone then, and few packets find all slots full.
        final long waitNs = transport.hasServer() ? limits.requestTimeoutNs / 8 : 0;
        if (isUnsent && isFull && timerNs - nowNs <= limits.requestTimeoutNs - waitNs && !request(nowNs))
        {
            // Twice in a row: no server is there, and no gap waits for a request until one is answered.
            lose(gapEnd());
            unanswered = NO_ANSWER;
            return;
        }
        final int mostAttempts = isFull ? limits.requestAttempts >> unanswered : limits.requestAttempts;
        final boolean isDue = timerNs - nowNs <= 0 || isFull && unanswered > 0 && mostAttempts == 0;
        if (isDue && attempts >= mostAttempts)
        {
            lose(gapEnd());
            unanswered = Math.min(unanswered + 1, NO_ANSWER);
        }
        else if (isDue)
        {
            request(nowNs);
        }
    }

    /** False if the request could not be sent. */
    private boolean request(final long nowNs)
    {
        attempts++;
        timerNs = nowNs + limits.requestTimeoutNs;
        requests.request(next, (int)Math.min(gapEnd() - next, limits.requestMessages));
        isUnsent = !transport.request(requests.packet());
        counters.requests.addOpaque(isUnsent ? 0 : 1);
        return !isUnsent;
    }

    private long gapEnd()
    {
        long end = senderNext;
        for (int i = 0; i < heldCount; i++)
        {
            end = Math.min(end, sequences[held[i]]);
        }
        return end;
    }

    /**
     * Next message to deliver. The polling thread only.
     *
     * @return its sequence; 0 before the first packet.
     */
    public long nextSequence()
    {
        return next;
    }

    /**
     * Whether the session has ended and all of its messages were delivered or lost. Any thread: a volatile read, which
     * pairs with the write in {@link #poll}.
     *
     * @return true if no message will follow.
     */
    public boolean isExhausted()
    {
        return exhausted;
    }

    /**
     * The counters.
     *
     * @return always the same object.
     */
    public MoldReceiverCounters counters()
    {
        return counters;
    }

    @Override
    public void close() throws IOException
    {
        transport.close();
    }
}
