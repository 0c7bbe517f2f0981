package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.jmh.book.BookContender;
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
    private final CommandColumns batch;
    private final BookContender book;

    FlowRun(final DepthFlow flow, final SymbolSpec spec)
    {
        this.flow = flow;
        batch = new CommandColumns("depth flow",
            COMMANDS_PER_ORDER_TENTHS * (spec.orderCapacity() - DepthFlow.SLACK) / 10);
        book = BookContender.closed(BookContender.MILLRACE, batch);
        book.open(spec);
        while (DepthRunner.place(flow, batch, book) > 0)
        {
            // Until all orders rest.
        }
    }

    @Override
    void prepare()
    {
        flow.next(batch, batch.capacity());
        book.prepare();
        book.begin(false);
    }

    @Override
    void time(final Histogram times, final Histogram clock)
    {
        for (int i = 0; i < batch.count(); i++)
        {
            final long beforeNs = System.nanoTime();
            book.give(i);
            final long afterNs = System.nanoTime();
            // The clock alone right after it, so that it is read under the same conditions.
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
        final BookAnswer answer = book.answer();
        // The flow does not know the levels.
        return new BookAnswer(answer.events(), answer.eventHash(), answer.refused(), answer.resting(), 0);
    }

    @Override
    BookAnswer wanted()
    {
        return new BookAnswer(flow.events(), flow.eventHash(), 0, flow.orders(), 0);
    }
}
