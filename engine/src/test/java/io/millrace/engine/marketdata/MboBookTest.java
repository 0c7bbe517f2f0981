package io.millrace.engine.marketdata;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.MarketByOrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * A day of a real stock, order by order, against the feed's own book of ten levels.
 * <p>
 * The feed gives a row after each event that changes its ten levels, after some at their edge, and after each trade.
 * A trade is an event that does not touch the book; the fill and the removal of the resting order, if it was displayed,
 * follow under the same sequence number without rows of their own, so the trade's row has them.
 */
class MboBookTest
{
    private final MarketByOrderBook book = new MarketByOrderBook(SymbolSpec.spot(1));

    private void apply(final MboFile.Event event)
    {
        final long orderId = event.key().orderId();
        switch (event.key().action())
        {
            case 'A':
                accept(event, book.add(orderId, event.side(), event.price(), event.size()));
                break;
            case 'C':
                accept(event, book.reduce(orderId, event.size()));
                break;
            case 'R':
                book.clear();
                break;
            case 'T':
            case 'F':
                break;
            default:
                fail("an action that is not in the file: " + event);
        }
    }

    private static void accept(final MboFile.Event event, final CommandResult result)
    {
        assertEquals(CommandResult.SUCCESS, result, event::toString);
    }

    private List<MboFile.Level> levels()
    {
        final List<MboFile.Level> levels = new ArrayList<>();
        for (final byte side : new byte[]{Side.BID, Side.ASK})
        {
            book.forEachLevel(side, MboFile.DEPTH, (s, price, volume, orders) ->
                levels.add(new MboFile.Level(s, price, volume, orders)));
        }
        return levels;
    }

    @Test
    void shouldReproduceEachRowOfTheRecordedBook()
    {
        final List<MboFile.Event> events = MboFile.events();
        final List<MboFile.Book> rows = MboFile.books();
        assertEquals(5_886, events.size());
        assertEquals(3_928, rows.size());
        int row = 0;
        int i = 0;
        while (i < events.size())
        {
            final MboFile.Key key = events.get(i).key();
            apply(events.get(i++));
            while (key.action() == 'T' && i < events.size() && events.get(i).key().sequence() == key.sequence())
            {
                apply(events.get(i++));
            }
            if (row < rows.size() && rows.get(row).key().equals(key))
            {
                row++;
            }
            // An event without a row has not changed the ten levels of the row before.
            assertEquals(rows.get(row - 1).levels(), levels(), key::toString);
        }
        assertEquals(3_928, row, "rows that have their event, and equal levels");
        book.verify();
    }
}
