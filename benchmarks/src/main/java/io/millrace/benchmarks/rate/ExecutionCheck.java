package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.server.pipeline.EventHandler;

/**
 * The end of the executions' flow: writes each one into an {@link ExecutionLedger}. One thread.
 */
final class ExecutionCheck implements EventHandler<ExecutionEvent>
{
    // No result has this code, so a misplaced RESULT spoils the checksum.
    private static final int MISPLACED = 1 << 8;

    private final ExecutionLedger ledger = new ExecutionLedger(FieldChecksum.START);

    @Override
    public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        switch (event.kind())
        {
            case ExecutionKind.TRADE ->
                ledger.onTrade(event.symbol(), event.makerOrderId(), event.makerUid(), event.isMakerCompleted(),
                    event.orderId(), event.uid(), event.side(), event.isCompleted(), event.price(), event.size(),
                    event.bidReservePrice());
            case ExecutionKind.REJECT ->
                ledger.onReject(event.symbol(), event.orderId(), event.uid(), event.side(), event.price(), event.size(),
                    event.bidReservePrice());
            case ExecutionKind.REDUCE ->
                ledger.onReduce(event.symbol(), event.orderId(), event.uid(), event.side(), event.price(), event.size(),
                    event.isCompleted(), event.bidReservePrice());
            default -> onResult(event);
        }
    }

    private void onResult(final ExecutionEvent event)
    {
        final boolean inPlace =
            event.commandSequence() == ledger.results() && event.symbol() == MatchingHandler.SYMBOL.symbol();
        ledger.onResult(event.orderId(), event.uid(), inPlace ? event.resultCode() : MISPLACED,
            event.executionCount());
    }

    Executions executions(final int resting)
    {
        return ledger.executions(resting);
    }
}
