package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthBatch;
import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.book.SymbolSpec;

import org.HdrHistogram.Histogram;

/**
 * A full book that is given the commands of a {@link DepthFlow}. One thread.
 */
final class FlowRun extends HostileRun
{
    // Two and a half for each order of the largest book: at 400 ns each ten ticks of the host's clock.
    private static final int COMMANDS_PER_ORDER_TENTHS = 25;

    private final DepthFlow flow;
    private final DepthBatch batch;
    private final MillraceDepth book = new MillraceDepth();

    FlowRun(final DepthFlow flow, final SymbolSpec spec)
    {
        this.flow = flow;
        batch = new DepthBatch(COMMANDS_PER_ORDER_TENTHS * (spec.orderCapacity() - DepthFlow.SLACK) / 10);
        book.open(spec);
        do
        {
            flow.fill(batch);
            book.prepare(batch);
            book.give(batch);
            if (book.refused() > 0)
            {
                throw new IllegalStateException(book.refused() + " orders refused");
            }
        }
        while (batch.count() > 0);
    }

    @Override
    void prepare()
    {
        flow.next(batch, batch.room());
        book.prepare(batch);
    }

    @Override
    void time(final Histogram times, final Histogram clock)
    {
        for (int i = 0; i < batch.count(); i++)
        {
            final long beforeNs = System.nanoTime();
            book.give(batch, i);
            final long afterNs = System.nanoTime();
            // The clock by itself right behind, so that it is read in the same surroundings.
            final long againNs = System.nanoTime();
            record(times, afterNs - beforeNs);
            record(clock, againNs - afterNs);
        }
    }

    @Override
    int commands()
    {
        return batch.count();
    }

    @Override
    BookAnswer answer()
    {
        final LevelHash levels = new LevelHash();
        book.tellLevels(levels);
        // The flow does not know the levels.
        return new BookAnswer(book.events(), book.eventHash(), book.refused(), levels.orders(), 0);
    }

    @Override
    BookAnswer wanted()
    {
        return new BookAnswer(flow.events(), flow.eventHash(), 0, flow.orders(), 0);
    }
}
