package io.millrace.exchange.itch;

import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolStatus;
import io.millrace.engine.service.MarketDataEvent;
import io.millrace.engine.service.MarketDataKind;
import io.millrace.engine.service.MarketDataPublisher;
import io.millrace.gateway.itch.ItchDescriptor;
import io.millrace.gateway.mold.MoldSender;
import io.millrace.gateway.mold.MoldStore;
import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Publishes the orders of all books as ITCH 5.0 over MoldUDP64, answers requests for missed messages, and serves
 * snapshots over SoupBinTCP: {@code docs/protocols/itch-out.md}. It is the handler of a stage that takes the events of
 * a {@link MarketDataPublisher} {@linkplain MarketDataPublisher#withTape with tape}; give it its own agent, and a flow
 * that loses nothing (BLOCK). Call {@link #begin} before the first event.
 * <p>
 * An event out of order is an error that ends the session: a wrong book is worse than none. Allocates nothing for an
 * event; a snapshot client costs what the JDK allocates for a connection.
 */
public final class ItchPublisher implements EventHandler<MarketDataEvent>
{
    private final StockOrders[] stocks;
    private final Int2ObjectHashMap<StockOrders> bySymbol = new Int2ObjectHashMap<>();
    private final ByteBuffer message = ByteBuffer.allocateDirect(ItchDescriptor.MAX_LENGTH);
    private final ItchWriter writer;
    private final NanoClock clock;
    private final MoldSender sender;
    private final SnapshotServer snapshots;
    private final PaddedLong notShown = new PaddedLong(0);
    private final PaddedLong otherSymbols = new PaddedLong(0);
    private long lastReference = StockOrders.NOT_SHOWN;
    /** Written by the thread of the engine after the tables, read by this stage's thread before it uses them. */
    private volatile boolean hasBegun;
    private boolean isOpen;
    private boolean hasEnded;

    /**
     * Opens the sockets and allocates all memory.
     *
     * @param context settings, with a symbol at least; do not change it later.
     * @throws IOException              if a socket cannot be opened or bound.
     * @throws IllegalArgumentException if there is no symbol, or a snapshot would exceed 2 GB.
     */
    public ItchPublisher(final ItchContext context) throws IOException
    {
        if (context.symbols.isEmpty())
        {
            throw new IllegalArgumentException("there are 0 symbols, not 1.." + ItchContext.MAX_SYMBOLS);
        }
        stocks = new StockOrders[context.symbols.size()];
        for (int i = 0; i < stocks.length; i++)
        {
            stocks[i] = new StockOrders(context.symbols.get(i), i + 1);
            bySymbol.put(stocks[i].symbol.spec().symbol(), stocks[i]);
        }
        writer = new ItchWriter(context.epochClock);
        clock = context.clock;
        final SnapshotImage image = new SnapshotImage(stocks, writer, context.session);
        sender = new MoldSender(context.session, context.destination, context.network(), context.requestServer,
            new MoldStore(context.storedMessages, context.storedBytes), clock);
        try
        {
            snapshots = new SnapshotServer(context.snapshotServer, image, clock.nanoTime());
        }
        catch (final IOException ex)
        {
            sender.close();
            throw ex;
        }
    }

    /**
     * Takes over the resting orders of the engine. Call it once, on the thread that executes the commands, after
     * recovery and before the next command.
     *
     * @param engine has all symbols of the context.
     * @throws IllegalArgumentException if a symbol is missing, or its book has a greater capacity than the context
     *                                  says.
     */
    public void begin(final MatchingEngine engine)
    {
        for (final StockOrders stock : stocks)
        {
            final int symbol = stock.symbol.spec().symbol();
            final OrderBook book = engine.book(symbol);
            if (book == null || book.spec().orderCapacity() > stock.symbol.spec().orderCapacity())
            {
                throw new IllegalArgumentException("symbol " + symbol + (book == null ? " is unknown to the engine" :
                    " has a book of " + book.spec().orderCapacity() + " orders, not at most " +
                    stock.symbol.spec().orderCapacity()));
            }
            final BookReader reader = new BookReader(stock);
            book.forEachOrder(Side.BID, reader);
            book.forEachOrder(Side.ASK, reader);
            stock.sequence = book.orderSequence();
            stock.tapeSequence = book.tapeSequence();
            stock.isHalted = engine.isHalted(symbol);
        }
        hasBegun = true;
    }

    /**
     * Whether a symbol is published. Do not remove such a one from the engine: added again, its sequences begin at 1,
     * and without it {@link #begin} fails. Any thread.
     *
     * @param symbol number of the engine.
     * @return whether the context has it.
     */
    public boolean publishes(final int symbol)
    {
        return bySymbol.containsKey(symbol);
    }

    /** Takes the orders of a book over. */
    private final class BookReader implements OrderConsumer
    {
        private final StockOrders stock;
        private long visible;

        BookReader(final StockOrders stock)
        {
            this.stock = stock;
        }

        @Override
        public void onVisible(final long orderId, final long lots)
        {
            visible = lots;
        }

        @Override
        public void onOrder(
            final long orderId,
            final long uid,
            final byte side,
            final long price,
            final long size,
            final long filled,
            final long reservePrice)
        {
            stock.add(orderId, referenceOf(stock, price, visible), side, price, visible);
        }
    }

    private long referenceOf(final StockOrders stock, final long price, final long size)
    {
        if (stock.fits(price, size))
        {
            return ++lastReference;
        }
        notShown.addOpaque(1);
        return StockOrders.NOT_SHOWN;
    }

    @Override
    public void onEvent(final MarketDataEvent event, final long sequence, final boolean endOfBatch) throws IOException
    {
        if (hasEnded)
        {
            throw new IllegalStateException("the session has ended");
        }
        if (!isOpen)
        {
            open();
        }
        if (event.kind() != MarketDataKind.LEVEL_CHANGED)
        {
            final StockOrders stock = bySymbol.get(event.symbol());
            if (stock == null)
            {
                otherSymbols.addOpaque(1);
            }
            else
            {
                publish(stock, event);
            }
        }
        if (endOfBatch)
        {
            sender.flush();
            doWork();
        }
    }

    private void publish(final StockOrders stock, final MarketDataEvent event)
    {
        if (event.kind() == MarketDataKind.TRADE || event.kind() == MarketDataKind.STATUS)
        {
            publishTape(stock, event);
            return;
        }
        final int h = stock.find(event.orderId());
        final boolean isAdded = event.kind() == MarketDataKind.ORDER_ADDED;
        if (event.sequence() != stock.sequence + 1 || isAdded == (h != StockOrders.NONE) ||
            isAdded && stock.isFull())
        {
            fail(stock, event);
        }
        stock.sequence++;
        switch (event.kind())
        {
            case MarketDataKind.ORDER_ADDED -> add(stock, event);
            case MarketDataKind.ORDER_REDUCED -> reduce(stock, h, event);
            default -> remove(stock, h);
        }
    }

    private void publishTape(final StockOrders stock, final MarketDataEvent event)
    {
        if (event.sequence() != stock.tapeSequence + 1)
        {
            fail(stock, event);
        }
        stock.tapeSequence++;
        if (event.kind() == MarketDataKind.STATUS)
        {
            stock.isHalted = event.status() == SymbolStatus.HALTED;
            send(writer.wrap(message, 0).tradingAction(stock));
        }
        else
        {
            execute(stock, event);
        }
    }

    /** A trade comes before the change of the maker's order, which then says nothing new. */
    private void execute(final StockOrders stock, final MarketDataEvent event)
    {
        final int h = stock.find(event.orderId());
        if (h == StockOrders.NONE || event.size() < 1 || event.size() > stock.visible(h))
        {
            fail(stock, event);
        }
        stock.visible(h, stock.visible(h) - event.size());
        if (stock.reference(h) != StockOrders.NOT_SHOWN)
        {
            send(writer.wrap(message, 0).execute(stock, h, event.size() * stock.symbol.sharesPerLot(),
                event.tradeId()));
        }
    }

    private void add(final StockOrders stock, final MarketDataEvent event)
    {
        final long reference = referenceOf(stock, event.price(), event.size());
        stock.add(event.orderId(), reference, event.side(), event.price(), event.size());
        if (reference != StockOrders.NOT_SHOWN)
        {
            send(writer.wrap(message, 0).add(stock, stock.newest()));
        }
    }

    private void reduce(final StockOrders stock, final int h, final MarketDataEvent event)
    {
        final long lots = stock.visible(h) - event.size();
        if (lots < 0 || event.size() <= 0)
        {
            fail(stock, event);
        }
        stock.visible(h, event.size());
        if (lots > 0 && stock.reference(h) != StockOrders.NOT_SHOWN)
        {
            send(writer.wrap(message, 0).cancel(stock, h, lots * stock.symbol.sharesPerLot()));
        }
    }

    private void remove(final StockOrders stock, final int h)
    {
        if (stock.visible(h) > 0 && stock.reference(h) != StockOrders.NOT_SHOWN)
        {
            send(writer.wrap(message, 0).delete(stock, h));
        }
        stock.remove(h);
    }

    private void fail(final StockOrders stock, final MarketDataEvent event)
    {
        hasEnded = true;
        sender.endSession();
        throw new IllegalStateException("market data of symbol " + stock.symbol.spec().symbol() + " after sequences " +
            stock.sequence + " and " + stock.tapeSequence + " cannot be followed by " + event +
            "; its flow must lose nothing");
    }

    /** Begins the session with the state that {@link #begin} has found. */
    private void open()
    {
        if (!hasBegun)
        {
            throw new IllegalStateException("an event came before begin()");
        }
        isOpen = true;
        send(writer.wrap(message, 0).systemEvent(ItchWriter.START_OF_MESSAGES));
        for (final StockOrders stock : stocks)
        {
            send(writer.wrap(message, 0).directory(stock));
            send(writer.wrap(message, 0).tradingAction(stock));
        }
        for (final StockOrders stock : stocks)
        {
            // Nothing was removed yet, so the rows lie in the order of their references.
            for (int h = 0; h < stock.end(); h++)
            {
                if (stock.reference(h) != StockOrders.NOT_SHOWN)
                {
                    send(writer.wrap(message, 0).add(stock, h));
                }
            }
        }
        sender.flush();
    }

    private void send(final int length)
    {
        sender.offer(message, 0, length);
    }

    @Override
    public void onIdle() throws IOException
    {
        if (!isOpen && hasBegun)
        {
            open();
        }
        if (isOpen)
        {
            doWork();
        }
    }

    private void doWork() throws IOException
    {
        sender.doWork();
        snapshots.doWork(clock.nanoTime(), sender.nextSequence());
    }

    /** Ends the session. */
    @Override
    public void onDrained()
    {
        if (isOpen && !hasEnded)
        {
            hasEnded = true;
            send(writer.wrap(message, 0).systemEvent(ItchWriter.END_OF_MESSAGES));
            sender.endSession();
        }
    }

    /** Closes the sockets. */
    @Override
    public void onClose()
    {
        CloseHelper.quietCloseAll(sender, snapshots);
    }

    /**
     * Address of the retransmission server.
     *
     * @return with the port that was given or chosen.
     * @throws IOException if the socket is closed.
     */
    public InetSocketAddress requestServer() throws IOException
    {
        return sender.serverAddress();
    }

    /**
     * Address of the snapshot server.
     *
     * @return with the port that was given or chosen.
     * @throws IOException if the socket is closed.
     */
    public InetSocketAddress snapshotServer() throws IOException
    {
        return snapshots.address();
    }

    /**
     * Adds all counters to a server's.
     *
     * @param counters of the server.
     * @param name     each name begins with it and a dot.
     */
    public void addTo(final Counters counters, final String name)
    {
        sender.addTo(counters, name);
        snapshots.addTo(counters, name + ".snapshots");
        counters.add(name + ".notShown", "orders whose price or size does not fit the fields of ITCH",
            notShown::getOpaque);
        counters.add(name + ".otherSymbols", "events of symbols that are not published", otherSymbols::getOpaque);
    }
}
