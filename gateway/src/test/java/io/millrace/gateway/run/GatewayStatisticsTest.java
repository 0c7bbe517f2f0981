package io.millrace.gateway.run;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertTrue;

class GatewayStatisticsTest
{
    @Test
    void shouldCountTheSymbolsOfAFloodTogether()
    {
        final GatewayStatistics statistics = new GatewayStatistics();
        final BboEvent event = new BboEvent();
        for (int i = 0; i < 100_000; i++)
        {
            event.quote(Symbols.of("S" + i), 1, 1, 2, 1).times(0, System.nanoTime());
            statistics.onEvent(event, i, true);
        }
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        statistics.print(new PrintStream(out, true, StandardCharsets.UTF_8));
        final String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(String.format("quotes by symbol (%,d symbols):", 16_384)), text);
        assertTrue(text.contains(String.format("quotes of further symbols %,d%n", 100_000 - 16_384)), text);
    }
}
