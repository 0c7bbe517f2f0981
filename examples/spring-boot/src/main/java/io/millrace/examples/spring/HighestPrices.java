package io.millrace.examples.spring;

import io.millrace.server.Requests;
import io.millrace.server.pipeline.EventHandler;

import java.util.Arrays;

/** Remembers the highest price of each symbol. Its agent alone reads and writes the prices, so they need no lock. */
final class HighestPrices implements EventHandler<PriceEvent>
{
    static final int SYMBOLS = 100;

    /** The answer to a question; created in advance, one for each open request. */
    static final class Answer
    {
        long cents;
    }

    private final Requests<Answer> requests;
    private final long[] cents = new long[SYMBOLS];

    HighestPrices(final Requests<Answer> requests)
    {
        this.requests = requests;
    }

    /** Called in each start of the server. */
    @Override
    public void onStart()
    {
        Arrays.fill(cents, 0);
    }

    @Override
    public void onEvent(final PriceEvent event, final long sequence, final boolean endOfBatch)
    {
        cents[event.symbol] = Math.max(cents[event.symbol], event.cents);
        if (event.correlation != Requests.NONE)
        {
            final Answer answer = requests.answerTo(event.correlation);
            if (answer != null)
            {
                answer.cents = cents[event.symbol];
                requests.send(event.correlation);
            }
        }
    }
}
