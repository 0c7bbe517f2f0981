package io.millrace.engine.book;

import java.util.ArrayList;
import java.util.List;

/** Content of a book as rows of text in the form of the oracle's files. */
public final class BookListing
{
    private BookListing()
    {
    }

    /**
     * All levels.
     *
     * @param book a book.
     * @return rows "side,level,price,volume,orders", asks first, best first.
     */
    public static List<String> levels(final OrderBook book)
    {
        final List<String> rows = new ArrayList<>();
        for (final byte side : new byte[]{Side.ASK, Side.BID})
        {
            final int first = rows.size();
            book.forEachLevel(side, -1, (s, price, volume, orders) -> rows.add(
                Side.name(s) + "," + (rows.size() - first) + "," + price + "," + volume + "," + orders));
        }
        return rows;
    }

    /**
     * All orders.
     *
     * @param book a book.
     * @return rows "side,rank,orderId,uid,price,size,filled,reserve", asks first, in the order of their priority.
     */
    public static List<String> orders(final OrderBook book)
    {
        final List<String> rows = new ArrayList<>();
        for (final byte side : new byte[]{Side.ASK, Side.BID})
        {
            final int first = rows.size();
            book.forEachOrder(side, (id, uid, s, price, size, filled, reserve) -> rows.add(
                Side.name(s) + "," + (rows.size() - first) + "," + id + "," + uid + "," + price + "," + size + "," +
                filled + "," + reserve));
        }
        return rows;
    }
}
