package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;

/**
 * Matches: gives each command to an order book by a plain call. What is left is the book itself.
 */
final class MatchingHandler implements RateHandler
{
    /**
     * The one symbol of the report, whichever recording its commands come from: with default limits, a future, since a
     * recording has no balances.
     */
    static final SymbolSpec SYMBOL = SymbolSpec.future(OrderFlow.SYMBOL);

    private final BookCommand command = new BookCommand();
    private final ExecutionLedger ledger = new ExecutionLedger(FieldChecksum.START);
    private final OrderBook book = new OrderBook(SYMBOL, ledger);

    @Override
    public void onMessage(final RateMessage message)
    {
        final long orderId = message.orderId();
        final long uid = message.uid();
        BookCommands.fill(command, message.word()).orderId(orderId).uid(uid).price(message.price())
            .size(message.size()).reservePrice(message.reserveBidPrice());
        ledger.onResult(orderId, uid, book.execute(command).code());
    }

    @Override
    public Executions executions()
    {
        return ledger.executions(book.orderCount());
    }
}
