package io.millrace.exchange.core;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** New ids of orders: the share of each client. */
class OrderNamesTest
{
    private static final int SYMBOL = 1;
    private static final long NEW = 1L << 40;

    private final OrderIds ids = new OrderIds(0x1234_5678_9ABC_DEF0L);
    private final OrderNames names = new OrderNames(ids);

    /** Gives orders of a client new ids, as many as it may have. */
    private int fill(final int client)
    {
        int count = 0;
        while (names.hasCapacity(SYMBOL, ids.toEngine(client, count + 1)))
        {
            count++;
            names.rename(SYMBOL, ids.toEngine(client, count), ids.toEngine(client, NEW + count));
        }
        return count;
    }

    @Test
    void shouldLeaveSomeForEachOtherClient()
    {
        int expected = OrderNames.CAPACITY / 2;
        for (final int client : new int[] {OrderIds.MAX_CLIENT, 1, 2, 3, 4, 5, 6, 7})
        {
            assertEquals(expected, fill(client));
            expected /= 2;
        }
        final long one = ids.toEngine(7, 1);
        assertEquals(one, names.order(ids.toEngine(7, NEW + 1)));
        // Its order has an id already.
        assertTrue(names.hasCapacity(SYMBOL, one));
        names.rename(SYMBOL, one, ids.toEngine(7, 2 * NEW));
        assertFalse(names.hasCapacity(SYMBOL, ids.toEngine(7, NEW - 1)));
        names.remove(SYMBOL, one);
        assertTrue(names.hasCapacity(SYMBOL, ids.toEngine(7, NEW - 1)));
    }
}
