package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.OrderBook;

import java.util.HashMap;
import java.util.Map;

/**
 * Expected result of an order book for repeated commands, for any number of them. The commands end with an empty book,
 * so each lap gives the same executions: the results of whole laps are combined, and only the rest of a lap is
 * executed. One thread.
 */
public final class ExpectedExecutions
{
    // Rounds mostly send the same number; those of a saturated path each another.
    private static final int MAX_KNOWN = 1_000;

    private final CommandColumns commands;
    private final Executions lap;
    // A lap maps the checksum x to x * factor + addend.
    private final long factor;
    private final long addend;
    private final Map<Long, Executions> known = new HashMap<>();

    /**
     * Play the commands twice.
     *
     * @param commands that leave an empty book behind.
     * @throws IllegalArgumentException when they do not.
     */
    public ExpectedExecutions(final CommandColumns commands)
    {
        this.commands = commands;
        lap = play(0, commands.count());
        addend = lap.checksum();
        factor = play(1, commands.count()).checksum() - addend;
        if (lap.resting() != 0)
        {
            throw new IllegalArgumentException(lap.resting() + " orders rest after the last command of " +
                commands.origin() + ": repeated, the commands would not do the same again");
        }
    }

    private Executions play(final long checksum, final int count)
    {
        final ExecutionLedger ledger = new ExecutionLedger(checksum);
        final OrderBook book = new OrderBook(MatchingHandler.SYMBOL, ledger);
        for (int i = 0; i < count; i++)
        {
            ledger.onResult(commands.orderId(i), commands.uid(i), BookCommands.apply(commands, i, book).code());
        }
        return ledger.executions(book.orderCount());
    }

    /**
     * Result of one lap of all commands.
     *
     * @return counts; the checksum is of no use.
     */
    public Executions lap()
    {
        return lap;
    }

    /**
     * Expected result of a run.
     *
     * @param events how many commands it sent.
     * @return the executions of that many commands, repeated as needed.
     */
    public Executions after(final long events)
    {
        if (known.size() == MAX_KNOWN)
        {
            known.clear();
        }
        return known.computeIfAbsent(events, this::compute);
    }

    private Executions compute(final long events)
    {
        final long laps = events / commands.count();
        long checksum = FieldChecksum.START;
        for (long i = 0; i < laps; i++)
        {
            checksum = checksum * factor + addend;
        }
        final Executions rest = play(checksum, (int)(events % commands.count()));
        return new Executions(laps * lap.trades() + rest.trades(), laps * lap.rejects() + rest.rejects(),
            laps * lap.reduces() + rest.reduces(), laps * lap.refused() + rest.refused(), rest.checksum(),
            rest.resting());
    }
}
