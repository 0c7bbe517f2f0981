package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * T3: a flood of connections over the limit, and clients that send a byte now and then and read nothing. The others get
 * each event in order, once each. Their delays are printed, with and without the flood; no test fails on a time.
 */
@Timeout(300)
class TcpFloodTest
{
    private static final int READERS = 3;
    private static final int SLOW = 5;
    /** Between two events: 2,000 a second. */
    private static final long PAUSE_NS = 500_000;
    private static final long MAX_DELAY_NS = 300_000_000_000L;

    /** Clients that read nothing keep their places, however slow the machine is. */
    private final TcpSink sink =
        new TcpSink(new TcpContext().port(0).maxClients(READERS + SLOW).stallTimeoutNs(0).withSequence());
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private AtomicLongArray publishedNs;
    private volatile boolean stop;

    @FunctionalInterface
    private interface Body
    {
        void run() throws IOException;
    }

    private Thread start(final Body body)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                body.run();
            }
            catch (final IOException | AssertionError ex)
            {
                failure.compareAndSet(null, ex);
            }
        });
        thread.start();
        threads.add(thread);
        return thread;
    }

    private Socket connect() throws IOException
    {
        return new Socket(InetAddress.getLoopbackAddress(), sink.port());
    }

    /** Reads all events in order, and when each came. */
    private void read(final Socket socket, final int events, final Histogram delays) throws IOException
    {
        try (socket; BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            for (int i = 1; i <= events; i++)
            {
                assertEquals(SinkRig.json(i), in.readLine());
                delays.recordValue(System.nanoTime() - publishedNs.get(i));
            }
            // A place that is free would be taken by the flood.
            while (!stop)
            {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void publish(final SinkRig rig, final int events)
    {
        for (int i = 0; i < events; i++)
        {
            publishedNs.set((int)rig.published() + 1, System.nanoTime());
            rig.publishNext();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void run(final int events, final int flood) throws Exception
    {
        publishedNs = new AtomicLongArray(2 * events + 1);
        try (SinkRig rig =
            new SinkRig(ThreadingMode.DEDICATED).add("tcp", sink, SinkQueue.dropNewest(32_768)).launch())
        {
            final List<Histogram> delays = new ArrayList<>();
            for (int i = 0; i < READERS; i++)
            {
                final Histogram histogram = new Histogram(MAX_DELAY_NS, 3);
                delays.add(histogram);
                final Socket socket = connect();
                start(() -> read(socket, 2 * events, histogram));
            }
            SinkRig.until("readers", () -> rig.counter("tcp.clients") == READERS);
            publish(rig, events);
            SinkRig.until("read", () -> delays.stream().allMatch(each -> each.getTotalCount() >= events) ||
                failure.get() != null);
            final Histogram calm = sum(delays);
            final AtomicLong refused = new AtomicLong();
            start(() -> sendNowAndThen(rig));
            SinkRig.until("slow", () -> rig.counter("tcp.clients") == READERS + SLOW);
            final Thread connects = start(() -> flood(flood, refused));
            while (connects.isAlive() || rig.published() < 2 * events)
            {
                if (rig.published() < 2 * events)
                {
                    publish(rig, 1);
                }
            }
            SinkRig.until("read", () -> delays.stream().allMatch(each -> each.getTotalCount() >= 2 * events) ||
                failure.get() != null);
            stop = true;
            for (final Thread thread : threads)
            {
                thread.join();
            }
            assertEquals(null, failure.get());
            assertEquals(flood, refused.get());
            assertEquals(flood, rig.counter("tcp.overLimit"));
            assertEquals(0, rig.counter("tcp.dropped"));
            assertEquals(0, rig.counter("tcp.cutOff"));
            final Histogram flooded = sum(delays);
            flooded.subtract(calm);
            System.out.printf("TCP flood: %d connections refused; delay of %d readers without it p50 %d µs, " +
                "p99 %d µs; with it p50 %d µs, p99 %d µs%n", flood, READERS, calm.getValueAtPercentile(50) / 1_000,
                calm.getValueAtPercentile(99) / 1_000, flooded.getValueAtPercentile(50) / 1_000,
                flooded.getValueAtPercentile(99) / 1_000);
            rig.end();
            rig.checkSums("tcp");
        }
    }

    private static Histogram sum(final List<Histogram> delays)
    {
        final Histogram sum = new Histogram(MAX_DELAY_NS, 3);
        delays.forEach(sum::add);
        return sum;
    }

    /** Clients that take a place, send a byte now and then, and read nothing. */
    private void sendNowAndThen(final SinkRig rig) throws IOException
    {
        final List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < SLOW; i++)
        {
            sockets.add(connect());
        }
        while (!stop)
        {
            for (final Socket socket : sockets)
            {
                socket.getOutputStream().write('x');
            }
            LockSupport.parkNanos(1_000_000);
        }
        for (final Socket socket : sockets)
        {
            socket.close();
        }
        assertTrue(rig.counter("tcp.accepted") >= SLOW);
    }

    /** Each is closed at once. */
    private void flood(final int connections, final AtomicLong refused) throws IOException
    {
        for (int i = 0; i < connections; i++)
        {
            try (Socket socket = connect())
            {
                int read;
                try
                {
                    read = socket.getInputStream().read();
                }
                catch (final IOException ex)
                {
                    // A reset is as good.
                    read = -1;
                }
                assertEquals(-1, read);
                refused.incrementAndGet();
            }
        }
    }

    @Test
    void shouldServeOthersWhileConnectionsFlood() throws Exception
    {
        run(400, 300);
    }

    @Test
    @Tag("faults")
    void shouldServeOthersWhileTenThousandConnectionsFlood() throws Exception
    {
        run(10_000, 10_000);
    }
}
