package io.millrace.benchmarks.jmh.book.layout;

/**
 * Objects of the heap, made beforehand, behind an array of references: that is one load more than a book has
 * that links them by references.
 */
final class ObjectStore extends OrderStore
{
    private final Order[] orders = new Order[CAPACITY];

    ObjectStore()
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            orders[i] = new Order();
        }
        clear();
    }

    @Override
    long get(final int order, final int field)
    {
        return switch (field)
        {
            case ID -> orders[order].id;
            case UID -> orders[order].uid;
            case PRICE -> orders[order].price;
            case SIZE -> orders[order].size;
            case FILLED -> orders[order].filled;
            case PLACE -> orders[order].place;
            case NEXT -> orders[order].next;
            default -> orders[order].previous;
        };
    }

    @Override
    void set(final int order, final int field, final long value)
    {
        switch (field)
        {
            case ID -> orders[order].id = value;
            case UID -> orders[order].uid = value;
            case PRICE -> orders[order].price = value;
            case SIZE -> orders[order].size = value;
            case FILLED -> orders[order].filled = value;
            case PLACE -> orders[order].place = value;
            case NEXT -> orders[order].next = value;
            default -> orders[order].previous = value;
        }
    }

    /** 80 bytes with its header. */
    private static final class Order
    {
        private long id;
        private long uid;
        private long price;
        private long size;
        private long filled;
        private long place;
        private long next;
        private long previous;
    }
}
