package io.millrace.ipc;

import io.millrace.pool.ByteView;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A peer that stops at a point of the slot protocol, prints it, and waits to be killed by {@code kill -9}. Guests are
 * the points below {@link #GUEST_POINTS}, hosts the others.
 */
public final class KilledPeer
{
    static final int GUEST_POINTS = 6;
    static final int POINTS = 10;
    private static final int HALF = 32;

    private KilledPeer()
    {
    }

    private static void stop()
    {
        System.out.println("at the point");
        while (true)
        {
            LockSupport.park();
        }
    }

    /**
     * The child.
     *
     * @param arguments folder and point.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final ExchangeContext context = Pair.context(Path.of(arguments[0])).timeout(1, TimeUnit.HOURS);
        final int point = Integer.parseInt(arguments[1]);
        if (point < GUEST_POINTS)
        {
            guest(context, point);
        }
        else
        {
            host(context.nestedDepth(2), point);
        }
    }

    private static void guest(final ExchangeContext context, final int point) throws Exception
    {
        // Tries again if this machine stops us during the hello, which has a time limit.
        final ExchangeGuest guest = ExchangeGuest.launch(context);
        Pair.await("attached", guest::isAttached);
        final LaneServer server = guest.server(request ->
        {
            switch (point)
            {
                case 0:
                    // Taken, nothing read.
                    stop();
                    break;
                case 1:
                    // Half of the response is written.
                    Pair.fill(request.response(), 666);
                    request.response().putLong(HALF, 0);
                    stop();
                    break;
                case 2:
                    // A nested call is claimed and half written.
                    request.claimNested().putLong(0, 666);
                    stop();
                    break;
                case 3:
                    // A nested call is answered, its slot not freed.
                    Pair.fill(request.claimNested(), 7);
                    request.callNested(MessageType.APP_START, 64);
                    stop();
                    break;
                default:
                    break;
            }
            return Pair.plusOne(request);
        });
        final GuestLane lane = guest.session().lanes[0];
        if (point == 4)
        {
            // The nested call is published, and the host serves it while we die.
            final Slots slots = lane.end.slots;
            final int slot = lane.end.layout.slot(0, lane.end.layout.slots);
            final long claimed = slots.claim(slot);
            Pair.fill(lane.end.requestView(slot), 7);
            slots.publish(slot, claimed, Descriptor.of(MessageType.APP_START, 64, 0));
            stop();
        }
        while (server.doWork() == 0)
        {
            Thread.onSpinWait();
        }
        // Point 5: answered.
        stop();
    }

    private static void host(final ExchangeContext context, final int point) throws Exception
    {
        final ExchangeHost host = ExchangeHost.create(context);
        if (!host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS))
        {
            throw new IllegalStateException("no guest");
        }
        final HostLane lane = host.lane(0);
        for (int i = 0; i < 3; i++)
        {
            Pair.call(lane, i);
        }
        final ByteView request = lane.claim();
        request.putLong(0, 666);
        if (point > GUEST_POINTS)
        {
            Pair.fill(request, 1_000);
            lane.submit(MessageType.APP_START, 64);
        }
        if (point == GUEST_POINTS + 2)
        {
            // Accepted, not freed.
            lane.await((call, status, response, length) -> stop(), 1);
        }
        if (point == GUEST_POINTS + 3)
        {
            // Answered, and the next one half written.
            Pair.await("answer", () -> lane.poll((call, status, response, length) -> {}, 1) == 1);
            lane.claim().putLong(0, 666);
        }
        stop();
    }
}
