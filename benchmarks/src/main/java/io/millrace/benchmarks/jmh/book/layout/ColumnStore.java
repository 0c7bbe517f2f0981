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
        switch (field)
        {
            case ID:
                return ids[order];
            case UID:
                return uids[order];
            case PRICE:
                return prices[order];
            case SIZE:
                return sizes[order];
            case FILLED:
                return filled[order];
            case PLACE:
                return places[order];
            case NEXT:
                return nexts[order];
            default:
                return previous[order];
        }
    }

    @Override
    void set(final int order, final int field, final long value)
    {
        switch (field)
        {
            case ID:
                ids[order] = value;
                break;
            case UID:
                uids[order] = value;
                break;
            case PRICE:
                prices[order] = value;
                break;
            case SIZE:
                sizes[order] = value;
                break;
            case FILLED:
                filled[order] = value;
                break;
            case PLACE:
                places[order] = value;
                break;
            case NEXT:
                nexts[order] = value;
                break;
            default:
                previous[order] = value;
                break;
        }
    }
}
