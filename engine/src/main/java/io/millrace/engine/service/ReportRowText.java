package io.millrace.engine.service;

import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;

/** The text of a row of a report: its fields by their own names. For logs and debuggers. */
final class ReportRowText
{
    private ReportRowText()
    {
    }

    static boolean isRow(final byte kind)
    {
        return kind >= ExecutionKind.LEVEL && kind <= ExecutionKind.OPEN_INTEREST;
    }

    static String of(final ExecutionEvent row)
    {
        return ExecutionKind.name(row.kind()) + " of command " + row.commandSequence() + fields(row) +
            (row.correlation() == 0 ? "" : " correlation " + row.correlation());
    }

    private static String fields(final ExecutionEvent row)
    {
        return switch (row.kind())
        {
            case ExecutionKind.LEVEL -> symbol(row) + " " + Side.name(row.side()) + " price " + row.price() +
                " volume " + row.volume() + " orders " + row.orderCount();
            case ExecutionKind.ACCOUNT -> " uid " + row.uid() + " currency " + row.currency() + " balance " +
                row.balance() + " reserved " + row.reserved();
            case ExecutionKind.POSITION -> symbol(row) + " uid " + row.uid() + " " + Side.name(row.side()) +
                " volume " + row.openVolume() + " price sum " + row.openPriceSum() + " profit " + row.profit() +
                " pending sell " + row.pendingSell() + " pending buy " + row.pendingBuy();
            case ExecutionKind.ORDER -> symbol(row) + " order " + row.orderId() + " uid " + row.uid() + " " +
                Side.name(row.side()) + " " + OrderType.name(row.orderType()) + " price " + row.price() + " size " +
                row.size() + " filled " + row.filled() + " reserve price " + row.bidReservePrice() + " parameter " +
                row.parameter() + " self-trade policy " + row.selfTradePolicy();
            case ExecutionKind.TOTAL -> " currency " + row.currency() + " balances " + row.balances() + " reserves " +
                row.reserves() + " cash " + row.cash() + " fees " + row.fees() + " adjusted " + row.adjusted();
            case ExecutionKind.HASH -> " state hash " + Long.toHexString(row.stateHash());
            default -> symbol(row) + " longs " + row.longs() + " shorts " + row.shorts();
        };
    }

    private static String symbol(final ExecutionEvent row)
    {
        return " symbol " + row.symbol();
    }
}
