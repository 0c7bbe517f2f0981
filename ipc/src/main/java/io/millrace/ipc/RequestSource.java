package io.millrace.ipc;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;

/**
 * Source of a flow that takes the requests of an exchange as pooled events. Each request is one record of a codec.
 * <p>
 * Without a receiver of tokens, a request is answered by an empty response as soon as its event is published. With one,
 * the receiver stores the token in the event, and a handler of the flow answers by {@link ExchangeGuest#reply}.
 * Requests wait in their slots while the flow has no free capacity. A record that the codec refuses is answered by
 * {@link CallStatus#REFUSED}, and so is a request whose event cannot be published, or is dropped by DROP_NEWEST. With a
 * receiver of tokens, a streamed request is refused, too, because it has none. The policies DROP_OLDEST and CONFLATE
 * are not for it: with tokens nobody answers a request whose event is displaced, and its slot stays in use; without
 * them it was answered, and its event is lost.
 *
 * @param <E> type of the events.
 */
public final class RequestSource<E extends BasePoolAware> implements EventSource<E>
{
    private final EventCodec<? super E> codec;
    private final ObjLongConsumer<? super E> tokens;
    private final LaneServer server;
    private final BooleanSupplier capacity = this::hasEvent;
    private final PaddedLong refused = new PaddedLong(0);
    private EventPublication<E> out;
    private E event;

    /**
     * A source of all lanes, which answers each request when its event is published.
     *
     * @param guest attached to the exchange; to be closed after the server.
     * @param codec of the requests.
     */
    public RequestSource(final ExchangeGuest guest, final EventCodec<? super E> codec)
    {
        this(guest, codec, null);
    }

    /**
     * A source of all lanes whose requests the flow answers.
     *
     * @param guest  attached to the exchange; to be closed after the server.
     * @param codec  of the requests.
     * @param tokens stores the token of a request in its event; null for none, see above.
     */
    public RequestSource(
        final ExchangeGuest guest, final EventCodec<? super E> codec, final ObjLongConsumer<? super E> tokens)
    {
        this.codec = Objects.requireNonNull(codec, "codec");
        this.tokens = tokens;
        server = Objects.requireNonNull(guest, "guest").server(this::onRequest);
    }

    @Override
    public int poll(final EventPublication<E> publication)
    {
        out = publication;
        int served = 0;
        try
        {
            int round;
            do
            {
                // Also refused ones: more may wait behind them.
                round = server.serveOneEach(capacity);
                served += round;
            }
            while (round > 0 && served < ExchangeLayout.MAX_SLOTS);
        }
        finally
        {
            if (event != null)
            {
                event.release();
                event = null;
            }
        }
        return served;
    }

    /** Before a request is taken: without an event it stays in its slot. */
    private boolean hasEvent()
    {
        event = event == null ? out.claim() : event;
        return event != null;
    }

    private int onRequest(final Request request)
    {
        final E next = event;
        event = null;
        boolean filled = false;
        try
        {
            filled = fill(next, request);
        }
        finally
        {
            if (!filled)
            {
                next.release();
            }
        }
        if (!filled)
        {
            return refuse();
        }
        final long dropped = out.dropped();
        // An offer that throws leaves no event to its caller.
        if (!out.offer(next))
        {
            next.release();
            return refuse();
        }
        if (out.dropped() != dropped)
        {
            // Under DROP_NEWEST: nobody has the event.
            return refuse();
        }
        return tokens == null ? 0 : RequestHandler.DEFERRED;
    }

    /** False if the request is refused. */
    private boolean fill(final E next, final Request request)
    {
        // A streamed request has no token: the flow could not answer it.
        if (tokens != null && request.token() == 0 ||
            codec.decode(request.bytes(), request.offset(), request.length(), next) != DecodeResult.OK)
        {
            return false;
        }
        if (tokens != null)
        {
            tokens.accept(next, request.token());
        }
        return true;
    }

    private int refuse()
    {
        // The polling thread is the one writer; readers take any recent value.
        refused.addOpaque(1);
        return RequestHandler.REFUSED;
    }

    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.add(name + ".refused", "Requests that the codec or the flow refused.", refused::getOpaque);
    }
}
