package io.millrace.benchmarks.flow;

import java.util.Arrays;


/**
 * Recorded order commands in memory, one primitive array for each column, and the expected result of a run over them.
 * <p>
 * Filled by one thread through {@link #add}, then only read, by any thread that it was safely handed to. The commands
 * repeat as often as they are asked for: event {@code n} of a run is command {@code n % count()}.
 */
public final class CommandColumns
{
    /**
     * Greatest number of commands: 48 bytes each, so 192 MB of the 512 MB heap of a contender.
     */
    public static final int MAX_COMMANDS = 4_000_000;

    // Initial capacity, about the size of the known recordings; it doubles.
    private static final int INITIAL_CAPACITY = 1 << 17;

    private final String origin;
    private int count;
    private int[] seqs;
    private int[] words;
    private long[] orderIds;
    private long[] uids;
    private long[] prices;
    private long[] sizes;
    private long[] reserveBidPrices;

    /**
     * No commands yet.
     *
     * @param origin where the commands come from, for people.
     */
    public CommandColumns(final String origin)
    {
        this(origin, INITIAL_CAPACITY);
    }

    /**
     * No commands yet, of which the number is known.
     *
     * @param origin where the commands come from, for people.
     * @param capacity initial capacity, 1 or more; it doubles.
     */
    public CommandColumns(final String origin, final int capacity)
    {
        this.origin = origin;
        seqs = new int[capacity];
        words = new int[capacity];
        orderIds = new long[capacity];
        uids = new long[capacity];
        prices = new long[capacity];
        sizes = new long[capacity];
        reserveBidPrices = new long[capacity];
    }

    /**
     * Append one command.
     *
     * @param seq             its place in the recording.
     * @param word            phase, command, side and order type, see {@link CommandWord}.
     * @param orderId         the order.
     * @param uid             the user.
     * @param price           the price, 0 when there is none.
     * @param size            the size, 0 when there is none.
     * @param reserveBidPrice the reserved price, 0 when there is none.
     * @throws IllegalStateException when there are {@value #MAX_COMMANDS} already.
     */
    public void add(
        final int seq,
        final int word,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reserveBidPrice)
    {
        if (count == MAX_COMMANDS)
        {
            throw new IllegalStateException("more than " + MAX_COMMANDS + " commands");
        }
        if (count == words.length)
        {
            resize(Math.min(2 * count, MAX_COMMANDS));
        }
        seqs[count] = seq;
        words[count] = word;
        orderIds[count] = orderId;
        uids[count] = uid;
        prices[count] = price;
        sizes[count] = size;
        reserveBidPrices[count] = reserveBidPrice;
        count++;
    }

    /**
     * Forget all commands, and keep the memory.
     */
    public void clear()
    {
        count = 0;
    }

    /**
     * Number of commands for which there is memory.
     *
     * @return a count; it doubles when more are added.
     */
    public int capacity()
    {
        return words.length;
    }

    private void resize(final int capacity)
    {
        seqs = Arrays.copyOf(seqs, capacity);
        words = Arrays.copyOf(words, capacity);
        orderIds = Arrays.copyOf(orderIds, capacity);
        uids = Arrays.copyOf(uids, capacity);
        prices = Arrays.copyOf(prices, capacity);
        sizes = Arrays.copyOf(sizes, capacity);
        reserveBidPrices = Arrays.copyOf(reserveBidPrices, capacity);
    }

    /**
     * Number of commands.
     *
     * @return at most {@value #MAX_COMMANDS}.
     */
    public int count()
    {
        return count;
    }

    /**
     * Origin of the commands.
     *
     * @return a file name or the description of a generator.
     */
    public String origin()
    {
        return origin;
    }

    /**
     * Place in the recording.
     *
     * @param index 0 to count - 1.
     * @return the first column.
     */
    public int seq(final int index)
    {
        return seqs[index];
    }

    /**
     * Phase, command, side and order type.
     *
     * @param index 0 to count - 1.
     * @return as {@link CommandWord} packs them.
     */
    public int word(final int index)
    {
        return words[index];
    }

    /**
     * The order.
     *
     * @param index 0 to count - 1.
     * @return its number.
     */
    public long orderId(final int index)
    {
        return orderIds[index];
    }

    /**
     * The user.
     *
     * @param index 0 to count - 1.
     * @return its number.
     */
    public long uid(final int index)
    {
        return uids[index];
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
     * The reserved price.
     *
     * @param index 0 to count - 1.
     * @return price steps, 0 when there is none.
     */
    public long reserveBidPrice(final int index)
    {
        return reserveBidPrices[index];
    }

    /**
     * Expected checksum of a run.
     *
     * @param events how many events the run published.
     * @return the sum over all fields of that many events in their order, the commands repeating.
     */
    public long checksum(final long events)
    {
        long sum = FieldChecksum.START;
        int index = 0;
        for (long i = 0; i < events; i++)
        {
            sum = FieldChecksum.add(sum, seqs[index], words[index], orderIds[index], uids[index],
                prices[index], sizes[index], reserveBidPrices[index]);
            index = index + 1 == count ? 0 : index + 1;
        }
        return sum;
    }

    /**
     * Expected counts of a run.
     *
     * @param events how many events the run published.
     * @return one number for each counter of {@link CommandWord}.
     */
    public long[] counts(final long events)
    {
        final long[] counts = new long[CommandWord.COUNTERS];
        final long laps = events / count;
        final long rest = events % count;
        for (int i = 0; i < count; i++)
        {
            counts[CommandWord.counter(words[i])] += i < rest ? laps + 1 : laps;
        }
        return counts;
    }
}
