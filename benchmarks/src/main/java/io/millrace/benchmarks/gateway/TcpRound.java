package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A round over TCP: a thread sends events on a schedule and reads all clients between.
 */
final class TcpRound
{
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long GIVE_UP_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int GROUP = 64;

    /** Sends the feed's next event; false: not taken, offer it again. */
    @FunctionalInterface
    interface Outlet
    {
        boolean offer(int lineLength) throws IOException;
    }

    private TcpRound()
    {
    }

    static void warmUp(final LineFeed feed, final List<LineClient> clients, final Outlet outlet, final int count)
        throws IOException
    {
        for (int done = 0; done < count; done += GROUP)
        {
            for (int i = 0; i < GROUP; i++)
            {
                send(feed, clients, outlet, LineFeed.UNTIMED);
            }
            await(feed, clients);
        }
    }

    /** Gives up what is not sent when half a round more than the round has passed. */
    static WireRounds.Round run(
        final LineFeed feed, final List<LineClient> clients, final List<LineClient> measured, final Outlet outlet,
        final long count, final long perSecond) throws IOException
    {
        final HostFiles.Ticks ticks = HostFiles.HERE.ticks(Pinning.allowed());
        final long roundNs = count * NS_PER_S / perSecond;
        final long startNs = System.nanoTime() + LEAD_NS;
        long sent = 0;
        long nowNs = startNs;
        while (sent < count && nowNs - startNs < roundNs + roundNs / 2)
        {
            final long intendedNs = startNs + sent * NS_PER_S / perSecond;
            do
            {
                poll(clients);
                nowNs = System.nanoTime();
            }
            while (nowNs < intendedNs);
            send(feed, clients, outlet, intendedNs);
            sent++;
        }
        final double seconds = Math.max(System.nanoTime() - startNs, roundNs) / 1e9;
        final long missing = await(feed, clients);
        final double steal = HostFiles.HERE.ticks(Pinning.allowed()).stealSince(ticks);
        final Histogram latency = LatencyRecorder.newHistogram();
        measured.forEach(client -> latency.add(client.latency));
        return new WireRounds.Round(latency, null, sent, missing, sent / seconds, Double.NaN, steal, -1);
    }

    private static void send(
        final LineFeed feed, final List<LineClient> clients, final Outlet outlet, final long intendedNs)
        throws IOException
    {
        final int length = feed.next(intendedNs);
        while (!outlet.offer(length))
        {
            poll(clients);
        }
    }

    private static int poll(final List<LineClient> clients) throws IOException
    {
        int lines = 0;
        for (int i = 0; i < clients.size(); i++)
        {
            lines += clients.get(i).poll();
        }
        return lines;
    }

    /** Reads until each client has a line of every event, or no more come; returns how many are missing. */
    private static long await(final LineFeed feed, final List<LineClient> clients) throws IOException
    {
        long missing = feed.count() * clients.size() - lines(clients);
        long sinceNs = System.nanoTime();
        while (missing > 0 && System.nanoTime() - sinceNs < GIVE_UP_NS)
        {
            final int lines = poll(clients);
            if (lines > 0)
            {
                missing -= lines;
                sinceNs = System.nanoTime();
            }
        }
        return missing;
    }

    static long lines(final List<LineClient> clients)
    {
        return clients.stream().mapToLong(LineClient::lines).sum();
    }
}
