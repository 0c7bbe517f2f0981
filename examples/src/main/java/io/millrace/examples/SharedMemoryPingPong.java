package io.millrace.examples;

import io.millrace.ipc.ExchangeContext;
import io.millrace.ipc.ExchangeGuest;
import io.millrace.ipc.ExchangeHost;
import io.millrace.ipc.HostLane;
import io.millrace.ipc.LaneServer;
import io.millrace.ipc.MessageType;
import io.millrace.ipc.Request;
import io.millrace.pool.ByteView;
import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Two JVMs and a shared memory file: this process calls, a second one answers. Each request has eight numbers; the
 * answer has each plus one. Ends with the time of a round trip.
 */
public final class SharedMemoryPingPong
{
    private static final int CALLS = 1_000_000;
    private static final int NUMBERS = 8;
    private static final int BYTES = NUMBERS * Long.BYTES;
    /** Long enough for all calls where each process has a core of its own. */
    private static final long MAX_NS = TimeUnit.SECONDS.toNanos(10);

    private SharedMemoryPingPong()
    {
    }

    /**
     * Calls a million times, or for ten seconds.
     *
     * @param args none; the second process has the name of the exchange.
     * @throws Exception if a call is not answered.
     */
    public static void main(final String[] args) throws Exception
    {
        if (args.length == 0)
        {
            run(System.out, CALLS);
        }
        else
        {
            serve(new ExchangeContext(args[0]));
        }
    }

    static void run(final PrintStream out, final int calls) throws Exception
    {
        final String name = "ping-" + ProcessHandle.current().pid();
        final Process guest;
        // Both times are longer than a busy machine keeps the other process off its core.
        try (ExchangeHost host = ExchangeHost.create(
            new ExchangeContext(name).payloadBytes(BYTES).timeout(10, TimeUnit.SECONDS)))
        {
            guest = ChildJvm.start(SharedMemoryPingPong.class, name);
            if (!host.awaitGuest(60, TimeUnit.SECONDS))
            {
                throw new IllegalStateException("the second process did not attach");
            }
            final HostLane lane = host.lane(0);
            final long[] times = new long[calls];
            final long beginNs = System.nanoTime();
            long wrong = 0;
            int done = 0;
            for (long nowNs = beginNs; done < calls && nowNs - beginNs < MAX_NS; done++)
            {
                final long startNs = nowNs;
                wrong += call(lane, done);
                nowNs = System.nanoTime();
                times[done] = nowNs - startNs;
            }
            Arrays.sort(times, 0, done);
            out.println(done + " calls of " + BYTES + " bytes from process " + ProcessHandle.current().pid() +
                " to process " + guest.pid() + ", wrong answers: " + wrong);
            out.println("round trip: p50 " + times[done / 2] + " ns, p99 " + times[(int)(done * 0.99)] + " ns");
        }
        // The end of the host ends the guest.
        guest.waitFor();
    }

    private static int call(final HostLane lane, final long first) throws IOException
    {
        final ByteView request = lane.claim();
        for (int i = 0; i < NUMBERS; i++)
        {
            request.putLong(i * Long.BYTES, first + i);
        }
        int wrong = lane.call(MessageType.NORMAL, BYTES) == BYTES ? 0 : 1;
        for (int i = 0; i < NUMBERS; i++)
        {
            wrong |= lane.response().getLong(i * Long.BYTES) == first + i + 1 ? 0 : 1;
        }
        return wrong;
    }

    /** The second process: serves until the first one has gone. */
    private static void serve(final ExchangeContext context) throws IOException
    {
        try (ExchangeGuest guest = ExchangeGuest.attach(context))
        {
            final LaneServer server = guest.server(SharedMemoryPingPong::plusOne);
            final IdleStrategy idle = server.idleStrategy();
            while (guest.isAttached())
            {
                idle.idle(server.doWork());
            }
        }
    }

    private static int plusOne(final Request request)
    {
        for (int i = 0; i < request.length(); i += Long.BYTES)
        {
            request.response().putLong(i, request.bytes().getLong(i) + 1);
        }
        return request.length();
    }
}
