package io.millrace.ipc;

import io.millrace.server.Counters;

/**
 * Counters of one side of an exchange. Any thread may read them.
 */
public final class ExchangeCounters
{
    private final PeerLink link;

    ExchangeCounters(final PeerLink link)
    {
        this.link = link;
    }

    /**
     * Calls that were not answered in time.
     *
     * @return the number.
     */
    public long timeouts()
    {
        return link.timeouts.get();
    }

    /**
     * Claims that found no free slot.
     *
     * @return the number.
     */
    public long full()
    {
        return link.full.get();
    }

    /**
     * Peers that were detached because they broke the protocol.
     *
     * @return the number.
     */
    public long faults()
    {
        return link.faults.get();
    }

    /**
     * Requests whose handler threw an exception.
     *
     * @return the number.
     */
    public long failures()
    {
        return link.failures.get();
    }

    /**
     * Bytes sent to wake a parked thread of the peer.
     *
     * @return the number.
     */
    public long wakeUps()
    {
        return link.wakeUps.get();
    }

    /**
     * Add these counters to a server's.
     *
     * @param counters of the server.
     * @param prefix   first part of each name; a dot follows.
     */
    public void addTo(final Counters counters, final String prefix)
    {
        counters.add(prefix + ".timeouts", "Calls that were not answered in time; look for a slow or stopped peer.",
            this::timeouts);
        counters.add(prefix + ".full", "Claims that found no free slot; use more slots or a faster peer.", this::full);
        counters.add(prefix + ".faults", "Peers that broke the protocol and were detached.", this::faults);
        counters.add(prefix + ".failures", "Requests answered FAILED: the handler threw, or no memory was free.",
            this::failures);
        counters.add(prefix + ".wakeUps", "Bytes sent to wake a parked thread of the peer.", this::wakeUps);
    }

    /** @return all of them. */
    @Override
    public String toString()
    {
        return "timeouts=" + timeouts() + " full=" + full() + " faults=" + faults() + " failures=" + failures() +
            " wakeUps=" + wakeUps();
    }
}
