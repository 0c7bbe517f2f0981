package io.millrace.benchmarks.jmh.book.layout;

/** An array of longs for each field: a structure of arrays. */
final class ColumnStore extends OrderStore
{
    private final long[] ids = new long[CAPACITY];
    private final long[] uids = new long[CAPACITY];
    private final long[] prices = new long[CAPACITY];
    private final long[] sizes = new long[CAPACITY];
    private final long[] filled = new long[CAPACITY];
    private final long[] places = new long[CAPACITY];
    private final long[] nexts = new long[CAPACITY];
    private final long[] previous = new long[CAPACITY];

    ColumnStore()
    {
        clear();
    }

    @Override
    long get(final int order, final int field)
    {
        return switch (field)
        {
            case ID -> ids[order];
            case UID -> uids[order];
            case PRICE -> prices[order];
            case SIZE -> sizes[order];
            case FILLED -> filled[order];
            case PLACE -> places[order];
            case NEXT -> nexts[order];
            default -> previous[order];
        };
    }

    @Override
    void set(final int order, final int field, final long value)
    {
        switch (field)
        {
            case ID -> ids[order] = value;
            case UID -> uids[order] = value;
            case PRICE -> prices[order] = value;
            case SIZE -> sizes[order] = value;
            case FILLED -> filled[order] = value;
            case PLACE -> places[order] = value;
            case NEXT -> nexts[order] = value;
            default -> previous[order] = value;
        }
    }
}
