package io.millrace.gateway;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SymbolsTest
{
    @Test
    void shouldKeepTheText()
    {
        for (final String text : new String[]{"A", "AAPL", "BRK.B", "ABCDEFGH"})
        {
            assertEquals(text, Symbols.text(Symbols.of(text)));
            assertEquals(text.length(), Symbols.length(Symbols.of(text)));
        }
        assertEquals(0x4141504C20202020L, Symbols.of("AAPL"));
        assertEquals(0, Symbols.length(Symbols.NONE));
        assertEquals('P', Symbols.charAt(Symbols.of("AAPL"), 2));
    }

    @Test
    void shouldRefuseATextThatIsNoSymbol()
    {
        for (final String text : new String[]{"", "ABCDEFGHI", "A B", "\u00e4"})
        {
            final var e = assertThrows(IllegalArgumentException.class, () -> Symbols.of(text));
            assertTrue(e.getMessage().contains("\"" + text + "\""), e.getMessage());
        }
    }

    @Test
    void shouldKnowEightBytesThatAreASymbol()
    {
        for (final String bytes : new String[]{"A       ", "AAPL    ", "ABCDEFGH", "!~      "})
        {
            assertTrue(Symbols.isValid(longOf(bytes)), bytes);
        }
        for (final String bytes : new String[]{"        ", " AAPL   ", "AA PL   ", "AAPL\0\0\0\0", "AAPL\u007f   ",
            "AAPL\u00e4   ", "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff", "AAPL   \n", "\0\0\0\0\0\0\0\0"})
        {
            assertFalse(Symbols.isValid(longOf(bytes)), bytes);
        }
    }

    @Test
    void shouldKnowASymbolWhateverTheBytesAre()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++)
        {
            final int letters = random.nextInt(9);
            long bytes = 0;
            for (int k = 0; k < 8; k++)
            {
                bytes = bytes << 8 | (k < letters ? 33 + random.nextInt(94) : ' ');
            }
            if (i % 2 == 0)
            {
                bytes ^= (1L + random.nextInt(255)) << 8 * random.nextInt(8);
            }
            boolean valid = (bytes >>> 56) > 32;
            for (int k = 0; k < 8; k++)
            {
                final int b = Symbols.charAt(bytes, k) & 0xFF;
                valid &= b >= 32 && b < 127 && (b == 32 || k == 0 || Symbols.charAt(bytes, k - 1) != ' ');
            }
            assertEquals(valid, Symbols.isValid(bytes), () -> "-Dmillrace.seed=" + seed);
        }
    }

    private static long longOf(final String bytes)
    {
        long symbol = 0;
        for (int i = 0; i < 8; i++)
        {
            symbol = symbol << 8 | bytes.charAt(i);
        }
        return symbol;
    }
}
