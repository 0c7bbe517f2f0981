package io.millrace.benchmarks.flow;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;

/**
 * Commands of a {@link DepthFlow} in memory, a primitive array for each column, made again and again. One thread.
 */
public final class DepthBatch
{
    private final int[] words;
    private final long[] orderIds;
    private final long[] prices;
    private final long[] sizes;
    private int count;

    /**
     * An empty batch.
     *
     * @param room commands that it can hold.
     */
    public DepthBatch(final int room)
    {
        words = new int[room];
        orderIds = new long[room];
        prices = new long[room];
        sizes = new long[room];
    }

    void clear()
    {
        count = 0;
    }

    void add(final int word, final long orderId, final long price, final long size)
    {
        words[count] = word;
        orderIds[count] = orderId;
        prices[count] = price;
        sizes[count] = size;
        count++;
    }

    /**
     * How many commands there are.
     *
     * @return a count.
     */
    public int count()
    {
        return count;
    }

    /**
     * How many commands it can hold.
     *
     * @return a count.
     */
    public int room()
    {
        return words.length;
    }

    /**
     * What a command is.
     *
     * @param index 0 to count - 1.
     * @return as {@link CommandWord} packs it.
     */
    public int word(final int index)
    {
        return words[index];
    }

    /**
     * The order.
     *
     * @param index 0 to count - 1.
     * @return its id.
     */
    public long orderId(final int index)
    {
        return orderIds[index];
    }

    /**
     * The order's user: told by the order's id, so that nobody has to remember it.
     *
     * @param index 0 to count - 1.
     * @return one of 1,024.
     */
    public long uid(final int index)
    {
        return orderIds[index] & 0x3FF;
    }

    /**
     * The price.
     *
     * @param index 0 to count - 1.
     * @return price steps, 0 when there is none.
     */
    public long price(final int index)
    {
        return prices[index];
    }

    /**
     * The size.
     *
     * @param index 0 to count - 1.
     * @return lots, 0 when there is none.
     */
    public long size(final int index)
    {
        return sizes[index];
    }

    /**
     * Give one command to our book.
     *
     * @param index 0 to count - 1.
     * @param book  carries it out.
     * @return the book's answer.
     */
    public CommandResult apply(final int index, final OrderBook book)
    {
        return BookCommands.apply(words[index], orderIds[index], uid(index), prices[index], sizes[index], 0, book);
    }
}
