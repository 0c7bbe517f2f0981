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
        switch (field)
        {
            case ID:
                return orders[order].id;
            case UID:
                return orders[order].uid;
            case PRICE:
                return orders[order].price;
            case SIZE:
                return orders[order].size;
            case FILLED:
                return orders[order].filled;
            case PLACE:
                return orders[order].place;
            case NEXT:
                return orders[order].next;
            default:
                return orders[order].previous;
        }
    }

    @Override
    void set(final int order, final int field, final long value)
    {
        switch (field)
        {
            case ID:
                orders[order].id = value;
                break;
            case UID:
                orders[order].uid = value;
                break;
            case PRICE:
                orders[order].price = value;
                break;
            case SIZE:
                orders[order].size = value;
                break;
            case FILLED:
                orders[order].filled = value;
                break;
            case PLACE:
                orders[order].place = value;
                break;
            case NEXT:
                orders[order].next = value;
                break;
            default:
                orders[order].previous = value;
                break;
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
