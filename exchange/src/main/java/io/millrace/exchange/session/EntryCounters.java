package io.millrace.exchange.session;

import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;

/** Counters of order entry. Written by its agent, read by any thread. */
final class EntryCounters
{
    private static final EndReason[] REASONS = EndReason.values();

    final PaddedLong connections = new PaddedLong(0);
    final PaddedLong accepted = new PaddedLong(0);
    final PaddedLong acceptFailed = new PaddedLong(0);
    final PaddedLong overLimit = new PaddedLong(0);
    final PaddedLong commands = new PaddedLong(0);
    final PaddedLong refused = new PaddedLong(0);
    final PaddedLong throttled = new PaddedLong(0);
    final PaddedLong waited = new PaddedLong(0);
    final PaddedLong delivered = new PaddedLong(0);
    final PaddedLong resends = new PaddedLong(0);
    final PaddedLong skipped = new PaddedLong(0);
    private final PaddedLong[] ends = new PaddedLong[REASONS.length];

    EntryCounters()
    {
        for (int i = 0; i < ends.length; i++)
        {
            ends[i] = new PaddedLong(0);
        }
    }

    void ended(final EndReason reason)
    {
        ends[reason.ordinal()].addOpaque(1);
    }

    void addTo(final Counters counters, final String name)
    {
        counters.tagged().gauge(name + ".connections", "connections", "open connections", connections::getOpaque);
        counters.add(name + ".accepted", "connections accepted", accepted::getOpaque);
        counters.add(name + ".acceptFailed", "failed accepts, for example without a free descriptor; tried again later",
            acceptFailed::getOpaque);
        counters.add(name + ".overLimit", "connections closed at once: too many, or no memory", overLimit::getOpaque);
        counters.add(name + ".commands", "commands of clients passed on", commands::getOpaque);
        counters.add(name + ".refused", "commands of clients passed on as refusals", refused::getOpaque);
        counters.add(name + ".throttled", "times a client was not read because its rate was used up",
            throttled::getOpaque);
        counters.add(name + ".waited", "times a client was not read because the ring of commands was full",
            waited::getOpaque);
        counters.add(name + ".delivered", "answers written for clients", delivered::getOpaque);
        counters.add(name + ".resends", "times answers were requested again for a client that was behind",
            resends::getOpaque);
        counters.add(name + ".skipped", "answers not written when they came: their client was behind or not connected",
            skipped::getOpaque);
        for (int i = 0; i < ends.length; i++)
        {
            counters.add(name + ".ended." + REASONS[i], "connections ended, see EndReason." + REASONS[i],
                ends[i]::getOpaque);
        }
    }
}
