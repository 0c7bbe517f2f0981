package io.millrace.engine.book;

import io.millrace.engine.tables.CritBitTrees;

/**
 * Price levels outside the ladder's window, on both sides, ordered by key; a smaller key is better. Each side is a list
 * of pages with at most {@value #PAGE} levels in order. A {@link CritBitTrees} finds the page. So the tree is small and
 * stays in the cache, and neighbouring levels share a page: changes at close prices usually touch one page.
 * <p>
 * The tree contains each page by its <em>fence</em>: every key of the page is at or above the fence, and every key of
 * the pages before is below it. The first page of a side always exists, has the side's number, and has no fence.
 * <pre>
 *  side 0   page 0  -  page 7  -  page 4  ...      each: keys, ascending | their levels | count
 *                      fence      fence
 * </pre>
 * A full page is split into halves. Two neighbours are joined when they have {@value #JOINED} levels or fewer together.
 * So there are at most two pages per {@value #JOINED} + 1 levels, plus one per side.
 * <p>
 * A level is a number from 0 to capacity - 1. One thread.
 */
final class SparseLevels
{
    static final int NONE = CritBitTrees.NONE;

    // Four cache lines of keys and two of levels. Half of this size was a few percent slower with 100,000 levels.
    private static final int PAGE = 32;
    private static final int PAGE_SHIFT = 5;
    // Eight levels less than two neighbours have after a split, so that commands do not alternate between split and
    // join.
    private static final int JOINED = 24;

    // Key of each level; of a free level: the next free level.
    private final long[] keyOf;
    // Per page: its keys, and their levels.
    private final long[] keys;
    private final int[] levels;
    private final int[] sizes;
    private final long[] fences;
    private final CritBitTrees trees;
    private final int[] nextPages;
    private final int[] previousPages;
    private final int[] counts = new int[2];
    private int firstFreeLevel;
    private int firstFreePage;
    // Last searched key and its place. The side is NONE when the place has become invalid.
    private int lastSide = NONE;
    private long lastKey;
    private int page;
    private int at;

    SparseLevels(final int capacity)
    {
        keyOf = new long[capacity];
        for (int level = 0; level < capacity; level++)
        {
            keyOf[level] = level + 1 < capacity ? level + 1 : NONE;
        }
        final int pages = 2 + (int)(2L * capacity / (JOINED + 1)) + 1;
        keys = new long[pages << PAGE_SHIFT];
        levels = new int[pages << PAGE_SHIFT];
        sizes = new int[pages];
        fences = new long[pages];
        trees = new CritBitTrees(2, pages, fences, 0);
        nextPages = new int[pages];
        previousPages = new int[pages];
        for (int page = 0; page < pages; page++)
        {
            nextPages[page] = page < 2 || page + 1 == pages ? NONE : page + 1;
            previousPages[page] = NONE;
        }
        firstFreePage = 2;
    }

    /** The best level of a side, or NONE. */
    int best(final int side)
    {
        return first(side);
    }

    /** Number of levels of a side. */
    int count(final int side)
    {
        return counts[side];
    }

    /** The next worse level, or NONE. */
    int worse(final int level)
    {
        final long key = keyOf[level];
        // Keys of bids are negative.
        seek(key < 0 ? Side.BID : Side.ASK, key);
        return levelAt(at + 1);
    }

    long key(final int level)
    {
        return keyOf[level];
    }

    /** The level of a key, or NONE. */
    int find(final int side, final long key)
    {
        seek(side, key);
        return at < end(page) && keys[at] == key ? levels[at] : NONE;
    }

    /** The best level whose key is at or above a key, or NONE. */
    int ceiling(final int side, final long key)
    {
        seek(side, key);
        return levelAt(at);
    }

    /** Adds a level for a key that has none. Returns the level. */
    int add(final int side, final long key)
    {
        final int level = firstFreeLevel;
        firstFreeLevel = (int)keyOf[level];
        keyOf[level] = key;
        counts[side]++;
        seek(side, key);
        if (sizes[page] == PAGE)
        {
            split(side, page);
            seek(side, key);
        }
        lastSide = NONE;
        shift(at, at + 1, end(page) - at);
        keys[at] = key;
        levels[at] = level;
        sizes[page]++;
        return level;
    }

    /** Removes a level. The caller passes the key, because it knows it before a load of the level's key completes. */
    void remove(final int side, final int level, final long key)
    {
        seek(side, key);
        lastSide = NONE;
        shift(at + 1, at, end(page) - at - 1);
        sizes[page]--;
        counts[side]--;
        keyOf[level] = firstFreeLevel;
        firstFreeLevel = level;
        if (sizes[page] < JOINED)
        {
            joinNeighbours(side, page);
        }
    }

    /** Finds the page for a key, and in it the first place whose key is at or above that key. */
    private void seek(final int side, final long key)
    {
        if (lastSide != side || lastKey != key)
        {
            lastSide = side;
            lastKey = key;
            page = pageOf(side, key);
            at = place(page, key);
        }
    }

    private int pageOf(final int side, final long key)
    {
        final int neighbour = trees.neighbour(side, key);
        if (neighbour == NONE)
        {
            return side;
        }
        // Read unconditionally: the choice between the two pages is unpredictable.
        final int before = previousPages[neighbour];
        return fences[neighbour] <= key ? neighbour : before;
    }

    private int place(final int page, final long key)
    {
        final int end = end(page);
        int at = page << PAGE_SHIFT;
        while (at < end && keys[at] < key)
        {
            at++;
        }
        return at;
    }

    private int end(final int page)
    {
        return (page << PAGE_SHIFT) + sizes[page];
    }

    /** The level at a place of the current page; after the last place, the first level of the next page. */
    private int levelAt(final int place)
    {
        return place < end(page) ? levels[place] : nextPages[page] == NONE ? NONE : first(nextPages[page]);
    }

    private int first(final int page)
    {
        return sizes[page] == 0 ? NONE : levels[page << PAGE_SHIFT];
    }

    private void shift(final int from, final int to, final int count)
    {
        System.arraycopy(keys, from, keys, to, count);
        System.arraycopy(levels, from, levels, to, count);
    }

    /** Moves the upper half of a full page to a new page. */
    private void split(final int side, final int page)
    {
        final int upper = firstFreePage;
        firstFreePage = nextPages[upper];
        final int from = (page << PAGE_SHIFT) + PAGE / 2;
        shift(from, upper << PAGE_SHIFT, PAGE / 2);
        sizes[page] = PAGE / 2;
        sizes[upper] = PAGE / 2;
        fences[upper] = keys[from];
        chain(upper, nextPages[page]);
        chain(page, upper);
        trees.add(side, upper);
        lastSide = NONE;
    }

    private void joinNeighbours(final int side, final int page)
    {
        final int previous = previousPages[page];
        final int next = nextPages[page];
        if (previous != NONE && mustJoin(previous, page))
        {
            join(side, previous, page);
        }
        else if (next != NONE && mustJoin(page, next))
        {
            join(side, page, next);
        }
    }

    /** Whether two neighbours must be joined: they have few levels together, or one of them is empty. */
    private boolean mustJoin(final int page, final int next)
    {
        return sizes[page] + sizes[next] <= JOINED || sizes[page] == 0 || sizes[next] == 0;
    }

    private void join(final int side, final int page, final int next)
    {
        shift(next << PAGE_SHIFT, end(page), sizes[next]);
        sizes[page] += sizes[next];
        chain(page, nextPages[next]);
        trees.remove(side, fences[next]);
        nextPages[next] = firstFreePage;
        firstFreePage = next;
    }

    private void chain(final int page, final int next)
    {
        nextPages[page] = next;
        if (next != NONE)
        {
            previousPages[next] = page;
        }
    }
}
