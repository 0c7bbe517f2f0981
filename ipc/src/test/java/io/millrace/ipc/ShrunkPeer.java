package io.millrace.ipc;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Shortens the file under hosts and guests of its own; prints what each side gets, and "alive" at the end. */
public final class ShrunkPeer
{
    private static final int CALLS = 500;
    private static final long BUSY_MS = 30;

    private static ExchangeContext context;

    private ShrunkPeer()
    {
    }

    /**
     * The child.
     *
     * @param arguments the folder; then "busy" for calls at full speed while the file is shortened.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        context = Pair.context(Path.of(arguments[0])).errorHandler(errors::add).heartbeatMs(20).payloadBytes(1 << 16);
        if (arguments.length > 1)
        {
            busy();
        }
        else
        {
            // With and without a first page, which has the heartbeats.
            for (final int length : new int[] {4_096, 0})
            {
                host(length);
                inFlight(length);
                guest(length);
            }
        }
        try (Pair pair = Pair.of(context, Pair::plusOne))
        {
            Pair.call(pair.host.lane(0), 2);
        }
        System.out.println("alive");
    }

    private static void warmUp(final HostLane lane) throws CallException
    {
        for (int i = 0; i < CALLS; i++)
        {
            Pair.call(lane, i);
        }
    }

    private static CallStatus callStatus(final HostLane lane)
    {
        try
        {
            if (lane.claim() == null)
            {
                return CallStatus.PEER_LOST;
            }
            lane.call(MessageType.NORMAL, 8);
            return CallStatus.OK;
        }
        catch (final CallException ex)
        {
            return ex.status();
        }
    }

    /** The host makes the first access. */
    private static void host(final int length) throws Exception
    {
        try (Pair pair = Pair.of(context, Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            warmUp(lane);
            pair.stopGuest();
            Pair.await("detached", () -> !pair.host.isGuestAttached());
            try (ExchangeGuest guest = ExchangeGuest.attach(context))
            {
                pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS);
                ExchangeFileTest.shorten(context.file(), length);
                System.out.println("host: " + callStatus(lane));
                Pair.await("both detached", () -> !pair.host.isGuestAttached() && !guest.isAttached());
            }
        }
    }

    /** Calls are in flight, and nobody answers them. */
    private static void inFlight(final int length) throws Exception
    {
        context.timeout(200, TimeUnit.MILLISECONDS);
        try (Pair pair = Pair.host(context); ExchangeGuest guest = ExchangeGuest.attach(context))
        {
            pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS);
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < 3; i++)
            {
                Pair.fill(lane.claim(), i);
                lane.submit(MessageType.NORMAL, 64);
            }
            ExchangeFileTest.shorten(context.file(), length);
            final List<CallStatus> ends = new ArrayList<>();
            Pair.await("ended", () ->
            {
                lane.poll((call, status, response, bytes) -> ends.add(status), 16);
                return lane.inFlight() == 0;
            });
            System.out.println("in flight: " + ends.size() + " ended, answered " + ends.contains(CallStatus.OK));
            Pair.await("both detached", () -> !pair.host.isGuestAttached() && !guest.isAttached());
        }
        context.timeout(Pair.LIMIT_S, TimeUnit.SECONDS);
    }

    /** The guest makes the first access. */
    private static void guest(final int length) throws Exception
    {
        try (Pair pair = Pair.of(context, Pair::plusOne))
        {
            warmUp(pair.host.lane(0));
            ExchangeFileTest.shorten(context.file(), length);
            Pair.await("both detached", () -> !pair.host.isGuestAttached() && !pair.guest.isAttached());
            System.out.println("guest: detached");
        }
    }

    /** Both sides are anywhere when it happens. */
    private static void busy() throws Exception
    {
        try (Pair pair = Pair.of(context, Pair::plusOne))
        {
            final HostLane lane = pair.host.lane(0);
            warmUp(lane);
            final Thread shortens = new Thread(() ->
            {
                try
                {
                    Thread.sleep(BUSY_MS);
                    ExchangeFileTest.shorten(context.file(), 4_096);
                }
                catch (final IOException | InterruptedException ex)
                {
                    throw new IllegalStateException(ex);
                }
            });
            shortens.start();
            int first = 0;
            CallStatus status = CallStatus.OK;
            while (status == CallStatus.OK)
            {
                final ByteView request = lane.claim();
                try
                {
                    if (request != null)
                    {
                        Pair.fill(request, first++);
                    }
                    status = request == null ? CallStatus.PEER_LOST : called(lane);
                }
                catch (final InternalError late)
                {
                    // The access of our own code to the request.
                    status = CallStatus.PEER_LOST;
                }
            }
            System.out.println("busy: " + status);
            shortens.join();
        }
    }

    private static CallStatus called(final HostLane lane)
    {
        try
        {
            lane.call(MessageType.APP_START, 64);
            return CallStatus.OK;
        }
        catch (final CallException ex)
        {
            return ex.status();
        }
    }
}
