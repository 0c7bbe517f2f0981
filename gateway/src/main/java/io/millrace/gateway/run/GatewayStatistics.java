package io.millrace.gateway.run;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.EventHandler;
import org.HdrHistogram.Histogram;
import org.agrona.collections.Long2LongCounterMap;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures and counts the gateway's events: its last stage. The handler's thread writes; {@link #print} is for after
 * the close. Allocates nothing for an event.
 */
final class GatewayStatistics implements EventHandler<BboEvent>
{
    private static final int BAR_LENGTH = 40;
    private static final int MAX_SYMBOLS_PRINTED = 20;
    /** Upper ends of the buckets, in nanoseconds. */
    private static final long[] BUCKETS = {500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
        1_000_000, 2_000_000, 5_000_000, 10_000_000, 100_000_000, Long.MAX_VALUE};

    private final LatencyRecorder latencies = new LatencyRecorder();
    /** As many symbols as the outputs know: a flood of invented ones must not fill the heap. */
    private final Long2LongCounterMap bySymbol = new Long2LongCounterMap(GatewaySinks.MAX_SYMBOLS * 2, 0.5f, 0);
    private long otherSymbols;
    private long twoSided;
    private long bidOnly;
    private long askOnly;
    private long noData;

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        latencies.record(System.nanoTime() - event.receiveTimeNs());
        if (bySymbol.size() < GatewaySinks.MAX_SYMBOLS || bySymbol.containsKey(event.symbol()))
        {
            bySymbol.incrementAndGet(event.symbol());
        }
        else
        {
            otherSymbols++;
        }
        if (event.bidPrice() != 0)
        {
            if (event.askPrice() != 0)
            {
                twoSided++;
            }
            else
            {
                bidOnly++;
            }
        }
        else if (event.askPrice() != 0)
        {
            askOnly++;
        }
        else
        {
            noData++;
        }
    }

    /** Prints all; returns the latencies. Once, after the close. */
    Histogram print(final PrintStream out)
    {
        final Histogram all = latencies.takeInterval(null);
        out.printf(Locale.ROOT, "samples %,d, reception to outputs, microseconds:%n", all.getTotalCount());
        if (all.getTotalCount() > 0)
        {
            out.printf(Locale.ROOT, "  avg %s  min %s  p50 %s  p95 %s  p99 %s  max %s  standard deviation %s%n",
                micros(all.getMean()), micros(all.getMinValue()), micros(all.getValueAtPercentile(50)),
                micros(all.getValueAtPercentile(95)), micros(all.getValueAtPercentile(99)),
                micros(all.getMaxValue()), micros(all.getStdDeviation()));
            printBuckets(out, all);
        }
        out.printf(Locale.ROOT, "quotes by type: two-sided %,d, bid only %,d, ask only %,d, no data %,d%n",
            twoSided, bidOnly, askOnly, noData);
        printSymbols(out);
        return all;
    }

    private static String micros(final double ns)
    {
        return String.format(Locale.ROOT, "%.2f", ns / 1_000);
    }

    private static void printBuckets(final PrintStream out, final Histogram all)
    {
        long from = 0;
        for (final long to : BUCKETS)
        {
            final long count = all.getCountBetweenValues(from, to - 1);
            if (count > 0)
            {
                final double share = (double)count / all.getTotalCount();
                out.printf(Locale.ROOT, "  %10s %,10d %5.1f %% %s%n",
                    to == Long.MAX_VALUE ? ">= " + from / 1_000 : "< " + (to < 1_000 ? "0.5" : to / 1_000), count,
                    share * 100,
                    "#".repeat((int)Math.ceil(share * BAR_LENGTH)));
            }
            // A value on the border counts in the bucket above it.
            from = to;
        }
    }

    private void printSymbols(final PrintStream out)
    {
        final Map<String, Long> sorted = new TreeMap<>();
        bySymbol.forEach((symbol, count) -> sorted.put(Symbols.text(symbol), count));
        out.printf(Locale.ROOT, "quotes by symbol (%,d symbols):%n", sorted.size());
        sorted.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .limit(MAX_SYMBOLS_PRINTED)
            .forEach(entry -> out.printf(Locale.ROOT, "  %-8s %,d%n", entry.getKey(), entry.getValue()));
        if (sorted.size() > MAX_SYMBOLS_PRINTED)
        {
            out.printf(Locale.ROOT, "  and %,d more%n", sorted.size() - MAX_SYMBOLS_PRINTED);
        }
        if (otherSymbols > 0)
        {
            out.printf(Locale.ROOT, "  quotes of further symbols %,d%n", otherSymbols);
        }
    }
}
