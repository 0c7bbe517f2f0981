package io.millrace.engine.risk;

import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.PriceLevelConsumer;

/**
 * Listens to everything and adds up one number of each call.
 */
final class SummingListener implements ExecutionListener, UserReportConsumer, TotalsConsumer, PriceLevelConsumer
{
    long sum;

    @Override
    public void onTrade(
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        sum += price;
    }

    @Override
    public void onReject(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        sum += price;
    }

    @Override
    public void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        sum += price;
    }

    @Override
    public void onLevel(final byte side, final long price, final long volume, final int orders)
    {
        sum += price;
    }

    @Override
    public void onAccount(final int currency, final long balance, final long held)
    {
        sum += balance;
    }
}
