package io.millrace.gateway.run;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

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
        final Locale before = Locale.getDefault();
        try
        {
            // With digits of its own: the report has none of them.
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            statistics.print(new PrintStream(out, true, StandardCharsets.UTF_8));
        }
        finally
        {
            Locale.setDefault(before);
        }
        final String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(String.format(Locale.ROOT, "quotes by symbol (%,d symbols):", 16_384)), text);
        assertTrue(text.contains(
            String.format(Locale.ROOT, "quotes of further symbols %,d%n", 100_000 - 16_384)), text);
    }
}
