package io.millrace.benchmarks.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import io.millrace.benchmarks.rate.ThreadProbe;
import io.millrace.benchmarks.rate.WireLine;
import io.millrace.server.metrics.LatencyRecorder;

class ExchangeRoundTest
{
    private final Histogram intended = LatencyRecorder.newHistogram();

    private ExchangeRound round()
    {
        intended.recordValue(500);
        return new ExchangeRound(1_000_000, 700_000, 690_000, 690_000, 12, 1_700_000_000_000L, 700_000_000L, intended,
            new ThreadProbe.Usage(700_000_000L, 0, 3), new ThreadProbe.Usage(690_000_000L, 1_380_000, 4), 2, 1,
            0.01, Double.NaN, "source pinned to 0", new ExchangeAnswer(1, 2, 3, 4, -5));
    }

    @Test
    void shouldReadWhatItWrote()
    {
        final ExchangeRound round = round();
        assertEquals(round, ExchangeRound.from(WireLine.parse(round.toLine().toString())));
    }

    @Test
    void shouldCountOnlyWhatWasHandled()
    {
        assertEquals(690_000 / 0.7, round().achievedPerSecond(), 0.01);
        assertEquals(2.0, round().bytesPerCommand());
        assertEquals(1_000.0, round().handlerNs());
    }
}
