package io.millrace.engine.book;

import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compares the answers of an engine, or of a server around it, with an {@link OracleStream}: for each command
 * {@link #command}, its executions, {@link #result}; at the end {@link #finish}. One thread.
 */
public final class OracleJudge implements Execution.Listener
{
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final OracleStream stream;
    private final long[] counts = new long[Execution.Kind.values().length];
    private OracleStream.Command command;
    private int nextCommand;
    private int nextEvent;
    private int index;
    private long fnv = FNV_BASIS;
    private long tradeVolume;
    private long tradeNotional;

    public OracleJudge(final OracleStream stream)
    {
        this.stream = stream;
    }

    /** The next calls belong to the command at this place in {@link OracleStream#commands()}, one after the other. */
    public void command(final int number)
    {
        assertEquals(nextCommand, number, "commands come in order");
        command = stream.commands().get(number);
        nextCommand++;
        index = 0;
    }

    @Override
    public void onExecution(final Execution e)
    {
        final OracleStream.Event event =
            OracleStream.Event.of(command.seq(), index, stream.fileId(e.orderId()), e);
        assertTrue(nextEvent < stream.events().size(), () -> "one more than the oracle has: " + event);
        assertEquals(stream.events().get(nextEvent), event, () -> "executions of " + command);
        nextEvent++;
        index++;
        counts[e.kind().ordinal()]++;
        if (e.kind() == Execution.Kind.TRADE)
        {
            tradeVolume += e.size();
            tradeNotional += e.price() * e.size();
        }
        hash(command.seq());
        hash(e.kind().ordinal());
        hash(e.makerOrderId());
        hash(e.price());
        hash(e.size());
    }

    private void hash(final long value)
    {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            fnv = (fnv ^ (value >>> shift & 0xff)) * FNV_PRIME;
        }
    }

    /** The command is done. */
    public void result(final CommandResult result)
    {
        assertEquals(command.result(), result, () -> "result of " + command);
        assertEquals(command.events(), index, () -> "number of executions of " + command);
    }

    /** All commands are done: compares the books of the engine as they are now. */
    public void finish(final MatchingEngine engine)
    {
        assertEquals(stream.commands().size(), nextCommand, "commands");
        assertEquals(stream.events().size(), nextEvent, "executions");
        final List<String> ordersByUser = new ArrayList<>();
        for (final SymbolSpec spec : stream.symbols())
        {
            final OrderBook book = engine.book(spec.symbol());
            assertEquals(stream.finalLevels(spec.symbol()), BookListing.levels(book));
            if (stream.symbols().size() == 1)
            {
                assertEquals(stream.finalOrders(), BookListing.orders(book));
            }
            for (final String row : BookListing.orders(book))
            {
                final String[] order = row.split(",");
                ordersByUser.add(String.join(",", order[3], "" + spec.symbol(), order[2], order[0], order[4], order[5],
                    order[6], order[7]));
            }
        }
        if (stream.symbols().size() > 1)
        {
            ordersByUser.sort(null);
            assertEquals(stream.finalOrdersByUser(), ordersByUser);
        }
        assertEquals(Long.toHexString(stream.fnv()), Long.toHexString(fnv), "FNV-1a-64 over all executions");
    }

    /** FNV-1a-64 over the executions so far, as the rules page defines it. */
    public long fnv()
    {
        return fnv;
    }

    /** Number of trades so far. */
    public long trades()
    {
        return counts[Execution.Kind.TRADE.ordinal()];
    }

    /** Their lots. */
    public long tradeVolume()
    {
        return tradeVolume;
    }

    /** Their sum of price times size. */
    public long tradeNotional()
    {
        return tradeNotional;
    }

    /** Number of rejects so far. */
    public long rejects()
    {
        return counts[Execution.Kind.REJECT.ordinal()];
    }

    /** Number of reductions so far, cancels among them. */
    public long reduces()
    {
        return counts[Execution.Kind.REDUCE.ordinal()];
    }
}
