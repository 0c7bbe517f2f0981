package io.millrace.ipc;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.pool.PaddedLong;
import io.millrace.server.HandlerContext;
import io.millrace.server.HandlerService;
import io.millrace.server.RetriedFailures;
import io.millrace.server.ServiceContext;
import io.millrace.server.StageHandler;
import io.millrace.server.codec.EventCodec;

import java.util.Objects;

/**
 * Stage of a flow that calls a guest with each event. It keeps several calls in flight, and waits only when every slot
 * is in flight, at most the exchange's timeout.
 * <p>
 * An event is lost, and counted, if the codec has no record for it or throws, no slot becomes free, or its call ends
 * without an answer: a call that timed out may have been served. It is counted once: with {@code AgentSpec.retry}, when
 * it is clear that it will not be passed again, at the next event, idle duty cycle or close.
 *
 * @param <E> type of the events.
 */
public final class CallSink<E extends BasePoolAware> implements HandlerService<E>, StageHandler<E>
{
    private static final long NONE = -1;

    private final String name;
    private final Class<E> type;
    private final HostLane lane;
    private final EventCodec<? super E> codec;
    private final ResponseHandler next;
    private final ResponseHandler ends = this::onEnd;
    private final PaddedLong unsent = new PaddedLong(0);
    private final PaddedLong unanswered = new PaddedLong(0);
    /** The last call that ended. */
    private boolean isTimedOut;
    /**
     * The event that is sent, or counted. An agent that retries passes it again if the end of another call throws, and
     * the guest must not get it twice.
     */
    private long settled = NONE;
    private final RetriedFailures failures = new RetriedFailures(unsent);

    /**
     * A sink.
     *
     * @param name  of the stage.
     * @param type  of the events.
     * @param lane  for this sink alone.
     * @param codec writes the requests.
     * @param ends  receives the end of each call, in order; null for none.
     * @throws IllegalArgumentException if a record of the codec may be longer than a slot.
     */
    public CallSink(
        final String name,
        final Class<E> type,
        final HostLane lane,
        final EventCodec<? super E> codec,
        final ResponseHandler ends)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.type = Objects.requireNonNull(type, "type");
        this.lane = Objects.requireNonNull(lane, "lane");
        this.codec = Objects.requireNonNull(codec, "codec");
        next = ends;
        if (codec.maxLengthBytes() > lane.payloadBytes())
        {
            throw new IllegalArgumentException("records of up to " + codec.maxLengthBytes() +
                " bytes do not fit into payloadBytes " + lane.payloadBytes());
        }
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Class<E> eventType()
    {
        return type;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        settled = NONE;
        context.counters().add(name + ".unsent", "Events for which no request was sent.", unsent::getOpaque);
        context.counters().add(name + ".unanswered", "Requests that ended without an answer.",
            unanswered::getOpaque);
    }

    @Override
    public void onStart(final HandlerContext context)
    {
        failures.begin(context.retries() > 0);
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        if (sequence != settled)
        {
            failures.passed(sequence);
            try
            {
                if (!isSent(event))
                {
                    unsent.addOpaque(1);
                }
            }
            catch (final Throwable ex)
            {
                failures.failed(sequence);
                throw ex;
            }
            settled = sequence;
        }
        if (endOfBatch)
        {
            lane.poll(ends, lane.capacity());
        }
    }

    private boolean isSent(final E event)
    {
        final ByteView request = claim();
        if (request == null)
        {
            return false;
        }
        boolean submitted = false;
        try
        {
            final int length = codec.encode(event, request, 0);
            if (length > 0)
            {
                lane.submit(MessageType.NORMAL, length);
                submitted = true;
            }
        }
        finally
        {
            if (!submitted)
            {
                lane.cancel();
            }
        }
        return submitted;
    }

    private ByteView claim()
    {
        ByteView request = lane.claim();
        while (request == null && lane.await(ends, lane.capacity()) > 0)
        {
            request = lane.claim();
        }
        return request;
    }

    private void onEnd(final long call, final CallStatus status, final ByteView response, final int length)
    {
        isTimedOut = status == CallStatus.TIMED_OUT;
        if (status != CallStatus.OK)
        {
            unanswered.addOpaque(1);
        }
        if (next != null)
        {
            next.onResponse(call, status, response, length);
        }
    }

    @Override
    public void onIdle()
    {
        failures.settle();
        lane.poll(ends, lane.capacity());
    }

    /** {@inheritDoc} Ends after the time of one call without an answer: the calls in flight wait together. */
    @Override
    public void onDrained()
    {
        long startNs = System.nanoTime();
        while (lane.inFlight() > 0)
        {
            if (lane.pollSince(startNs, ends) == 0)
            {
                Thread.yield();
            }
            else if (!isTimedOut)
            {
                startNs = System.nanoTime();
            }
        }
    }

    @Override
    public void onClose()
    {
        failures.settle();
    }
}
