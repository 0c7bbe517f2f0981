package io.millrace.engine.risk;

import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;

import java.util.ArrayList;
import java.util.List;

/** The rows of a report on a user, or of one on the totals. */
final class ReportRows implements UserReportConsumer, TotalsConsumer
{
    final List<Account> accounts = new ArrayList<>();
    final List<Position> positions = new ArrayList<>();
    final List<Order> orders = new ArrayList<>();
    final List<Currency> currencies = new ArrayList<>();
    final List<OpenInterest> openInterest = new ArrayList<>();
    CommandResult result;

    record Account(int currency, long balance, long reserved)
    {
    }

    record Position(int symbol, long volume, long priceSum, long profit, long asks, long bids)
    {
    }

    record Order(int symbol, long id, byte side, long price, long size, long filled, long reservePrice)
    {
    }

    record Currency(int currency, long balances, long reserved, long cash, long fees, long adjusted)
    {
    }

    record OpenInterest(int symbol, long longs, long shorts)
    {
    }

    static ReportRows user(final MatchingEngine engine, final long uid)
    {
        final ReportRows rows = new ReportRows();
        rows.result = engine.userReport(uid, rows);
        return rows;
    }

    static ReportRows totals(final MatchingEngine engine)
    {
        final ReportRows rows = new ReportRows();
        rows.result = engine.totalsReport(rows);
        return rows;
    }

    @Override
    public void onAccount(final int currency, final long balance, final long reserved)
    {
        accounts.add(new Account(currency, balance, reserved));
    }

    @Override
    public void onPosition(
        final int symbol,
        final long volume,
        final long openPriceSum,
        final long profit,
        final long pendingSell,
        final long pendingBuy)
    {
        positions.add(new Position(symbol, volume, openPriceSum, profit, pendingSell, pendingBuy));
    }

    @Override
    public void onOrder(
        final int symbol,
        final long orderId,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long price,
        final long size,
        final long filled,
        final long reservePrice,
        final long parameter)
    {
        orders.add(new Order(symbol, orderId, side, price, size, filled, reservePrice));
    }

    @Override
    public void onCurrency(
        final int currency,
        final long balances,
        final long reserved,
        final long cash,
        final long fees,
        final long adjusted)
    {
        currencies.add(new Currency(currency, balances, reserved, cash, fees, adjusted));
    }

    @Override
    public void onOpenInterest(final int symbol, final long longs, final long shorts)
    {
        openInterest.add(new OpenInterest(symbol, longs, shorts));
    }
}
