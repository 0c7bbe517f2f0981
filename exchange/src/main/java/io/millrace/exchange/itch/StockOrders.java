package io.millrace.exchange.itch;

import io.millrace.engine.book.Side;
import io.millrace.engine.tables.RowTable;
import io.millrace.exchange.Listing;
import io.millrace.gateway.Symbols;

/**
 * The visible orders of a stock, newest first, with their references. An order that moves, and the next slice of an
 * iceberg, get a new reference. So at each price the order of references is the order of priority. Allocates nothing
 * after the constructor. One thread.
 */
final class StockOrders
{
    static final int NONE = RowTable.NONE;
    /** Reference of an order whose price or size does not fit the fields of ITCH. */
    static final long NOT_SHOWN = 0;

    private static final int REFERENCE = 1;
    private static final int PRICE = 2;
    private static final int VISIBLE = 3;
    private static final int SIDE = 4;

    final Listing symbol;
    final long stock;
    final int locate;
    /** Sequence of the last message of orders. */
    long sequence;
    /** Sequence of the last message of the tape. */
    long tapeSequence;
    boolean isHalted;

    private final RowTable orders;
    private final long maxPrice;
    private final long maxVisible;
    private int newest = NONE;
    private int shown;

    StockOrders(final Listing symbol, final int locate)
    {
        this.symbol = symbol;
        this.locate = locate;
        stock = Symbols.of(symbol.stock());
        orders = RowTable.inOrder(symbol.spec().orderCapacity());
        maxPrice = Listing.MAX_FIELD / symbol.priceUnits();
        maxVisible = Listing.MAX_FIELD / symbol.sharesPerLot();
    }

    boolean isFull()
    {
        return orders.freeRows() == 0;
    }

    int find(final long orderId)
    {
        return orders.find(orderId);
    }

    boolean fits(final long price, final long size)
    {
        return price >= 0 && price <= maxPrice && size >= 1 && size <= maxVisible;
    }

    /** Adds an order that is not there. Call only if the table is not full. */
    void add(final long orderId, final long reference, final byte side, final long price, final long size)
    {
        final int h = orders.add(orderId);
        orders.set(h, REFERENCE, reference);
        orders.set(h, PRICE, price);
        orders.set(h, VISIBLE, size);
        orders.set(h, SIDE, side);
        orders.chain(h, newest);
        newest = h;
        shown += reference == NOT_SHOWN ? 0 : 1;
    }

    void remove(final int h)
    {
        shown -= reference(h) == NOT_SHOWN ? 0 : 1;
        newest = orders.unchain(h, newest);
        orders.remove(h);
    }

    void visible(final int h, final long size)
    {
        orders.set(h, VISIBLE, size);
    }

    long visible(final int h)
    {
        return orders.get(h, VISIBLE);
    }

    long reference(final int h)
    {
        return orders.get(h, REFERENCE);
    }

    byte side(final int h)
    {
        return orders.get(h, SIDE) == Side.BID ? (byte)'B' : (byte)'S';
    }

    long units(final int h)
    {
        return orders.get(h, PRICE) * symbol.priceUnits();
    }

    long shares(final int h)
    {
        return visible(h) * symbol.sharesPerLot();
    }

    /** The newest order. */
    int newest()
    {
        return newest;
    }

    /** The order before one in time. */
    int older(final int h)
    {
        return orders.next(h);
    }

    /** Upper bound of the handles. */
    int end()
    {
        return orders.end();
    }

    /** Orders that have a reference. */
    int shown()
    {
        return shown;
    }
}
