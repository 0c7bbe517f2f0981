package io.millrace.benchmarks.jmh.ops;

import io.millrace.benchmarks.flow.Fills;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.ExecutionReportCodec;
import io.millrace.engine.codec.ExecutionReportDescriptor;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.tables.PowerOfTwo;
import io.millrace.pool.ByteView;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.RingPipeline;

import java.nio.ByteBuffer;

/**
 * From a ring that was filled before, through the book, to reports as bytes, on one thread. Orders that cross: asks and
 * bids alternately at one price. Mixed ones: as {@link BookOperation#mixed}.
 */
final class RingToReport extends Fills implements Operation
{
    private static final int POLL_LIMIT = 256;
    /** Length of a buffer that wraps, like the send buffer of a connection: 1,365 reports in 64 KB. */
    private static final int REPORTS_LENGTH = 65_520;

    private final int orders;
    private final boolean mixed;
    private final RingPool<RingOrder> pool;
    private final RingPipeline<RingOrder> ring;
    private final EventSubscription<RingOrder> subscription;
    // One for all polls: making it at each would allocate.
    private final EventHandler<RingOrder> handler = this::match;
    private final BookCommand placement = new BookCommand();
    private final OrderBook book;
    private final ExecutionEvent report = new ExecutionEvent();
    private final ExecutionReportCodec codec = new ExecutionReportCodec();
    private final ByteView reports = new ByteView(ByteBuffer.allocateDirect(REPORTS_LENGTH));
    private int reportAt;
    private long refused;
    private long command;

    RingToReport(final int orders, final boolean mixed)
    {
        this.orders = orders;
        this.mixed = mixed;
        pool = new RingPool<>(RingOrder::new, PowerOfTwo.atLeast(orders));
        ring = new RingPipeline<>(pool);
        subscription = ring.subscribe("match");
        book = new OrderBook(SymbolSpec.future(1).withOrderCapacity((mixed ? orders / 5 : 0) + BookOperation.CYCLE)
            .withWindowTicks(BookOperation.FEW_PRICES), this);
    }

    @Override
    public void prepare()
    {
        for (long id = orders - 1; id >= 0 && book.orderCount() > 0; id--)
        {
            book.cancel(id, 1);
        }
        Operation.expect("orders before the preparation", 0, book.orderCount());
        clear();
        refused = 0;
        subscription.flush();
        for (int i = 0; i < orders; i++)
        {
            final RingOrder order = pool.acquire();
            fill(order, i);
            ring.offer(order);
        }
    }

    private void fill(final RingOrder order, final int i)
    {
        final int step = i % BookOperation.CYCLE;
        if (!mixed)
        {
            order.set(i % 2 == 0 ? Side.ASK : Side.BID, i, BookOperation.LOW, BookOperation.SIZE);
        }
        else if (step < BookOperation.INSERTS)
        {
            final boolean bid = step % 2 == 0;
            order.set(bid ? Side.BID : Side.ASK, i, bid ? BookOperation.LOW : BookOperation.HIGH, BookOperation.SIZE);
        }
        else if (step < BookOperation.INSERTS + BookOperation.CANCELS)
        {
            order.setCancel(i - step + BookOperation.INSERTS - 1 - (step - BookOperation.INSERTS));
        }
        else
        {
            order.set(Side.BID, i, BookOperation.HIGH, BookOperation.SIZE);
        }
    }

    @Override
    public void run()
    {
        try
        {
            int left = orders;
            while (left > 0)
            {
                left -= subscription.poll(handler, POLL_LIMIT);
            }
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void match(final RingOrder order, final long sequence, final boolean endOfBatch)
    {
        command = sequence;
        if (order.cancels)
        {
            // SUCCESS is 0; the check refuses any other result.
            refused += book.cancel(order.id, order.uid).ordinal();
        }
        else
        {
            refused += book.execute(placement.place(OrderType.GTC, order.side).orderId(order.id).uid(order.uid)
                .price(order.price).size(order.size).reservePrice(order.price)).ordinal();
        }
    }

    @Override
    public void onTrade(
        final int symbol,
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
        super.onTrade(symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide, takerCompleted,
            price, size, bidReservePrice);
        report.set(ExecutionKind.TRADE, takerSide, (byte)0, makerCompleted, takerCompleted, false, 1, 0, command, 0,
            takerOrderId, takerUid, makerOrderId, makerUid, price, size, bidReservePrice);
        reportAt = reportAt == REPORTS_LENGTH ? 0 : reportAt;
        reportAt += codec.encode(report, reports, reportAt);
    }

    @Override
    public void check()
    {
        final int cycles = orders / BookOperation.CYCLE;
        final long expected = mixed ? cycles * 2L : orders / 2;
        Operation.expect("refusals", 0, refused);
        Operation.expect("trades", expected, trades);
        Operation.expect("traded volume", expected * BookOperation.SIZE, volume);
        Operation.expect("reductions", mixed ? (long)cycles * BookOperation.CANCELS : 0, reduces);
        Operation.expect("orders left", mixed ? cycles * 2L : 0, book.orderCount());
        final int last = reportAt - ExecutionReportDescriptor.LENGTH;
        Operation.expect("taker of the last report", orders - 1,
            reports.getLong(last + ExecutionReportDescriptor.TAKER_OFFSET));
        Operation.expect("price of the last report", mixed ? BookOperation.HIGH : BookOperation.LOW,
            reports.getLong(last + ExecutionReportDescriptor.PRICE_OFFSET));
    }
}
