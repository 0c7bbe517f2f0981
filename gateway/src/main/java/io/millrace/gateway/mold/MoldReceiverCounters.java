package io.millrace.gateway.mold;

import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;

/**
 * Counters of a {@link MoldReceiver}. Its thread writes; any thread reads. Writes are opaque and pair with the opaque
 * reads of the getters.
 */
public final class MoldReceiverCounters
{
    final PaddedLong packets = new PaddedLong(0);
    final PaddedLong messages = new PaddedLong(0);
    final PaddedLong malformed = new PaddedLong(0);
    final PaddedLong otherSession = new PaddedLong(0);
    final PaddedLong duplicates = new PaddedLong(0);
    final PaddedLong heartbeats = new PaddedLong(0);
    final PaddedLong notHeld = new PaddedLong(0);
    final PaddedLong farAhead = new PaddedLong(0);
    final PaddedLong gaps = new PaddedLong(0);
    final PaddedLong requests = new PaddedLong(0);
    final PaddedLong lost = new PaddedLong(0);
    final PaddedLong fallBacks = new PaddedLong(0);
    final PaddedLong sessions = new PaddedLong(0);

    MoldReceiverCounters()
    {
    }

    /** @return received packets of any kind. */
    public long packets()
    {
        return packets.getOpaque();
    }

    /** @return delivered messages. */
    public long messages()
    {
        return messages.getOpaque();
    }

    /** @return packets that are no MoldUDP64 packet, are too long, or have an impossible sequence. */
    public long malformed()
    {
        return malformed.getOpaque();
    }

    /** @return packets of another session than the one that is received. */
    public long otherSession()
    {
        return otherSession.getOpaque();
    }

    /** @return messages that arrived again: retransmitted ones, or those of a second line. */
    public long duplicates()
    {
        return duplicates.getOpaque();
    }

    /** @return heartbeats. */
    public long heartbeats()
    {
        return heartbeats.getOpaque();
    }

    /** @return packets behind a gap that were dropped because no more could be kept; they are requested later. */
    public long notHeld()
    {
        return notHeld.getOpaque();
    }

    /** @return packets that were too far ahead to be believed. */
    public long farAhead()
    {
        return farAhead.getOpaque();
    }

    /** @return gaps that were noticed, also those that closed without a request. */
    public long gaps()
    {
        return gaps.getOpaque();
    }

    /** @return requests sent. */
    public long requests()
    {
        return requests.getOpaque();
    }

    /** @return messages that no request brought. */
    public long lost()
    {
        return lost.getOpaque();
    }

    /** @return times that the receiver went back, because all packets were behind the position of a wrong one. */
    public long fallBacks()
    {
        return fallBacks.getOpaque();
    }

    /** @return sessions received. */
    public long sessions()
    {
        return sessions.getOpaque();
    }

    /**
     * Add all counters to a server's.
     *
     * @param counters of the server.
     * @param name     each name begins with it and a dot.
     */
    public void addTo(final Counters counters, final String name)
    {
        counters.add(name + ".packets", "MoldUDP64 packets received, of any kind", this::packets);
        counters.add(name + ".delivered", "messages delivered in order", this::messages);
        counters.add(name + ".malformed", "packets refused; another sender uses this port?", this::malformed);
        counters.add(name + ".otherSession", "packets of a session that is not received", this::otherSession);
        counters.add(name + ".duplicates", "messages that arrived again", this::duplicates);
        counters.add(name + ".heartbeats", "heartbeats of the sender", this::heartbeats);
        counters.add(name + ".notHeld", "packets behind a gap without room; raise heldPackets", this::notHeld);
        counters.add(name + ".farAhead", "packets too far ahead to be believed", this::farAhead);
        counters.add(name + ".gaps", "gaps noticed; many mean a small socket buffer", this::gaps);
        counters.add(name + ".requests", "requests for missing messages", this::requests);
        counters.add(name + ".lost", "messages that no request brought: the data are incomplete", this::lost);
        counters.add(name + ".fallBacks", "returns from a position that wrong packets had set", this::fallBacks);
        counters.add(name + ".sessions", "sessions received; more than 1 if the sender started again", this::sessions);
    }
}
