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
    /** Orders with a new id at a time: 88 bytes in each of two tables, 2.9 MB. */
    static final int CAPACITY = 16_384;

    private static final int OTHER = 1;
    private static final int SYMBOL = 2;
    private static final int NONE = RowTable.NONE;

    private final OrderIds ids;
    /** Key: the new id; other: the order. */
    private final RowTable byName = RowTable.inOrder(CAPACITY);
    /** Key: the order; other: its new id. */
    private final RowTable byOrder = RowTable.inOrder(CAPACITY);

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

    private int find(final int symbol, final long order)
    {
        final int h = byOrder.find(order);
        return h != NONE && byOrder.get(h, SYMBOL) == symbol ? h : NONE;
    }

    /** Whether an id is the new one of an order. */
    boolean isName(final long id)
    {
        return byName.used() > 0 && byName.find(id) != NONE;
    }

    /** Whether an id is the first one of an order that has a new one. */
    boolean isOld(final int symbol, final long id)
    {
        final int h = byOrder.used() == 0 || isName(id) ? NONE : byOrder.find(id);
        return h != NONE && (symbol == ExchangeCommand.ALL_SYMBOLS || byOrder.get(h, SYMBOL) == symbol);
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
        return isName(id) ? (int)byOrder.get(byOrder.find(order(id)), SYMBOL) : ExchangeCommand.ALL_SYMBOLS;
    }

    /** Whether {@link #rename} may be called. */
    boolean canRename(final int symbol, final long order, final long name)
    {
        final int h = byOrder.find(order);
        return !isName(name) && byOrder.find(name) == NONE &&
            (h == NONE ? byOrder.freeRows() > 0 : byOrder.get(h, SYMBOL) == symbol);
    }

    void rename(final int symbol, final long order, final long name)
    {
        remove(symbol, order);
        add(symbol, order, name);
    }

    private void add(final int symbol, final long order, final long name)
    {
        final int o = byOrder.add(order);
        byOrder.set(o, OTHER, name);
        byOrder.set(o, SYMBOL, symbol);
        byName.set(byName.add(name), OTHER, order);
    }

    /** The order is gone. */
    void remove(final int symbol, final long order)
    {
        final int h = byOrder.used() == 0 ? NONE : find(symbol, order);
        if (h != NONE)
        {
            byName.remove(byName.find(byOrder.get(h, OTHER)));
            byOrder.remove(h);
        }
    }

    /** Sorted, so that equal states give equal bytes. */
    private long[] sorted()
    {
        final long[] orders = new long[byOrder.used()];
        int count = 0;
        for (int h = 0; h < byOrder.end(); h++)
        {
            if (byOrder.isUsed(h))
            {
                orders[count++] = byOrder.key(h);
            }
        }
        Arrays.sort(orders);
        return orders;
    }

    void writeTo(final SnapshotOutput out) throws IOException
    {
        final long[] orders = sorted();
        out.putLong(orders.length);
        for (final long order : orders)
        {
            final int h = byOrder.find(order);
            out.putLong(order);
            out.putLong(byOrder.get(h, SYMBOL));
            out.putLong(byOrder.get(h, OTHER));
        }
    }

    void readFrom(final SnapshotInput in) throws IOException
    {
        for (int h = byOrder.end() - 1; h >= 0; h--)
        {
            if (byOrder.isUsed(h))
            {
                remove((int)byOrder.get(h, SYMBOL), byOrder.key(h));
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
            if (byOrder.find(order) != NONE || byName.find(name) != NONE)
            {
                throw new IOException("snapshot with an order id twice");
            }
            add(symbol, order, name);
        }
    }

    long addToHash(final long hash)
    {
        long sum = 0;
        for (int h = 0; h < byOrder.end(); h++)
        {
            sum += byOrder.isUsed(h) ? Fnv.mix(Fnv.add(Fnv.add(byOrder.key(h), byOrder.get(h, OTHER)),
                byOrder.get(h, SYMBOL))) : 0;
        }
        return sum == 0 ? hash : Fnv.add(hash, sum);
    }
}
