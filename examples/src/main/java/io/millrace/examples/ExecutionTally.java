package io.millrace.examples;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.server.pipeline.EventHandler;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Counts executions and results, prints trades on request, and hashes the executions. The hash is FNV-1a, 64 bits, over
 * the TRADEs, REJECTs and REDUCEs in their order. Each gives five longs, lowest byte first: number of the command from
 * 0, kind (TRADE 0, REJECT 1, REDUCE 2), order id of the maker (0 unless a TRADE), price, size.
 *
 * <p>One thread; read it after that thread has ended.
 */
final class ExecutionTally implements EventHandler<ExecutionEvent>
{
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final CommandResult[] RESULTS = CommandResult.values();
    private static final int TOP_LEVELS = 5;

    private final PrintStream out;
    private final boolean printsTrades;
    private final long[] countByResult = new long[RESULTS.length];
    private final long[] countByKind = new long[ExecutionKind.OPEN_INTEREST + 1];
    private long tradeVolume;
    private boolean volumeIsBeyond;
    private long fnv = FNV_OFFSET;

    ExecutionTally(final PrintStream out, final boolean printsTrades)
    {
        this.out = out;
        this.printsTrades = printsTrades;
    }

    @Override
    public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        countByKind[event.kind()]++;
        if (event.kind() == ExecutionKind.RESULT)
        {
            countByResult[event.resultCode()]++;
            return;
        }
        hash(event.commandSequence());
        hash(event.kind());
        hash(event.makerOrderId());
        hash(event.price());
        hash(event.size());
        if (event.kind() == ExecutionKind.TRADE)
        {
            tradeVolume += event.size();
            volumeIsBeyond |= tradeVolume < 0;
            if (printsTrades)
            {
                out.println("trade in command " + event.commandSequence() + ": " + event.size() + " at " +
                    event.price() + ", taker " + event.orderId() + " " + Side.name(event.side()) + ", maker " +
                    event.makerOrderId());
            }
        }
    }

    private void hash(final long value)
    {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            fnv = (fnv ^ value >>> shift & 0xff) * FNV_PRIME;
        }
    }

    void print(final PrintStream to, final OrderBook book)
    {
        row(to, "results", countByKind[ExecutionKind.RESULT]);
        for (int i = 0; i < RESULTS.length; i++)
        {
            if (countByResult[i] > 0)
            {
                row(to, "  " + RESULTS[i], countByResult[i]);
            }
        }
        row(to, "executions", countByKind[ExecutionKind.TRADE] + countByKind[ExecutionKind.REJECT] +
            countByKind[ExecutionKind.REDUCE]);
        for (byte kind = ExecutionKind.TRADE; kind < ExecutionKind.RESULT; kind++)
        {
            row(to, "  " + ExecutionKind.name(kind), countByKind[kind]);
        }
        if (volumeIsBeyond)
        {
            to.println("trade volume              beyond a long");
        }
        else
        {
            row(to, "trade volume", tradeVolume);
        }
        printSide(to, book, Side.ASK);
        printSide(to, book, Side.BID);
        to.println("hash of the executions, FNV-1a-64:");
        to.printf(Locale.ROOT, "%016x%n", fnv);
    }

    private static void printSide(final PrintStream to, final OrderBook book, final byte side)
    {
        final long[] totals = new long[2];
        book.forEachLevel(side, -1, (s, price, volume, orders) ->
        {
            totals[0] += volume;
            totals[1] += orders;
        });
        to.printf(Locale.ROOT, "%s: orders %,d, levels %,d, volume %,d%n",
            Side.name(side), totals[1], book.levelCount(side), totals[0]);
        book.forEachLevel(side, TOP_LEVELS, (s, price, volume, orders) ->
            to.printf(Locale.ROOT, "  price %,d: volume %,d, orders %,d%n", price, volume, orders));
    }

    static void row(final PrintStream to, final String what, final long count)
    {
        to.printf(Locale.ROOT, "%-24s %,12d%n", what, count);
    }
}
