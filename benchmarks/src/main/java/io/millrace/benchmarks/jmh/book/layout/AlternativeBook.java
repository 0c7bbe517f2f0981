package io.millrace.benchmarks.jmh.book.layout;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.jmh.book.BookContender;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;

/**
 * A book that does what the benchmark flow asks for: GTC, IOC and FOK_BUDGET orders, moves, reductions and cancels. It
 * checks ids and users and nothing else. One thread; allocates nothing after it was made.
 */
final class AlternativeBook extends BookContender
{
    private static final int NONE = OrderStore.NONE;

    private final OrderStore store;
    private final LevelDirectory directory;
    private final LevelQueues levels;
    private final OrderTable table;

    AlternativeBook(final CommandColumns commands, final OrderStore store, final LevelDirectory directory)
    {
        super(commands);
        this.store = store;
        this.directory = directory;
        table = new OrderTable(store);
        levels = new LevelQueues(store, directory);
    }

    @Override
    public void give(final int index)
    {
        hash.command(commands.seq(index));
        final int word = commands.word(index);
        final byte command = BookCommands.commandType(word);
        final int order = table.find(commands.orderId(index));
        if (command == CommandType.PLACE)
        {
            if (order != NONE)
            {
                countRefusal();
                return;
            }
            place(BookCommands.orderType(word), BookCommands.side(word), commands.orderId(index), commands.uid(index),
                commands.price(index), commands.size(index));
        }
        else if (order == NONE || store.get(order, OrderStore.UID) != commands.uid(index))
        {
            countRefusal();
        }
        else if (command == CommandType.MOVE)
        {
            move(order, commands.price(index));
        }
        else
        {
            reduce(order, command == CommandType.CANCEL ? store.open(order) : commands.size(index));
        }
    }

    private void place(
        final byte type, final int side, final long id, final long uid, final long price, final long size)
    {
        if (type == OrderType.FOK_BUDGET)
        {
            if (fits(side, price, size))
            {
                trade(side, LevelDirectory.NO_KEY - 1, size, 0);
            }
            else
            {
                hash.event(EventHash.REJECT, 0, price, size);
            }
            return;
        }
        final long filled = trade(side, LevelDirectory.key(side ^ 1, price), size, 0);
        if (filled < size && type == OrderType.GTC)
        {
            final int order = store.acquire();
            store.set(order, OrderStore.ID, id);
            store.set(order, OrderStore.UID, uid);
            store.set(order, OrderStore.SIZE, size);
            store.set(order, OrderStore.FILLED, filled);
            table.add(id, order);
            levels.enter(order, side, price);
        }
        else if (filled < size)
        {
            hash.event(EventHash.REJECT, 0, price, size - filled);
        }
    }

    private void move(final int order, final long price)
    {
        final int side = side(order);
        levels.leave(order);
        final long size = store.get(order, OrderStore.SIZE);
        final long filled =
            trade(side, LevelDirectory.key(side ^ 1, price), size, store.get(order, OrderStore.FILLED));
        store.set(order, OrderStore.FILLED, filled);
        if (filled < size)
        {
            levels.enter(order, side, price);
        }
        else
        {
            forget(order);
        }
    }

    private void reduce(final int order, final long wanted)
    {
        final long open = store.open(order);
        final long by = Math.min(open, wanted);
        hash.event(EventHash.REDUCE, 0, store.get(order, OrderStore.PRICE), by);
        if (by == open)
        {
            levels.leave(order);
            forget(order);
        }
        else
        {
            store.set(order, OrderStore.SIZE, store.get(order, OrderStore.SIZE) - by);
            levels.reduce(order, by);
        }
    }

    /** Trade up to a limit on the other side; how much is filled then. */
    private long trade(final int side, final long limitKey, final long size, final long filledBefore)
    {
        final int other = side ^ 1;
        long filled = filledBefore;
        while (filled < size && directory.bestKey(other) <= limitKey)
        {
            final int maker = levels.first(directory.best(other));
            final long open = store.open(maker);
            final long traded = Math.min(open, size - filled);
            hash.event(EventHash.TRADE, store.get(maker, OrderStore.ID), store.get(maker, OrderStore.PRICE), traded);
            filled += traded;
            if (traded == open)
            {
                levels.leave(maker);
                forget(maker);
            }
            else
            {
                store.set(maker, OrderStore.FILLED, store.get(maker, OrderStore.FILLED) + traded);
                levels.reduce(maker, traded);
            }
        }
        return filled;
    }

    /** Checks whether the other side has a size, for at most a bid's budget or at least an ask's. */
    private boolean fits(final int side, final long budget, final long size)
    {
        final int other = side ^ 1;
        long left = size;
        long cost = 0;
        for (int level = directory.best(other); left > 0 && level != NONE; level = directory.worse(other, level))
        {
            final long traded = Math.min(left, levels.volume(level));
            cost += traded * LevelDirectory.key(other, directory.keyOf(other, level));
            left -= traded;
        }
        return left == 0 && (side == Side.BID ? cost <= budget : cost >= budget);
    }

    private void forget(final int order)
    {
        table.remove(store.get(order, OrderStore.ID));
        store.release(order);
    }

    private int side(final int order)
    {
        return (int)store.get(order, OrderStore.PLACE) & 1;
    }

    @Override
    protected void reportLevels(final LevelHash hash)
    {
        levels.report(hash);
    }
}
