package io.millrace.engine.marketdata;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.MarketByOrderBook;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Books from NASDAQ's own messages: one hour of one stock without an error, and a sample with many errors. */
class ItchBookTest
{
    /** A book for each stock, which receives the messages of a file. */
    private static final class ItchBooks
    {
        final Map<Integer, MarketByOrderBook> books = new HashMap<>();
        final Map<Integer, Bbo> bbos = new HashMap<>();
        final Map<Character, Integer> counts = new TreeMap<>();
        final Map<String, Integer> anomalies = new TreeMap<>();
        private final int windowTicks;
        long sharesExecuted;
        int bboChanges;
        int crossed;

        ItchBooks(final int windowTicks, final List<ItchFile.Message> messages)
        {
            this.windowTicks = windowTicks;
            messages.forEach(this::apply);
            books.values().forEach(MarketByOrderBook::verify);
        }

        private void apply(final ItchFile.Message message)
        {
            counts.merge(message.type(), 1, Integer::sum);
            if ("AFECXDU".indexOf(message.type()) < 0)
            {
                return;
            }
            final MarketByOrderBook book = books.computeIfAbsent(message.locate(), locate ->
                new MarketByOrderBook(SymbolSpec.future(locate).withWindowTicks(windowTicks)));
            final CommandResult result = apply(message, book);
            if (result != CommandResult.SUCCESS)
            {
                anomalies.merge(message.type() + " " + result, 1, Integer::sum);
            }
            final Bbo bbo = Bbo.of(book);
            bboChanges += bbo.equals(bbos.getOrDefault(message.locate(), Bbo.NONE)) ? 0 : 1;
            bbos.put(message.locate(), bbo);
            crossed += bbo.isCrossed() ? 1 : 0;
        }

        private CommandResult apply(final ItchFile.Message m, final MarketByOrderBook book)
        {
            switch (m.type())
            {
                case 'E':
                case 'C':
                    sharesExecuted += m.size();
                    return book.execute(m.reference(), m.size());
                case 'X':
                    return book.reduce(m.reference(), m.size());
                case 'D':
                    return book.cancel(m.reference());
                case 'U':
                    return book.replace(m.reference(), m.newReference(), m.price(), m.size());
                default:
                    return book.add(m.reference(), m.side(), m.price(), m.size());
            }
        }
    }

    @Test
    void shouldBuildAnHourOfOneStockWithoutAnAnomaly()
    {
        final List<ItchFile.Message> messages = ItchFile.messages("aapl_20120621_0930_1030.itch.gz");
        assertEquals(92_082, messages.size());
        for (final int windowTicks : new int[]{SymbolSpec.MIN_WINDOW_TICKS, SymbolSpec.MIN_DEFAULT_WINDOW_TICKS})
        {
            final ItchBooks itch = new ItchBooks(windowTicks, messages);
            assertEquals(Map.of('A', 44_336, 'D', 41_004, 'E', 4_067, 'P', 2_201, 'X', 469, 'R', 1, 'S', 4),
                itch.counts);
            assertEquals(Map.of(), itch.anomalies);
            assertEquals(0, itch.crossed);
            assertEquals(23_456, itch.bboChanges);
            assertEquals(350_494, itch.sharesExecuted);
            assertEquals(List.of(new Bbo(5_859_500, 100, 5_856_900, 10)), List.copyOf(itch.bbos.values()));
        }
    }

    /** A sample lacks earlier orders and keeps some that were removed: count them and continue. */
    @Test
    void shouldCountTheMissingOrdersOfASampleAndAllowCrossedBooks()
    {
        final List<ItchFile.Message> messages = ItchFile.messages("ex20101224.TEST_ITCH_50.gz");
        assertEquals(12_012, messages.size());
        final ItchBooks itch = new ItchBooks(SymbolSpec.MIN_DEFAULT_WINDOW_TICKS, messages);
        assertEquals(Map.of('A', 4_997, 'D', 1_745, 'E', 198, 'F', 3, 'H', 3, 'P', 5_000, 'R', 3, 'S', 6, 'U', 12,
            'X', 45), itch.counts);
        assertEquals(Map.of("D UNKNOWN_ORDER", 94, "E UNKNOWN_ORDER", 18, "X UNKNOWN_ORDER", 3, "U UNKNOWN_ORDER", 2),
            itch.anomalies);
        assertEquals(117, itch.anomalies.values().stream().mapToInt(Integer::intValue).sum());
        // As another replay of this file counts, which uses plain maps.
        assertEquals(3, itch.books.size());
        assertEquals(6_959, itch.crossed);
        assertEquals(392, itch.bboChanges);
        assertEquals(3_204, itch.books.values().stream().mapToInt(MarketByOrderBook::orderCount).sum());
    }

    @Test
    void shouldReadTheStartOfADayBeforeAnyOrder()
    {
        final ItchBooks itch =
            new ItchBooks(SymbolSpec.MIN_DEFAULT_WINDOW_TICKS, ItchFile.messages("day_start_1000.itch"));
        assertEquals(Map.of('R', 993, 'H', 3, 'Y', 3, 'S', 1), itch.counts);
        assertEquals(Map.of(), itch.books);
    }
}
