package io.millrace.engine.codec;

import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The two commands in the short form.
 */
class OrderEntryCodecTest extends EventCodecSuite<OrderCommand>
{
    private static final int SYMBOL = 7;
    private static final long TRADER = 10;

    OrderEntryCodecTest()
    {
        super(new OrderEntryCodec(SYMBOL, TRADER), OrderCommand::new);
    }

    @Override
    List<OrderCommand> samples()
    {
        return List.of(
            new OrderCommand().limit(SYMBOL, 1, TRADER, BID, 3, 4),
            new OrderCommand().limit(SYMBOL, -1, TRADER, ASK, 3, Long.MAX_VALUE),
            new OrderCommand().cancel(SYMBOL, 1, TRADER));
    }

    @Override
    String text(final OrderCommand event)
    {
        return Samples.text(event);
    }

    @Override
    byte[] types()
    {
        return new byte[] {RecordType.NEW_ORDER, RecordType.CANCEL_ORDER};
    }

    @Test
    void shouldEncodeNoRecordForFieldsThatTheShortFormLacks()
    {
        final ByteView view = new ByteView(new byte[256]);
        // The samples' symbol and user.
        final OrderEntryCodec codec = new OrderEntryCodec(7, 2);
        for (final OrderCommand command : Samples.commands())
        {
            final boolean isShort = command.toString().startsWith("PLACE") &&
                command.toString().contains(" GTC ") || command.toString().startsWith("CANCEL");
            assertEquals(isShort, codec.encode(command, view, 0) != EventCodec.NO_RECORD, command::toString);
        }
        assertEquals(EventCodec.NO_RECORD, codec.encode(new OrderCommand().limit(SYMBOL, 1, 2, BID, 3, 4)
            .selfTradePolicy(SelfTradePolicy.CANCEL_BOTH), view, 0));
    }

    /** A trader who could place for others could not cancel those orders. */
    @Test
    void shouldRefuseAnOrderOfATraderOtherThanTheConnections()
    {
        for (final long other : new long[] {TRADER + 1, 0, -TRADER, TRADER + (1L << 32), Long.MIN_VALUE})
        {
            final OrderCommand foreign = new OrderCommand().limit(SYMBOL, 1, other, BID, 3, 4);
            final byte[] bytes = new byte[NewOrderDescriptor.LENGTH];
            assertEquals(bytes.length, new OrderEntryCodec(SYMBOL, other).encode(foreign, new ByteView(bytes), 0));
            final OrderCommand into = new OrderCommand().limit(SYMBOL, 55, TRADER, ASK, 9, 9);
            final String before = text(into);
            assertEquals(DecodeResult.WRONG_VALUE, codec.decode(new ByteView(bytes), 0, bytes.length, into));
            assertEquals(before, text(into), "untouched");
        }
    }

    @Test
    void shouldEncodeNoRecordForAnotherTraderOrSymbol()
    {
        final ByteView view = new ByteView(new byte[256]);
        for (final OrderCommand foreign : List.<OrderCommand>of(
            new OrderCommand().limit(SYMBOL, 1, TRADER + 1, BID, 3, 4),
            new OrderCommand().cancel(SYMBOL, 1, TRADER + 1),
            new OrderCommand().limit(SYMBOL + 1, 1, TRADER, BID, 3, 4),
            new OrderCommand().cancel(SYMBOL - 1, 1, TRADER)))
        {
            assertEquals(EventCodec.NO_RECORD, codec.encode(foreign, view, 0), foreign::toString);
        }
    }

    @Test
    void shouldReserveTheLimitOfABid()
    {
        final OrderCommand command = new OrderCommand();
        final byte[] bytes = bytesOf(new OrderCommand().limit(SYMBOL, 1, TRADER, BID, 3, 4).reservePrice(99));
        assertEquals(DecodeResult.OK, codec.decode(new ByteView(bytes), 0, bytes.length, command));
        assertEquals(3, command.reservePrice());
    }
}
