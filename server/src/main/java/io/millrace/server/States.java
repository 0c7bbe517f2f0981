package io.millrace.server;

/**
 * The state of one server, and its listener.
 */
final class States
{
    private final String server;
    private final StateListener listener;
    private volatile ServerState present = ServerState.NEW;

    /**
     * @param listener null for none.
     */
    States(final String server, final StateListener listener)
    {
        this.server = server;
        this.listener = listener;
    }

    ServerState present()
    {
        return present;
    }

    /** Called by one thread at a time: that which starts or closes the server. Needs no memory. */
    void to(final ServerState next, final Failures failures)
    {
        final ServerState before = present;
        present = next;
        if (before != next)
        {
            FlightEvents.state(server, before, next);
        }
        if (listener != null && before != next)
        {
            try
            {
                listener.onState(before, next);
            }
            catch (final Throwable ex)
            {
                failures.report("the state listener failed", ex);
            }
        }
    }
}
