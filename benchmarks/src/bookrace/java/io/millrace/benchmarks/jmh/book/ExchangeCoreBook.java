package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.flow.CommandColumns;
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

import java.util.stream.Stream;

/**
 * The direct book of exchange-core 0.5.3 with its own pool. Its commands are made beforehand; its events go back to
 * a free list after each command, from where it takes them again. One thread.
 */
public final class ExchangeCoreBook extends BookContender
{
    /** Events made at a time when the free list is empty: more than a sweep of the flow has, so it happens once. */
    private static final int EVENTS = 1_024;

    private static final int PLACE = CommandWord.COMMANDS.indexOf("PLACE_ORDER");
    private static final int CANCEL = CommandWord.COMMANDS.indexOf("CANCEL_ORDER");
    private static final int MOVE = CommandWord.COMMANDS.indexOf("MOVE_ORDER");

    private IOrderBook book;
    private int symbol = BookFlow.SPEC.symbol();
    private OrderCommand[] prepared = {};
    private MatcherTradeEvent free;

    /**
     * A contender without a book.
     *
     * @param commands its commands.
     */
    public ExchangeCoreBook(final CommandColumns commands)
    {
        super(commands);
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
    public void prepare()
    {
        if (prepared.length < commands.capacity())
        {
            prepared = Stream.generate(() -> OrderCommand.cancel(0, 0)).limit(commands.capacity())
                .toArray(OrderCommand[]::new);
        }
        for (int i = 0; i < commands.count(); i++)
        {
            fill(prepared[i], i);
        }
    }

    private void fill(final OrderCommand command, final int index)
    {
        final int word = commands.word(index);
        final int kind = CommandWord.command(word);
        command.command = kind == PLACE ? OrderCommandType.PLACE_ORDER : kind == CANCEL ?
            OrderCommandType.CANCEL_ORDER : kind == MOVE ? OrderCommandType.MOVE_ORDER : OrderCommandType.REDUCE_ORDER;
        if (kind == PLACE)
        {
            command.orderType = OrderType.valueOf(CommandWord.ORDER_TYPES.get(CommandWord.orderType(word)));
            command.action = OrderAction.valueOf(CommandWord.ACTIONS.get(CommandWord.action(word)));
        }
        command.orderId = commands.orderId(index);
        command.uid = commands.uid(index);
        command.price = commands.price(index);
        command.size = commands.size(index);
        command.reserveBidPrice = commands.reserveBidPrice(index);
        command.symbol = symbol;
        command.resultCode = CommandResultCode.VALID_FOR_MATCHING_ENGINE;
    }

    /** All events that are free, as one chain. */
    private MatcherTradeEvent takeFree()
    {
        final MatcherTradeEvent chain = free == null ? MatcherTradeEvent.createEventChain(EVENTS) : free;
        free = null;
        return chain;
    }

    @Override
    public void give(final int index)
    {
        final OrderCommand command = prepared[index];
        if (IOrderBook.processCommand(book, command) != CommandResultCode.SUCCESS)
        {
            countRefusal();
        }
        final MatcherTradeEvent first = command.matcherEvent;
        if (first != null)
        {
            hash.command(commands.seq(index));
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
            final boolean trade = type == MatcherEventType.TRADE;
            hash.event(trade ? EventHash.TRADE : type == MatcherEventType.REJECT ? EventHash.REJECT : EventHash.REDUCE,
                trade ? event.matchedOrderId : 0, event.price, event.size);
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
    protected void reportLevels(final LevelHash levels)
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
