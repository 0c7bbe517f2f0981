package io.millrace.benchmarks.exchange;

import java.io.Serializable;

/**
 * The columns of a flow, 25 bytes a command. Filled by one thread, then only read.
 */
final class FlowColumns implements Serializable
{
    private static final long serialVersionUID = 1L;

    final byte[] types;
    final byte[] orderTypes;
    final byte[] sides;
    /** Index of the symbol. */
    final short[] symbols;
    final int[] orderIds;
    final int[] uids;
    /** An int holds a budget of the flow: 344 lots at 2,050,000 at most. */
    final int[] prices;
    final int[] sizes;
    final int[] reserves;

    FlowColumns(final int count)
    {
        types = new byte[count];
        orderTypes = new byte[count];
        sides = new byte[count];
        symbols = new short[count];
        orderIds = new int[count];
        uids = new int[count];
        prices = new int[count];
        sizes = new int[count];
        reserves = new int[count];
    }

    int count()
    {
        return types.length;
    }
}
