package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Publishes four million events a second, by a fixed schedule, to an agent that spins. After each million prints the
 * time, the used heap and the number of garbage collections. It keeps two cores busy for about two seconds.
 */
public final class PooledEvents
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    /** Greatest number of events that wait for the agent: one millisecond at four million a second. */
    private static final int CAPACITY = 4_096;
    /** Below this part of the rate that was asked for, it was not kept. */
    private static final double KEPT = 0.99;

    static final class Trade extends BasePoolAware
    {
        long number;
        long price;
    }

    private final PrintStream out;
    private final InVmSource<Trade> trades = new InVmSource<>(Trade::new, CAPACITY);
    /** Written by the agent's thread, read when the server is closed. */
    private long handled;
    private long sum;

    private PooledEvents(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Eight million events at four million a second.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        run(System.out, 4_000_000, 8, 1_000_000, new BusySpinIdleStrategy());
    }

    static void run(
        final PrintStream out, final long rate, final int lines, final long eventsPerLine, final IdleStrategy idle)
    {
        new PooledEvents(out).run(rate, lines, eventsPerLine, idle);
    }

    private void run(final long rate, final int lines, final long eventsPerLine, final IdleStrategy idle)
    {
        final long events = lines * eventsPerLine;
        final long tookNs;
        out.printf(Locale.ROOT, "%,d events at %,d a second%n%12s %8s %15s %6s%n",
            events, rate, "messages", "ms", "heap used KiB", "GCs");
        try (Server server = Server.launch(new Server.Context()
            .flow("trades", f -> f.from(trades).onFull(BackPressure.BLOCK).to("sum", this::onTrade))
            .agent("sum", agent -> agent.idle(idle))))
        {
            tookNs = publish(rate, events, eventsPerLine);
            out.printf(Locale.ROOT, "%,d times the publisher had to wait for capacity%n",
                server.counters().value("trades.blocked"));
        }
        if (handled != events || sum != events * (events - 1) / 2)
        {
            throw new IllegalStateException(handled + " of " + events + " events were handled, sum " + sum);
        }
        final double achieved = (double)events * SECOND_NS / tookNs;
        out.printf(Locale.ROOT, achieved >= KEPT * rate ? "rate kept: %,.0f a second of %,d%n" :
            "this host could not keep the rate: %,.0f a second instead of %,d%n", achieved, rate);
    }

    private void onTrade(final Trade trade, final long sequence, final boolean endOfBatch)
    {
        handled++;
        sum += trade.number;
    }

    /** Open loop: an event is due at its scheduled time, even if earlier ones were late. Late ones go out at once. */
    private long publish(final long rate, final long events, final long eventsPerLine)
    {
        final long startNs = System.nanoTime();
        long lineStartNs = startNs;
        for (long i = 0; i < events; i++)
        {
            final long dueNs = startNs + i * SECOND_NS / rate;
            while (System.nanoTime() - dueNs < 0)
            {
                Thread.onSpinWait();
            }
            final Trade trade = trades.claim();
            trade.number = i;
            trade.price = 10_000 + i % 100;
            trades.publish(trade);
            if ((i + 1) % eventsPerLine == 0)
            {
                final long nowNs = System.nanoTime();
                line(i + 1, nowNs - lineStartNs);
                lineStartNs = nowNs;
            }
        }
        return System.nanoTime() - startNs;
    }

    private void line(final long messages, final long tookNs)
    {
        final Runtime runtime = Runtime.getRuntime();
        final long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
        out.printf(Locale.ROOT, "%,12d %,8d %,15d %6d%n", messages, TimeUnit.NANOSECONDS.toMillis(tookNs),
            (runtime.totalMemory() - runtime.freeMemory()) >> 10, collections);
    }
}
