package io.millrace.ipc;

import io.millrace.server.agent.GatheringIdleStrategy;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Serves lanes of an exchange with a handler. One thread: an Agrona agent, to be run by a runner or as part of another
 * agent. {@link #idleStrategy} lets the thread park while nothing comes.
 */
public final class LaneServer implements Agent
{
    private final ExchangeGuest guest;
    private final int firstLane;
    private final int lanes;
    private final RequestHandler handler;
    private GuestSession current;
    /** Of {@link #serveOneEach}: the next lane, counted from the first one. */
    private int turn;

    LaneServer(final ExchangeGuest guest, final int firstLane, final int lanes, final RequestHandler handler)
    {
        if (firstLane < 0 || lanes < 1 || lanes > ExchangeLayout.MAX_LANES - firstLane)
        {
            throw new IllegalArgumentException("lanes " + firstLane + ".." + ((long)firstLane + lanes - 1) +
                " are not in 0.." + (ExchangeLayout.MAX_LANES - 1));
        }
        this.guest = guest;
        this.firstLane = firstLane;
        this.lanes = lanes;
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    /**
     * Serve the requests that are ready, at most one round of each lane's slots.
     *
     * @return their number; 0 if there is none or no host.
     */
    @Override
    public int doWork()
    {
        final GuestSession session = guest.session();
        if (session != current)
        {
            attachTo(session);
        }
        int served = 0;
        if (session != null && session.link.peer() == session.host)
        {
            try
            {
                final int end = endOf(session);
                for (int i = firstLane; i < end; i++)
                {
                    served += session.lanes[i].serve(handler, Integer.MAX_VALUE);
                }
            }
            catch (final InternalError ex)
            {
                // The file was shortened under us.
                session.link.fault(session.host, "the file cannot be read: " + ex.getMessage());
            }
        }
        return served;
    }

    /** Serves at most one request of each lane, in turn; ends at the first one for which there is no capacity. */
    int serveOneEach(final BooleanSupplier capacity)
    {
        final GuestSession session = guest.session();
        if (session != current)
        {
            attachTo(session);
        }
        int served = 0;
        if (session != null && session.link.peer() == session.host)
        {
            try
            {
                final int count = endOf(session) - firstLane;
                for (int i = 0; i < count; i++)
                {
                    final int next = turn < count ? turn : 0;
                    final GuestLane lane = session.lanes[firstLane + next];
                    // One look: a request that comes after it waits until capacity was checked for it.
                    final boolean hasWork = lane.hasWork();
                    if (hasWork && !capacity.getAsBoolean())
                    {
                        return served;
                    }
                    turn = next + 1;
                    served += hasWork ? lane.serve(handler, 1) : 0;
                }
            }
            catch (final InternalError ex)
            {
                session.link.fault(session.host, "the file cannot be read: " + ex.getMessage());
            }
        }
        return served;
    }

    private int endOf(final GuestSession session)
    {
        return Math.min(firstLane + lanes, session.lanes.length);
    }

    private void attachTo(final GuestSession session)
    {
        current = session;
        for (int i = firstLane; session != null && i < endOf(session); i++)
        {
            session.lanes[i].end.handler(handler);
        }
    }

    /** Tells the host whether this thread parks; false if there is something to do instead. */
    boolean announceParking(final boolean parking)
    {
        final GuestSession session = current;
        boolean idle = true;
        try
        {
            for (int i = firstLane; session != null && i < endOf(session); i++)
            {
                session.lanes[i].end.announceWaiting(parking);
            }
            // After all announcements: the host signals a lane after its request.
            for (int i = firstLane; session != null && i < endOf(session); i++)
            {
                session.lanes[i].realign();
                idle &= !session.lanes[i].hasWork();
            }
            SharedMemory.reportFault();
        }
        catch (final InternalError ex)
        {
            session.link.fault(session.host, "the file cannot be read: " + ex.getMessage());
        }
        return idle;
    }

    /**
     * An idle strategy for this agent's runner: spins, then yields, then parks until a request comes. After a cycle
     * with several requests it waits a moment, so that the host fills slots that this thread does not look at.
     *
     * @return a new strategy, for this agent only.
     */
    public IdleStrategy idleStrategy()
    {
        return new GatheringIdleStrategy(new LaneIdleStrategy(this));
    }

    @Override
    public String roleName()
    {
        return "ipc-lanes-" + firstLane;
    }
}
