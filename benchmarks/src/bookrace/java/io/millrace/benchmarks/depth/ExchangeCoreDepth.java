package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.DepthBatch;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import exchange.core2.collections.objpool.ObjectsPool;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.orderbook.IOrderBook;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.orderbook.OrderBookEventsHelper;

/**
 * The direct book of exchange-core 0.5.3. Its commands are filled in before the batch is timed; its events go back to
 * a free list after each command. One thread.
 */
public final class ExchangeCoreDepth extends DepthBook
{
    private static final int EVENTS = 1_024;
    private static final int CANCEL = CommandWord.command(BookCommands.CANCEL);
    private static final int MOVE = CommandWord.command(BookCommands.MOVE);
    private static final int REDUCE = CommandWord.command(BookCommands.REDUCE);

    private IOrderBook book;
    private int symbol;
    private OrderCommand[] prepared = {};
    private MatcherTradeEvent free;

    /** Before the book is opened. */
    public ExchangeCoreDepth()
    {
    }

    @Override
    public void open(final SymbolSpec spec)
    {
        symbol = spec.symbol();
        book = new OrderBookDirectImpl(
            new CoreSymbolSpecification(symbol, SymbolType.FUTURES_CONTRACT, 0, 0, 1, 1, 0, 0, 0, 0),
            ObjectsPool.createDefaultTestPool(),
            new OrderBookEventsHelper(this::takeFree),
            LoggingConfiguration.DEFAULT);
    }

    @Override
    public void prepare(final DepthBatch batch)
    {
        super.prepare(batch);
        if (prepared.length < batch.room())
        {
            prepared = new OrderCommand[batch.room()];
            for (int i = 0; i < prepared.length; i++)
            {
                prepared[i] = OrderCommand.cancel(0, 0);
            }
        }
        for (int i = 0; i < batch.count(); i++)
        {
            fill(prepared[i], batch, i);
        }
    }

    private void fill(final OrderCommand command, final DepthBatch batch, final int index)
    {
        final int word = batch.word(index);
        final int kind = CommandWord.command(word);
        final boolean isPlace = kind != CANCEL && kind != MOVE && kind != REDUCE;
        command.command = isPlace ? OrderCommandType.PLACE_ORDER : kind == CANCEL ? OrderCommandType.CANCEL_ORDER :
            kind == MOVE ? OrderCommandType.MOVE_ORDER : OrderCommandType.REDUCE_ORDER;
        command.orderType = isPlace && BookCommands.orderType(word) == io.millrace.engine.book.OrderType.IOC ?
            OrderType.IOC : OrderType.GTC;
        command.action = isPlace && BookCommands.side(word) == Side.BID ? OrderAction.BID : OrderAction.ASK;
        command.orderId = batch.orderId(index);
        command.uid = batch.uid(index);
        command.price = batch.price(index);
        command.size = batch.size(index);
        command.reserveBidPrice = 0;
        command.symbol = symbol;
        command.resultCode = CommandResultCode.VALID_FOR_MATCHING_ENGINE;
    }

    private MatcherTradeEvent takeFree()
    {
        final MatcherTradeEvent chain = free == null ? MatcherTradeEvent.createEventChain(EVENTS) : free;
        free = null;
        return chain;
    }

    @Override
    public void give(final DepthBatch batch, final int index)
    {
        final OrderCommand command = prepared[index];
        if (IOrderBook.processCommand(book, command) != CommandResultCode.SUCCESS)
        {
            countRefusal();
        }
        final MatcherTradeEvent first = command.matcherEvent;
        if (first != null)
        {
            hash.command(index);
            command.matcherEvent = null;
            takeEvents(first);
        }
    }

    private void takeEvents(final MatcherTradeEvent first)
    {
        MatcherTradeEvent event = first;
        while (true)
        {
            final MatcherEventType type = event.eventType;
            final boolean isTrade = type == MatcherEventType.TRADE;
            hash.event(isTrade ? EventHash.TRADE :
                type == MatcherEventType.REJECT ? EventHash.REJECT : EventHash.REDUCE,
                isTrade ? event.matchedOrderId : 0, event.price, event.size);
            if (event.nextEvent == null)
            {
                break;
            }
            event = event.nextEvent;
        }
        event.nextEvent = free;
        free = first;
    }

    @Override
    public void tellLevels(final PriceLevelConsumer levels)
    {
        final L2MarketData market = book.getL2MarketDataSnapshot();
        for (int i = 0; i < market.bidSize; i++)
        {
            levels.onLevel(Side.BID, market.bidPrices[i], market.bidVolumes[i], (int)market.bidOrders[i]);
        }
        for (int i = 0; i < market.askSize; i++)
        {
            levels.onLevel(Side.ASK, market.askPrices[i], market.askVolumes[i], (int)market.askOrders[i]);
        }
    }
}
