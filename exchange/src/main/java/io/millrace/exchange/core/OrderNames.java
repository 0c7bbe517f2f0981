package io.millrace.exchange.core;

import io.millrace.engine.tables.Fnv;
import io.millrace.engine.tables.RowTable;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;

import java.io.IOException;
import java.util.Arrays;

/**
 * New ids of open orders: some protocols give an order a new id when they replace it, but the engine keeps the first
 * one. Ids here are those of {@link OrderIds#toEngine}. Only orders with a new id have a row. The core's thread only;
 * allocates nothing, except for snapshots.
 */
final class OrderNames
{
    /** Orders with a new id at a time: 88 bytes in each of two tables, 5.8 MB. A client alone may have half of them. */
    static final int CAPACITY = 32_768;

    private static final int OTHER = 1;
    private static final int SYMBOL = 2;
    private static final int NONE = RowTable.NONE;

    private final OrderIds ids;
    /** Key: the new id, which is in use in all symbols; other: the order. */
    private final RowTable byName = RowTable.inOrder(CAPACITY);
    /** Key: {@link #key}; other: the order's new id. */
    private final RowTable byOrder = RowTable.inOrder(CAPACITY);
    /** Orders with a new id of each client. */
    private final int[] counts = new int[OrderIds.MAX_CLIENT + 1];

    OrderNames(final OrderIds ids)
    {
        this.ids = ids;
    }

    /** The client's id of an order now. */
    long toClient(final int symbol, final long order)
    {
        final int h = byOrder.used() == 0 ? NONE : find(symbol, order);
        return ids.toClient(h == NONE ? order : byOrder.get(h, OTHER));
    }

    /** The client's id that an id stands for, whether first or new. */
    long asGiven(final long order)
    {
        return ids.toClient(order);
    }

    /** Orders of two symbols may have the same id. */
    private static long key(final int symbol, final long order)
    {
        return order + Fnv.mix(symbol);
    }

    private int find(final int symbol, final long order)
    {
        final int h = byOrder.find(key(symbol, order));
        return h != NONE && byOrder.get(h, SYMBOL) == symbol ? h : NONE;
    }

    /** Whether an id is the new one of an order. */
    boolean isName(final long id)
    {
        return byName.used() > 0 && byName.find(id) != NONE;
    }

    /** Whether an id is the first one of an order that has a new one, and not itself a new one. */
    boolean isOld(final int symbol, final long id)
    {
        return byOrder.used() > 0 && !isName(id) && find(symbol, id) != NONE;
    }

    /** The order with an id, whether new or first. */
    long order(final long id)
    {
        final int h = byName.used() == 0 ? NONE : byName.find(id);
        return h == NONE ? id : byName.get(h, OTHER);
    }

    /** Symbol of the order with a new id; ALL_SYMBOLS if no order has it. Elsewhere its first id may be another's. */
    int symbol(final long id)
    {
        return isName(id) ? (int)byName.get(byName.find(id), SYMBOL) : ExchangeCommand.ALL_SYMBOLS;
    }

    /**
     * Whether an order may get a new id that no order has. A client may have as many as are free, so that a few clients
     * leave some for each other one.
     */
    boolean hasCapacity(final int symbol, final long order)
    {
        // Another order may have the key, though only by a rare chance: then this one finds no space.
        return byOrder.find(key(symbol, order)) == NONE ? counts[ids.clientOf(order)] < byOrder.freeRows() :
            find(symbol, order) != NONE;
    }

    void rename(final int symbol, final long order, final long name)
    {
        remove(symbol, order);
        add(symbol, order, name);
    }

    private void add(final int symbol, final long order, final long name)
    {
        final int o = byOrder.add(key(symbol, order));
        byOrder.set(o, OTHER, name);
        byOrder.set(o, SYMBOL, symbol);
        final int n = byName.add(name);
        byName.set(n, OTHER, order);
        byName.set(n, SYMBOL, symbol);
        counts[ids.clientOf(order)]++;
    }

    /** The order is gone. */
    void remove(final int symbol, final long order)
    {
        final int h = byOrder.used() == 0 ? NONE : find(symbol, order);
        if (h != NONE)
        {
            byName.remove(byName.find(byOrder.get(h, OTHER)));
            byOrder.remove(h);
            counts[ids.clientOf(order)]--;
        }
    }

    /** Sorted, so that equal states give equal bytes. */
    private long[] sorted()
    {
        final long[] all = new long[byName.used()];
        int count = 0;
        for (int h = 0; h < byName.end(); h++)
        {
            if (byName.isUsed(h))
            {
                all[count++] = byName.key(h);
            }
        }
        Arrays.sort(all);
        return all;
    }

    void writeTo(final SnapshotOutput out) throws IOException
    {
        final long[] all = sorted();
        out.putLong(all.length);
        for (final long name : all)
        {
            final int h = byName.find(name);
            out.putLong(byName.get(h, OTHER));
            out.putLong(byName.get(h, SYMBOL));
            out.putLong(name);
        }
    }

    void readFrom(final SnapshotInput in) throws IOException
    {
        for (int h = byName.end() - 1; h >= 0; h--)
        {
            if (byName.isUsed(h))
            {
                remove((int)byName.get(h, SYMBOL), byName.get(h, OTHER));
            }
        }
        final long count = in.getLong();
        if (count < 0 || count > CAPACITY)
        {
            throw new IOException("snapshot with " + count + " new order ids, not 0.." + CAPACITY);
        }
        for (long i = 0; i < count; i++)
        {
            final long order = in.getLong();
            final int symbol = (int)in.getLong();
            final long name = in.getLong();
            if (byOrder.find(key(symbol, order)) != NONE || byName.find(name) != NONE)
            {
                throw new IOException("snapshot with an order id twice");
            }
            add(symbol, order, name);
        }
    }

    long addToHash(final long hash)
    {
        long sum = 0;
        for (int h = 0; h < byName.end(); h++)
        {
            sum += byName.isUsed(h) ? Fnv.mix(Fnv.add(Fnv.add(byName.get(h, OTHER), byName.key(h)),
                byName.get(h, SYMBOL))) : 0;
        }
        return sum == 0 ? hash : Fnv.add(hash, sum);
    }
}
