package io.millrace.engine.book;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The search for the next level with orders, against a linear search of the levels. */
class LevelBitmapTest
{
    private static final int SEEDS = 100;
    private static final int ROUNDS = 8;

    // Some runs of stale bits are longer than a word.
    private static final int GREATEST_RUN = 200;

    @ParameterizedTest
    @ValueSource(ints = {64, 128, 8_192})
    void shouldPassStaleBits(final int window)
    {
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final Random random = new Random(seed);
            final long[] totals = new long[2 * window];
            final LevelBitmap bitmap = new LevelBitmap(window, totals);
            final int[] sides = new int[window];
            for (int round = 0; round < ROUNDS; round++)
            {
                fill(bitmap, totals, sides, random);
                final int side = random.nextInt(2);
                final int from = bitmap.firstBit(side) + random.nextInt(window + 1);
                final String where = "seed " + seed + ", window " + window + ", round " + round + ", from " + from;
                assertEquals(linear(bitmap, totals, side, from), bitmap.next(side, from), where);
                assertHasBits(bitmap, totals, sides, where);
            }
        }
    }

    /** Changes runs of levels: gives a run orders of one side, and takes most of them away. */
    private static void fill(
        final LevelBitmap bitmap, final long[] totals, final int[] sides, final Random random)
    {
        final int window = totals.length / 2;
        final int first = random.nextInt(window);
        final int end = Math.min(window, first + 1 + random.nextInt(GREATEST_RUN));
        final int side = random.nextInt(2);
        for (int level = first; level < end; level++)
        {
            bitmap.occupy(bitmap.bit(side, level));
            sides[level] = side;
            totals[2 * level + 1] = random.nextInt(GREATEST_RUN / 2) == 0 ? 1 : 0;
        }
    }

    private static void assertHasBits(
        final LevelBitmap bitmap, final long[] totals, final int[] sides, final String where)
    {
        for (int level = 0; level < sides.length; level++)
        {
            assertTrue(totals[2 * level + 1] == 0 || isSet(bitmap, bitmap.bit(sides[level], level)), where);
        }
    }

    private static boolean isSet(final LevelBitmap bitmap, final int bit)
    {
        return (bitmap.words[bit >>> 6] >>> bit & 1) != 0;
    }

    /** Tests one bit after the other. */
    private static int linear(final LevelBitmap bitmap, final long[] totals, final int side, final int from)
    {
        for (int bit = from; bit < bitmap.firstBit(side + 1); bit++)
        {
            if (totals[2 * bitmap.level(bit) + 1] > 0 && isSet(bitmap, bit))
            {
                return bit;
            }
        }
        return LevelBitmap.NONE;
    }
}
