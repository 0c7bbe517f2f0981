package io.millrace.engine.book;

/**
 * The orders of each user, resting or untriggered: a circular list for each of the users' buckets, as the queues of the
 * levels. Two ints for each order and for each bucket: next and previous node. Order {@code h} is node {@code h},
 * bucket {@code b} is node {@code capacity + b}. So an order joins and leaves without a search and without a special
 * case.
 * <p>
 * There are half as many to as many buckets as the capacity has orders. Users of one bucket share its list: a walk over
 * the orders of one user also reads those of the others, which are few, because a user is in the bucket of another one
 * with a probability of one in the number of buckets.
 * <p>
 * The order of a list depends on the past, so a walk sorts it by order id first. Then equal books walk in the same
 * order, whether they were restored or not.
 * <p>
 * One thread.
 */
final class UserOrders
{
    private static final int END = OrderArena.NONE;
    /** 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** A bucket has two ints; eight of them fill a cache line. */
    private static final int LINE_SHIFT = 3;
    private static final long LINE_MASK = (1 << LINE_SHIFT) - 1;

    private final OrderArena arena;
    private final int[] links;
    private final int firstBucket;
    private final int bucketMask;
    /** Leaves the top bits of a product, as many as the mask has: they depend on all bits of the number. */
    private final int spreadShift;

    UserOrders(final OrderArena arena)
    {
        this.arena = arena;
        firstBucket = arena.capacity;
        final int buckets = Integer.highestOneBit(arena.capacity);
        bucketMask = buckets - 1;
        spreadShift = Long.numberOfLeadingZeros(bucketMask);
        links = new int[2 * (firstBucket + buckets)];
        for (int node = firstBucket; node < firstBucket + buckets; node++)
        {
            links[2 * node] = node;
            links[2 * node + 1] = node;
        }
    }

    /** Eight users with consecutive numbers have the eight buckets of one or two cache lines. */
    int bucket(final long uid)
    {
        final long spread = (uid >>> LINE_SHIFT) * SPREAD >>> spreadShift;
        return firstBucket + ((int)(spread ^ uid & LINE_MASK) & bucketMask);
    }

    /** Adds an order. Its row is not read. */
    void add(final int h, final long uid)
    {
        final int[] all = links;
        final int bucket = bucket(uid);
        final int last = all[2 * bucket + 1];
        all[2 * h] = bucket;
        all[2 * h + 1] = last;
        all[2 * last] = h;
        all[2 * bucket + 1] = h;
    }

    void remove(final int h)
    {
        final int[] all = links;
        final int next = all[2 * h];
        final int previous = all[2 * h + 1];
        all[2 * previous] = next;
        all[2 * next + 1] = previous;
    }

    /** The order of a user with the least id, or {@link OrderArena#NONE}. Sorts the list first. */
    int first(final long uid)
    {
        final int bucket = bucket(uid);
        if (!isSorted(bucket))
        {
            sort(bucket);
        }
        return nextOf(uid, links[2 * bucket]);
    }

    /** The order of the same user with the next greater id, or {@link OrderArena#NONE}. */
    int next(final long uid, final int h)
    {
        return nextOf(uid, links[2 * h]);
    }

    private int nextOf(final long uid, final int from)
    {
        int h = from;
        while (h < firstBucket && arena.field(h, OrderArena.UID) != uid)
        {
            h = links[2 * h];
        }
        return h < firstBucket ? h : END;
    }

    private boolean isSorted(final int bucket)
    {
        final int h = links[2 * bucket];
        return h == bucket || links[2 * endOfRun(h)] == bucket;
    }

    /** The last node of the ascending run that begins with an order. */
    private int endOfRun(final int from)
    {
        int h = from;
        int next = links[2 * h];
        while (next < firstBucket && next != END && arena.id(h) <= arena.id(next))
        {
            h = next;
            next = links[2 * h];
        }
        return h;
    }

    /**
     * Merge sort of the runs that are there, in place: a list that was sorted before some orders joined takes a few
     * passes only, so that a client cannot make each of its reports sort all of its orders.
     */
    private void sort(final int bucket)
    {
        links[2 * links[2 * bucket + 1]] = END;
        int runs = 2;
        while (runs > 1)
        {
            int rest = links[2 * bucket];
            int last = bucket;
            for (runs = 0; rest != END; runs++)
            {
                int left = rest;
                final int leftEnd = endOfRun(left);
                int right = links[2 * leftEnd];
                links[2 * leftEnd] = END;
                rest = END;
                if (right != END)
                {
                    final int rightEnd = endOfRun(right);
                    rest = links[2 * rightEnd];
                    links[2 * rightEnd] = END;
                }
                while (left != END || right != END)
                {
                    final boolean takesLeft = right == END || left != END && arena.id(left) <= arena.id(right);
                    links[2 * last] = takesLeft ? left : right;
                    last = links[2 * last];
                    left = takesLeft ? links[2 * left] : left;
                    right = takesLeft ? right : links[2 * right];
                }
            }
            links[2 * last] = END;
        }
        close(bucket);
    }

    /** Makes a circle of a list that has next nodes only. */
    private void close(final int bucket)
    {
        int previous = bucket;
        for (int h = links[2 * bucket]; h != END; h = links[2 * h])
        {
            links[2 * h + 1] = previous;
            previous = h;
        }
        links[2 * previous] = bucket;
        links[2 * bucket + 1] = previous;
    }

    /**
     * Number of orders in all lists when each one is in the list of its user's bucket; otherwise -1. Any damage of the
     * links is found in finite time: as long as each node is the previous one of its next, only the bucket
     * can come twice.
     */
    int verifiedSize()
    {
        int found = 0;
        for (int bucket = firstBucket; bucket <= firstBucket + bucketMask; bucket++)
        {
            int h = bucket;
            int next = links[2 * h];
            for (; links[2 * next + 1] == h && next != bucket; next = links[2 * h])
            {
                if (bucket(arena.field(next, OrderArena.UID)) != bucket)
                {
                    return -1;
                }
                found++;
                h = next;
            }
            if (links[2 * next + 1] != h)
            {
                return -1;
            }
        }
        return found;
    }
}
