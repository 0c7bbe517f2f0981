package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import io.millrace.engine.EventCounter;
import io.millrace.engine.Listeners;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M9: The types that never rest, and {@code POST_ONLY}, which never trades on arrival. Each is an order of 10 lots on
 * books with nothing, 4 lots, one lot too few, exactly enough, and more at the price of 100, and on books that have the
 * rest one price step beyond it.
 */
class ImmediateTypesTest
{
    private static final long UID = 7;
    private static final long SIZE = 10;
    private static final long LIMIT = 100;
    private static final List<String> TYPES =
        List.of("GTC", "IOC", "MARKET", "FOK_BUDGET", "FOK", "IOC_BUDGET", "POST_ONLY");

    private final EventCounter counter = new EventCounter();
    private final Tape tape = new Tape();
    private final Tape referenceTape = new Tape();

    private static RandomCommand order(
        final byte type, final byte side, final long id, final long price, final long size)
    {
        final RandomCommand order = new RandomCommand();
        order.type = CommandType.PLACE;
        order.orderType = type;
        order.side = side;
        order.orderId = id;
        order.uid = UID;
        order.price = price;
        order.size = size;
        order.reserve = LIMIT;
        return order;
    }

    /** Rejected and traded lots, or that the order was refused, or rests. */
    private String came(final byte type, final byte side, final long price, final long atLimit, final long beyond)
    {
        final SymbolSpec spec = SymbolSpec.future(1).withOrderCapacity(8).withWindowTicks(64);
        final OrderBook book = new OrderBook(spec, new Listeners(counter, tape, () ->
        {
        }));
        final ReferenceBook reference = new ReferenceBook(spec, referenceTape);
        final byte other = side == Side.BID ? Side.ASK : Side.BID;
        final RandomCommand near = order(OrderType.GTC, other, 1, LIMIT, atLimit);
        final RandomCommand far = order(OrderType.GTC, other, 2, side == Side.BID ? LIMIT + 1 : LIMIT - 1, beyond);
        for (final RandomCommand maker : List.of(near, far))
        {
            // Nothing is no order.
            assertEquals(maker.giveTo(reference), maker.giveTo(book));
        }
        final long hash = book.stateHash();
        counter.clear();
        final RandomCommand taker = order(type, side, 9, price, SIZE);
        final CommandResult result = taker.giveTo(book);
        assertEquals(taker.giveTo(reference), result);
        assertTrue(referenceTape.isEqualTo(tape), () -> "the reference:" + referenceTape + "\nthe book:" + tape);
        book.verify();
        if (result != CommandResult.SUCCESS)
        {
            assertEquals(CommandResult.WOULD_TRADE, result);
            assertEquals(hash, book.stateHash());
            return "refused";
        }
        if (type == OrderType.POST_ONLY)
        {
            assertEquals(SIZE, book.volumeAt(side, price));
            return "rests";
        }
        assertEquals(0, book.volumeAt(side, price), "nothing rests");
        assertEquals(counter.rejected > 0 ? 1 : 0, counter.rejects, "one REJECT at most");
        assertEquals(SIZE, counter.rejected + counter.volume);
        return counter.rejected + "/" + counter.volume;
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiterString = "|", textBlock = """
        # type    | side| price| nothing| 4     | 9   | 10   | 11   | 4 + 6 | 4 + 5
        IOC       | BID | 100  | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 6/4   | 6/4
        IOC       | ASK | 100  | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 6/4   | 6/4
        IOC       | BID | 101  | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 0/10  | 1/9
        IOC       | ASK | 99   | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 0/10  | 1/9
        IOC       | BID | 99   | 10/0   | 10/0  | 10/0| 10/0 | 10/0 | 10/0  | 10/0
        MARKET    | BID | 0    | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 0/10  | 1/9
        MARKET    | ASK | 0    | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 0/10  | 1/9
        FOK       | BID | 100  | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 10/0  | 10/0
        FOK       | ASK | 100  | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 10/0  | 10/0
        FOK       | BID | 101  | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 0/10  | 10/0
        FOK       | ASK | 99   | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 0/10  | 10/0
        FOK_BUDGET| BID | 999  | 10/0   | 10/0  | 10/0| 10/0 | 10/0 | 10/0  | 10/0
        FOK_BUDGET| BID | 1000 | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 10/0  | 10/0
        FOK_BUDGET| BID | 1005 | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 10/0  | 10/0
        FOK_BUDGET| BID | 1006 | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 0/10  | 10/0
        FOK_BUDGET| ASK | 1001 | 10/0   | 10/0  | 10/0| 10/0 | 10/0 | 10/0  | 10/0
        FOK_BUDGET| ASK | 1000 | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 10/0  | 10/0
        FOK_BUDGET| ASK | 995  | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 10/0  | 10/0
        FOK_BUDGET| ASK | 994  | 10/0   | 10/0  | 10/0| 0/10 | 0/10 | 0/10  | 10/0
        IOC_BUDGET| BID | 399  | 10/0   | 10/0  | 10/0| 10/0 | 10/0 | 10/0  | 10/0
        IOC_BUDGET| BID | 400  | 10/0   | 6/4   | 10/0| 10/0 | 10/0 | 6/4   | 6/4
        IOC_BUDGET| BID | 999  | 10/0   | 6/4   | 1/9 | 10/0 | 10/0 | 6/4   | 1/9
        IOC_BUDGET| BID | 1000 | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 6/4   | 1/9
        IOC_BUDGET| BID | 1005 | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 6/4   | 1/9
        IOC_BUDGET| BID | 1006 | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 0/10  | 1/9
        IOC_BUDGET| ASK | 100  | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 6/4   | 6/4
        IOC_BUDGET| ASK | 99   | 10/0   | 6/4   | 1/9 | 0/10 | 0/10 | 0/10  | 1/9
        POST_ONLY | BID | 99   | rests  | rests | rests | rests | rests | rests | rests
        POST_ONLY | BID | 100  | rests  | refused| refused| refused| refused| refused| refused
        POST_ONLY | ASK | 101  | rests  | rests | rests | rests | rests | rests | rests
        POST_ONLY | ASK | 100  | rests  | refused| refused| refused| refused| refused| refused
        """)
    void shouldTradeTheAvailableSizeOrNothing(
        final String type,
        final String side,
        final long price,
        final String ofNothing,
        final String ofFour,
        final String ofNine,
        final String ofTen,
        final String ofEleven,
        final String ofAllBeyond,
        final String ofOneShortBeyond)
    {
        final byte t = (byte)TYPES.indexOf(type);
        final byte s = side.equals("BID") ? Side.BID : Side.ASK;
        assertEquals(List.of(ofNothing, ofFour, ofNine, ofTen, ofEleven, ofAllBeyond, ofOneShortBeyond),
            List.of(came(t, s, price, 0, 0), came(t, s, price, 4, 0), came(t, s, price, 9, 0), came(t, s, price, 10, 0),
                came(t, s, price, 11, 0), came(t, s, price, 4, 6), came(t, s, price, 4, 5)));
    }
}
