package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.ipc.CallException;
import io.millrace.ipc.CallStatus;
import io.millrace.ipc.ExchangeContext;
import io.millrace.ipc.ExchangeHost;
import io.millrace.ipc.HostLane;
import io.millrace.ipc.MessageType;
import io.millrace.ipc.RequestFiller;
import io.millrace.ipc.ResponseHandler;
import io.millrace.pool.ByteView;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** The host process: rounds of calls, each answer's content checked and counted. */
final class CallHost implements AutoCloseable
{
    /** Numbers of threads; each has an exchange of its own with as many lanes. */
    static final List<Integer> THREADS = List.of(1, 2, 4, 8, 12);
    static final int MAX_THREADS = 12;
    private static final int BYTES = CallGuest.BYTES;
    private static final int SLOTS = 64;
    private static final int SAMPLES = 1 << 20;
    private static final long MAX_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;

    private final Map<Integer, ExchangeHost> hosts = new HashMap<>();
    private final int cpu;
    private final ServerSocketChannel server;
    private final int[][] samples = new int[MAX_THREADS][SAMPLES];
    private final long[] calls = new long[MAX_THREADS];
    private final long[] wrong = new long[MAX_THREADS];
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private final RivalCalls rival;
    private SocketChannel socket;

    CallHost(final Path directory, final int cpu) throws IOException
    {
        this.cpu = cpu;
        for (final int threads : THREADS)
        {
            final ExchangeHost host = ExchangeHost.create(new ExchangeContext("bench-" + threads).directory(directory)
                .lanes(threads).slots(SLOTS).payloadBytes(BYTES).nestedDepth(1).timeout(5, TimeUnit.SECONDS));
            for (int i = 0; i < threads; i++)
            {
                host.lane(i).onNested(request ->
                    CallGuest.plusOne(request.bytes(), request.length(), request.response()));
            }
            hosts.put(threads, host);
        }
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(directory.resolve("echo")));
        rival = RivalCalls.open(directory, true);
    }

    /** One round, after the guest has attached. */
    CallRound round(final CallKind kind, final int threads, final int ms) throws IOException, InterruptedException
    {
        if (socket == null)
        {
            socket = server.accept();
        }
        final ExchangeHost host = hosts.get(threads);
        if (!host.awaitGuest(10, TimeUnit.SECONDS))
        {
            throw new IOException("no guest: " + host.lastFault());
        }
        final List<FutureTask<Long>> callers = new ArrayList<>();
        final CountDownLatch ready = new CountDownLatch(threads);
        final long limitNs = TimeUnit.MILLISECONDS.toNanos(ms);
        for (int i = 0; i < threads; i++)
        {
            final int number = i;
            final FutureTask<Long> caller = new FutureTask<>(() ->
            {
                try
                {
                    Pinning.pinCurrentThread(cpu);
                }
                finally
                {
                    // The others must not wait for a caller that failed.
                    ready.countDown();
                }
                ready.await();
                if (kind == CallKind.AERON)
                {
                    // Connects, or wakes the guest's thread.
                    rival.call(0);
                }
                final long startNs = System.nanoTime();
                run(host.lane(number), kind, number, startNs, limitNs);
                return System.nanoTime() - startNs;
            });
            callers.add(caller);
            Daemon.start("caller-" + i, caller);
        }
        return result(threads, kind, longestNs(callers));
    }

    /** Throws what a caller threw: without its calls there is no result. */
    private static long longestNs(final List<FutureTask<Long>> callers) throws IOException, InterruptedException
    {
        long longestNs = 0;
        for (final FutureTask<Long> caller : callers)
        {
            try
            {
                longestNs = Math.max(longestNs, caller.get());
            }
            catch (final ExecutionException ex)
            {
                throw new IOException("a caller failed: " + ex.getCause(), ex.getCause());
            }
        }
        return longestNs;
    }

    private CallRound result(final int threads, final CallKind kind, final long elapsedNs)
    {
        final Histogram histogram = new Histogram(MAX_NS, DIGITS);
        long all = 0;
        long bad = 0;
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < threads; i++)
        {
            for (int j = 0; !kind.isOverlapped() && j < Math.min(calls[i], SAMPLES); j++)
            {
                histogram.recordValue(samples[i][j]);
            }
            all += calls[i];
            bad += wrong[i];
            least = Math.min(least, calls[i]);
            most = Math.max(most, calls[i]);
        }
        return new CallRound(all, elapsedNs, least, most, bad, Double.NaN, histogram);
    }

    private void run(
        final HostLane lane, final CallKind kind, final int number, final long startNs, final long limitNs)
    {
        calls[number] = 0;
        wrong[number] = 0;
        if (kind.isOverlapped())
        {
            final ResponseHandler ends = (call, status, response, length) -> end(number, status, response, length);
            if (kind == CallKind.BATCH)
            {
                batches(lane, number, startNs, limitNs, ends);
            }
            else
            {
                pipelined(lane, startNs, limitNs, ends);
            }
            return;
        }
        final int[] times = samples[number];
        final int type = kind == CallKind.NESTED ? CallGuest.NESTED_TYPE : MessageType.APP_START;
        final int more = kind == CallKind.NESTED ? 2 : 1;
        long lastNs = startNs;
        long count = 0;
        long bad = 0;
        do
        {
            bad += switch (kind)
            {
                case SOCKET -> socketCall(count);
                case AERON -> rival.call(count);
                default -> call(lane, type, count, more);
            };
            final long nowNs = System.nanoTime();
            times[(int)count & SAMPLES - 1] = (int)(nowNs - lastNs);
            lastNs = nowNs;
            count++;
        }
        while (lastNs - startNs < limitNs);
        calls[number] = count;
        wrong[number] = bad;
    }

    /** 0 if the answer is right. */
    private static int call(final HostLane lane, final int type, final long first, final int more)
    {
        final ByteView request = lane.claim();
        if (request == null)
        {
            return 1;
        }
        fill(request, first);
        try
        {
            return lane.call(type, BYTES) == BYTES && isRight(lane.response(), first, more) ? 0 : 1;
        }
        catch (final CallException ex)
        {
            return 1;
        }
    }

    private static boolean isRight(final ByteView response, final long first, final int more)
    {
        boolean right = true;
        for (int i = 0; i < BYTES; i += Long.BYTES)
        {
            right &= response.getLong(i) == first + i + more;
        }
        return right;
    }

    private int socketCall(final long first)
    {
        try
        {
            for (int i = 0; i < BYTES; i += Long.BYTES)
            {
                buffer.putLong(i, first + i);
            }
            for (buffer.clear(); buffer.hasRemaining();)
            {
                socket.write(buffer);
            }
            for (buffer.clear(); buffer.hasRemaining();)
            {
                if (socket.read(buffer) < 0)
                {
                    return 1;
                }
            }
            int bad = 0;
            for (int i = 0; i < BYTES; i += Long.BYTES)
            {
                bad += buffer.getLong(i) == first + i + 1 ? 0 : 1;
            }
            return Math.min(bad, 1);
        }
        catch (final IOException ex)
        {
            return 1;
        }
    }

    private void end(final int number, final CallStatus status, final ByteView response, final int length)
    {
        if (status != CallStatus.OK || length != BYTES || !isRight(response, calls[number], 1))
        {
            wrong[number]++;
        }
        calls[number]++;
    }

    private void batches(
        final HostLane lane, final int number, final long startNs, final long limitNs, final ResponseHandler ends)
    {
        // Without the one that is claimed.
        final RequestFiller filler = (index, request) -> fill(request, calls[number] + lane.inFlight() - 1);
        do
        {
            lane.batch(MessageType.APP_START, CallKind.BATCH_CALLS, filler, ends);
        }
        while (System.nanoTime() - startNs < limitNs);
    }

    private static int fill(final ByteView request, final long first)
    {
        for (int i = 0; i < BYTES; i += Long.BYTES)
        {
            request.putLong(i, first + i);
        }
        return BYTES;
    }

    /** The guest may still be attached: its calls end. */
    @Override
    public void close() throws IOException
    {
        hosts.values().forEach(ExchangeHost::close);
        server.close();
        if (socket != null)
        {
            socket.close();
        }
    }

    private static void pipelined(
        final HostLane lane, final long startNs, final long limitNs, final ResponseHandler ends)
    {
        long sent = 0;
        do
        {
            ByteView request = lane.claim();
            while (request != null)
            {
                lane.submit(MessageType.APP_START, fill(request, sent++));
                request = lane.inFlight() < SLOTS ? lane.claim() : null;
            }
            lane.await(ends, SLOTS);
        }
        while (System.nanoTime() - startNs < limitNs);
        while (lane.inFlight() > 0)
        {
            lane.await(ends, SLOTS);
        }
    }
}
