package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;

import java.util.List;
import java.util.Objects;

import org.agrona.collections.Int2ObjectHashMap;

/**
 * The order books of several symbols behind one set of commands. One thread. All memory is allocated by the
 * constructor: for each symbol what its {@link SymbolSpec} says, 4.7 MB by default, so a thousand symbols want smaller
 * capacities.
 */
public final class MatchingEngine
{
    // Odd, so that no digit is lost.
    private static final long HASH_FACTOR = 0x100000001b3L;

    private final Int2ObjectHashMap<OrderBook> books = new Int2ObjectHashMap<>();
    private final OrderBook[] inOrder;

    /**
     * An engine whose books all tell one listener.
     *
     * @param symbols  the symbols, each once, at least one.
     * @param listener hears the executions of all books.
     * @throws IllegalArgumentException when there is no symbol or one is given twice.
     */
    public MatchingEngine(final List<SymbolSpec> symbols, final ExecutionListener listener)
    {
        Objects.requireNonNull(listener, "listener");
        if (symbols.isEmpty())
        {
            throw new IllegalArgumentException("an engine needs at least one symbol");
        }
        for (final SymbolSpec spec : symbols)
        {
            final OrderBook book = new OrderBook(spec, listener);
            if (books.put(spec.symbol(), book) != null)
            {
                throw new IllegalArgumentException("symbol " + spec.symbol() + " is given twice");
            }
        }
        inOrder = symbols.stream().mapToInt(SymbolSpec::symbol).sorted().mapToObj(books::get).toArray(OrderBook[]::new);
    }

    /**
     * Place a new order, see {@link OrderBook#place}.
     *
     * @param symbol       the symbol.
     * @param type         see {@link io.millrace.engine.book.OrderType}.
     * @param side         see {@link io.millrace.engine.book.Side}.
     * @param orderId      any number that no resting order of the symbol has.
     * @param uid          its user, any number.
     * @param price        limit in price steps, or budget in price steps times lots.
     * @param size         lots.
     * @param reservePrice in price steps; carried along, handed to the listener.
     * @return SUCCESS or why not; UNKNOWN_SYMBOL when there is no such book.
     */
    public CommandResult place(
        final int symbol,
        final byte type,
        final byte side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        final OrderBook book = books.get(symbol);
        return book == null ? CommandResult.UNKNOWN_SYMBOL :
            book.place(type, side, orderId, uid, price, size, reservePrice);
    }

    /**
     * Take an order out, see {@link OrderBook#cancel}.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS or why not; UNKNOWN_SYMBOL when there is no such book.
     */
    public CommandResult cancel(final int symbol, final long orderId, final long uid)
    {
        final OrderBook book = books.get(symbol);
        return book == null ? CommandResult.UNKNOWN_SYMBOL : book.cancel(orderId, uid);
    }

    /**
     * Make an order smaller, see {@link OrderBook#reduce}.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, at least 1.
     * @return SUCCESS or why not; UNKNOWN_SYMBOL when there is no such book.
     */
    public CommandResult reduce(final int symbol, final long orderId, final long uid, final long reduceBy)
    {
        final OrderBook book = books.get(symbol);
        return book == null ? CommandResult.UNKNOWN_SYMBOL : book.reduce(orderId, uid, reduceBy);
    }

    /**
     * Give an order another price, see {@link OrderBook#move}.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @return SUCCESS or why not; UNKNOWN_SYMBOL when there is no such book.
     */
    public CommandResult move(final int symbol, final long orderId, final long uid, final long newPrice)
    {
        final OrderBook book = books.get(symbol);
        return book == null ? CommandResult.UNKNOWN_SYMBOL : book.move(orderId, uid, newPrice);
    }

    /**
     * The book of a symbol.
     *
     * @param symbol the symbol.
     * @return the book, null when there is no such symbol.
     */
    public OrderBook book(final int symbol)
    {
        return books.get(symbol);
    }

    /**
     * A number that is equal for engines with the same symbols and equal books, on every JVM: the books' {@linkplain
     * OrderBook#stateHash() hashes} and symbols, in ascending order of the symbol, folded like the digits of a number.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        long hash = 0;
        for (int i = 0; i < inOrder.length; i++)
        {
            hash = (hash * HASH_FACTOR + inOrder[i].spec().symbol()) * HASH_FACTOR + inOrder[i].stateHash();
        }
        return hash;
    }
}
