package io.millrace.engine.book;

import io.millrace.engine.Execution;

import java.util.Arrays;
import java.util.StringJoiner;

/** Records calls of a book as numbers, to compare them with those of another book. */
final class Tape implements Execution.Listener, OrderConsumer, PriceLevelConsumer
{
    static final long TRADE = 0;
    static final long REJECT = 1;
    static final long REDUCE = 2;
    static final long ORDER = 3;
    static final long LEVEL = 4;
    static final long TRIGGER = 5;
    static final long STATE = 6;
    static final long FEED = 7;
    static final long BAND = 8;

    private static final String[] NAMES =
        {"trade", "reject", "reduce", "order", "level", "trigger", "state", "feed", "band"};

    // Kind, number of fields, the fields.
    private static final int ORDER_NUMBERS = 2 + 7;

    private long[] numbers = new long[128];
    private int size;

    void clear()
    {
        size = 0;
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    boolean isEqualTo(final Tape other)
    {
        return Arrays.equals(numbers, 0, size, other.numbers, 0, other.size);
    }

    /** Number of recorded orders, if nothing else was recorded. */
    int orders()
    {
        return size / ORDER_NUMBERS;
    }

    /** A field of an order, counted like the parameters of {@link OrderConsumer}, if only orders were recorded. */
    long ofOrder(final int order, final int field)
    {
        return numbers[order * ORDER_NUMBERS + 2 + field];
    }

    /** The calls in order; each is reported with its kind, the array of its fields and the index of its first field. */
    void forEach(final Reader reader)
    {
        for (int at = 0; at < size; at += 2 + (int)numbers[at + 1])
        {
            reader.onCall(numbers[at], numbers, at + 2);
        }
    }

    /** Receives the calls. */
    interface Reader
    {
        void onCall(long kind, long[] fields, int first);
    }

    void add(final long kind, final long... fields)
    {
        if (size + fields.length + 2 > numbers.length)
        {
            numbers = Arrays.copyOf(numbers, 2 * numbers.length);
        }
        numbers[size] = kind;
        numbers[size + 1] = fields.length;
        System.arraycopy(fields, 0, numbers, size + 2, fields.length);
        size += fields.length + 2;
    }

    private static long bit(final boolean value)
    {
        return value ? 1 : 0;
    }

    @Override
    public void onExecution(final Execution e)
    {
        // The only reason that the reference knows.
        if (e.reason() == ExecutionReason.PRICE_BAND)
        {
            add(BAND, e.orderId());
        }
        switch (e.kind())
        {
            case TRADE -> add(TRADE, e.makerOrderId(), e.makerUid(), bit(e.makerCompleted()), e.orderId(), e.uid(),
                e.side(), bit(e.completed()), e.price(), e.size(), e.reservePrice());
            case REJECT -> add(REJECT, e.orderId(), e.uid(), e.side(), e.price(), e.size(), e.reservePrice());
            case REDUCE -> add(REDUCE, e.orderId(), e.uid(), e.side(), e.price(), e.size(), bit(e.completed()),
                e.reservePrice());
            default -> add(TRIGGER, e.orderId(), e.uid(), e.side(), e.price(), e.reservePrice());
        }
    }

    @Override
    public void onOrder(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long orderSize,
        final long filled,
        final long reservePrice)
    {
        add(ORDER, orderId, uid, side, price, orderSize, filled, reservePrice);
    }

    @Override
    public void onLevel(final byte side, final long price, final long volume, final int orders)
    {
        add(LEVEL, side, price, volume, orders);
    }

    @Override
    public String toString()
    {
        final StringJoiner rows = new StringJoiner("\n  ", "\n  ", "");
        forEach((kind, fields, first) -> rows.add(NAMES[(int)kind] + " " +
            Arrays.toString(Arrays.copyOfRange(fields, first, first + (int)fields[first - 1]))));
        return rows.toString();
    }
}
