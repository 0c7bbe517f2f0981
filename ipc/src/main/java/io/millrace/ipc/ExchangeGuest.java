package io.millrace.ipc;

import io.millrace.pool.ByteView;

import java.io.IOException;

/**
 * The guest of an exchange: serves the host's requests. It attaches again when the host is restarted.
 * <p>
 * Lanes are served by {@link LaneServer}s, each an agent of its own. Close their agents before the guest.
 */
public final class ExchangeGuest implements AutoCloseable
{
    private final GuestControl control;

    private ExchangeGuest(final GuestControl control)
    {
        this.control = control;
    }

    /**
     * Attach to a host that is there. A host whose guest was killed a moment ago may still refuse the next one as the
     * second: try again, or use {@link #launch}, which tries ten times a second.
     *
     * @param context name and folder of the exchange; its limits come from the file.
     * @return the guest.
     * @throws ExchangeException        if there is no host, it has a guest already, the queue of a stopped host is
     *                                  full, or the file is refused: the message has both values.
     * @throws IOException              if the files cannot be opened.
     * @throws IllegalArgumentException if the path of the control socket is too long.
     */
    public static ExchangeGuest attach(final ExchangeContext context) throws IOException
    {
        final GuestControl control = new GuestControl(context);
        try
        {
            control.attach();
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            control.end();
            throw ex;
        }
        control.start();
        return new ExchangeGuest(control);
    }

    /**
     * Attach as soon as there is a host.
     *
     * @param context name and folder of the exchange; its limits come from the file.
     * @return the guest.
     * @throws IOException              if the control thread cannot start.
     * @throws IllegalArgumentException if the path of the control socket is too long.
     */
    public static ExchangeGuest launch(final ExchangeContext context) throws IOException
    {
        final GuestControl control = new GuestControl(context);
        control.start();
        return new ExchangeGuest(control);
    }

    /**
     * An agent that serves all lanes with a handler.
     *
     * @param handler of the requests.
     * @return the agent.
     */
    public LaneServer server(final RequestHandler handler)
    {
        return server(0, ExchangeLayout.MAX_LANES, handler);
    }

    /**
     * An agent that serves some lanes with a handler. No two agents serve the same lane.
     *
     * @param firstLane first of the lanes.
     * @param lanes     their number; lanes that the host does not have are ignored.
     * @param handler   of the requests.
     * @return the agent.
     * @throws IllegalArgumentException if a number is out of range.
     */
    public LaneServer server(final int firstLane, final int lanes, final RequestHandler handler)
    {
        return new LaneServer(this, firstLane, lanes, handler);
    }

    /**
     * Whether a host is attached.
     *
     * @return false while there is none.
     */
    public boolean isAttached()
    {
        return session() != null;
    }

    /**
     * Whether the host has missed five heartbeats, as a process that is stopped by a signal.
     *
     * @return false if it beats, or none is attached.
     */
    public boolean isHostStalled()
    {
        final GuestSession session = session();
        return session != null && session.link.isStalled();
    }

    /**
     * Why the last try to attach failed.
     *
     * @return the reason; null if the last try succeeded.
     */
    public IOException refusal()
    {
        return control.refusal();
    }

    /**
     * Counters of the attachment to the present host.
     *
     * @return live numbers; null if none is attached.
     */
    public ExchangeCounters counters()
    {
        final GuestSession session = session();
        return session == null ? null : new ExchangeCounters(session.link);
    }

    /**
     * Space for the response of a deferred request.
     *
     * @param token of the request.
     * @return the view; null if its host is gone.
     */
    public ByteView responseTo(final long token)
    {
        final GuestSession session = session();
        final GuestLane lane = session == null ? null : session.lane(token);
        return lane == null ? null : lane.response(token);
    }

    /**
     * Answer a deferred request. Any thread, once for each request.
     *
     * @param token  of the request.
     * @param status OK, FAILED or REFUSED.
     * @param length of the response in bytes, in {@link #responseTo}.
     * @return false if the caller no longer waits; nothing has changed.
     * @throws IllegalArgumentException if the status or the length is out of range.
     */
    public boolean reply(final long token, final CallStatus status, final int length)
    {
        if (CallStatus.of(status.ordinal()) == null)
        {
            throw new IllegalArgumentException("status " + status + " is not OK, FAILED or REFUSED");
        }
        final GuestSession session = session();
        final GuestLane lane = session == null ? null : session.lane(token);
        try
        {
            return lane != null && lane.reply(token, status, length);
        }
        catch (final InternalError ex)
        {
            session.link.fault(session.host, "the file cannot be read: " + ex.getMessage());
            return false;
        }
    }

    GuestSession session()
    {
        return control.session();
    }

    /**
     * Detach from the host. Its calls end with {@link CallStatus#PEER_LOST}.
     */
    @Override
    public void close()
    {
        control.close();
    }
}
