package io.millrace.engine.book;

import io.millrace.engine.tables.CritBitTrees;

/**
 * Price levels outside of the ladder's window, both sides, ordered by key, the better the smaller. The levels of a side
 * lie in order in pages of at most {@value #PAGE}, and the pages are found by a tree of {@link CritBitTrees}: so the
 * tree is small and stays in the cache, a level's neighbours are beside it, and what comes and goes a few prices apart
 * touches one page.
 * <p>
 * The tree has a page by its <em>fence</em>: no key of the page is smaller, and none of the pages before is as great.
 * The first page of a side has the side's number, is always there, and has no fence.
 * <pre>
 *  side 0   page 0  -  page 7  -  page 4  ...      each: keys, ascending | their levels | count
 *                      fence      fence
 * </pre>
 * A full page is split into halves. Two neighbours become one when they have {@value #JOINED} levels or fewer, so there
 * are at most two pages for every {@value #JOINED} + 1 levels, and one more on each side.
 * <p>
 * A level is a number, 0 to capacity - 1. One thread.
 */
final class SparseLevels
{
    static final int NONE = CritBitTrees.NONE;

    // Four lines of keys and two of levels: with half of that, commands on 100,000 levels took some percent longer.
    private static final int PAGE = 32;
    private static final int PAGE_SHIFT = 5;
    // Eight less than a page and its neighbour have after a split: no split and join with every other command.
    private static final int JOINED = 24;

    // Of a level that is not in use: the next such level.
    private final long[] keyOf;
    // For each page its keys, and the levels that have them.
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
    // The key that was looked for last, and where it is or would be. No side when that has changed since.
    private int soughtSide = NONE;
    private long soughtKey;
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

    /** The best level, or NONE. */
    int best(final int side)
    {
        return first(side);
    }

    /** How many levels a side has. */
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

    /** The best level whose key is not smaller than a key, or NONE. */
    int ceiling(final int side, final long key)
    {
        seek(side, key);
        return levelAt(at);
    }

    /** Only for a key that is not there. */
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
        soughtSide = NONE;
        shift(at, at + 1, end(page) - at);
        keys[at] = key;
        levels[at] = level;
        sizes[page]++;
        return level;
    }

    /** The key is told, because the caller knows it before what is known of the level is at hand. */
    void remove(final int side, final int level, final long key)
    {
        seek(side, key);
        soughtSide = NONE;
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

    /** Find the page where a key is or would be, and there the first place whose key is not smaller. */
    private void seek(final int side, final long key)
    {
        if (soughtSide != side || soughtKey != key)
        {
            soughtSide = side;
            soughtKey = key;
            page = pageOf(side, key);
            at = place(page, key);
        }
    }

    private int pageOf(final int side, final long key)
    {
        final int beside = trees.beside(side, key);
        if (beside == NONE)
        {
            return side;
        }
        // Read in any case: which of the two it is nobody can guess.
        final int before = previousPages[beside];
        return fences[beside] <= key ? beside : before;
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

    /** The level at a place of the page; at its end the first one of the next page. */
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

    /** The upper half of a full page moves to a page of its own. */
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
        soughtSide = NONE;
    }

    private void joinNeighbours(final int side, final int page)
    {
        final int previous = previousPages[page];
        final int next = nextPages[page];
        if (previous != NONE && isJoined(previous, page))
        {
            join(side, previous, page);
        }
        else if (next != NONE && isJoined(page, next))
        {
            join(side, page, next);
        }
    }

    /** No page stays empty beside another one. */
    private boolean isJoined(final int page, final int next)
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
