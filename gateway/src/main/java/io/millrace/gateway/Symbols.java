package io.millrace.gateway;

/**
 * Symbols as longs: eight ASCII characters, the first in the highest byte, padded right with spaces. A packet's eight
 * bytes read in big-endian order are the symbol.
 */
public final class Symbols
{
    /** Characters of a symbol. */
    public static final int LENGTH = 8;

    /** Eight spaces: no symbol. */
    public static final long NONE = 0x2020202020202020L;

    private Symbols()
    {
    }

    /**
     * The symbol of a text.
     *
     * @param text 1 to 8 printable ASCII characters (33 to 126).
     * @return the symbol.
     * @throws IllegalArgumentException if the text is longer or empty, or has another character.
     */
    public static long of(final CharSequence text)
    {
        if (text.length() < 1 || text.length() > LENGTH)
        {
            throw new IllegalArgumentException("symbol \"" + text + "\": length is not in 1.." + LENGTH);
        }
        long symbol = NONE;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (c < 33 || c > 126)
            {
                throw new IllegalArgumentException(
                    "symbol \"" + text + "\": character " + (int)c + " is not in 33..126");
            }
            final int shift = 56 - 8 * i;
            symbol = symbol & ~(0xFFL << shift) | (long)c << shift;
        }
        return symbol;
    }

    /**
     * One character, without an allocation.
     *
     * @param symbol the symbol.
     * @param index  0 to 7.
     * @return the ASCII character; a space after the end.
     */
    public static byte charAt(final long symbol, final int index)
    {
        return (byte)(symbol >>> 56 - 8 * index);
    }

    /**
     * Number of characters before the padding.
     *
     * @param symbol the symbol.
     * @return 0 to 8.
     */
    public static int length(final long symbol)
    {
        final long letters = symbol ^ NONE;
        return letters == 0 ? 0 : LENGTH - Long.numberOfTrailingZeros(letters) / 8;
    }

    /**
     * Whether eight bytes are a symbol: at least one character, each printable ASCII (33 to 126), then spaces only.
     *
     * @param symbol eight bytes, the first in the highest byte.
     * @return whether {@link #of} can return it.
     */
    public static boolean isValid(final long symbol)
    {
        // Eight bytes at a time; none of the sums carries into the next byte. A byte b < 128 sets its highest bit in
        // b + 95 if b > 32, and in b + 1 if b is 127.
        final long high = 0x8080808080808080L;
        final long letters = symbol + 0x5F5F5F5F5F5F5F5FL & high;
        final long paddingBytes = ((~letters & high) >>> 7) * 0xFF;
        return ((symbol | symbol + 0x0101010101010101L) & high) == 0 &&
            letters != 0 && letters == high << Long.numberOfTrailingZeros(letters) - 7 &&
            ((symbol ^ NONE) & paddingBytes) == 0;
    }

    /**
     * The text of a symbol without its padding; allocates.
     *
     * @param symbol the symbol.
     * @return 0 to 8 characters.
     */
    public static String text(final long symbol)
    {
        final StringBuilder text = new StringBuilder(LENGTH);
        for (int i = 0; i < length(symbol); i++)
        {
            text.append((char)(charAt(symbol, i) & 0xFF));
        }
        return text.toString();
    }
}
