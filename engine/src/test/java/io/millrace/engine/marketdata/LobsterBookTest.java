package io.millrace.engine.marketdata;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.MarketByOrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * One hour of a real stock compared with the books that were recorded with it. Both files know 10 or 50 levels of a
 * side. The orders before the first row have no id, so artificial orders stand in for their levels. A message about an
 * id that was never added goes to the stand-in of its price and side.
 */
class LobsterBookTest
{
    private static final String MESSAGES = "34200000_37800000_message_50.csv.gz";
    private static final String BBOS = "34200000_57600000_orderbook_1.csv.gz";
    private static final String BOOKS = "34200000_57600000_orderbook_10.csv";
    private static final int DEPTH = 10;
    /** This many equal states in a row are no coincidence: two sequences that differed are the same again. */
    private static final int IN_STEP = 3;
    /** Far more states than the comparison skips: the search ends in any case. */
    private static final int MAX_PASSED = 200;

    /** A book that receives LOBSTER's messages. */
    private static final class LobsterBook
    {
        final MarketByOrderBook book = new MarketByOrderBook(SymbolSpec.future(1));
        final List<Bbo> bbos = new ArrayList<>();
        final Set<Long> unknownIds = new HashSet<>();
        int unknown;
        int standIns;
        int crossed;

        static long standIn(final byte side, final long price)
        {
            return -(2 * price + side) - 1;
        }

        void seed(final LobsterFile.Level level, final long size)
        {
            if (size > 0)
            {
                accept(book.add(standIn(level.side(), level.price()), level.side(), level.price(), size));
            }
        }

        private static void accept(final CommandResult result)
        {
            assertEquals(CommandResult.SUCCESS, result);
        }

        void apply(final LobsterFile.Message message)
        {
            switch (message.type())
            {
                case LobsterFile.ADD:
                    accept(book.add(message.orderId(), message.side(), message.price(), message.size()));
                    break;
                case LobsterFile.PARTIAL_CANCEL:
                case LobsterFile.DELETE:
                case LobsterFile.EXECUTION:
                    final CommandResult result = take(message, message.orderId());
                    if (result == CommandResult.UNKNOWN_ORDER)
                    {
                        unknown++;
                        unknownIds.add(message.orderId());
                        takeFromStandIn(message);
                    }
                    else
                    {
                        accept(result);
                        final boolean deleted = message.type() == LobsterFile.DELETE;
                        assertTrue(!deleted || isGone(message.orderId()), message::toString);
                    }
                    break;
                case LobsterFile.HIDDEN_EXECUTION:
                    break;
                default:
                    fail("a type that is not in the file: " + message);
            }
            record();
        }

        private boolean isGone(final long orderId)
        {
            return !book.withOrder(orderId, (id, uid, side, price, size, filled, reserve) ->
            {
            });
        }

        private CommandResult take(final LobsterFile.Message message, final long orderId)
        {
            return message.type() == LobsterFile.EXECUTION ? book.execute(orderId, message.size()) :
                book.reduce(orderId, message.size());
        }

        private void takeFromStandIn(final LobsterFile.Message message)
        {
            final CommandResult result = take(message, standIn(message.side(), message.price()));
            standIns += result == CommandResult.SUCCESS ? 1 : 0;
            assertTrue(result == CommandResult.SUCCESS || result == CommandResult.UNKNOWN_ORDER, result::toString);
        }

        void record()
        {
            final Bbo bbo = Bbo.of(book);
            crossed += bbo.isCrossed() ? 1 : 0;
            if (bbos.isEmpty() || !bbos.get(bbos.size() - 1).equals(bbo))
            {
                bbos.add(bbo);
            }
        }
    }

    private static List<Bbo> recordedBbos()
    {
        final List<Bbo> states = new ArrayList<>();
        final List<Bbo> rows = LobsterFile.bbos(BBOS);
        assertEquals(118_497, rows.size());
        for (final Bbo row : rows)
        {
            if (states.isEmpty() || !states.get(states.size() - 1).equals(row))
            {
                states.add(row);
            }
        }
        return states;
    }

    /** Row 1 is the book after message 1, so that message's order is removed from its level and added as itself. */
    private static LobsterBook seeded(final LobsterFile.Message first)
    {
        final LobsterBook book = new LobsterBook();
        for (final LobsterFile.Level level : LobsterFile.books(BOOKS, DEPTH).get(0))
        {
            final boolean own = level.side() == first.side() && level.price() == first.price();
            book.seed(level, level.size() - (own ? first.size() : 0));
        }
        book.apply(first);
        return book;
    }

    /**
     * Number of equal states along both sequences. Where they differ, the comparison skips as few as possible, until
     * this many in a row are equal again.
     */
    private static int equalInStep(final List<Bbo> ours, final List<Bbo> recorded, final int inStep)
    {
        int equal = 0;
        int i = 0;
        int k = 0;
        while (i < ours.size())
        {
            if (ours.get(i).equals(recorded.get(k)))
            {
                equal++;
            }
            else
            {
                int passed = 1;
                int ofOurs = 0;
                while (!isInStep(ours, i + ofOurs, recorded, k + passed - ofOurs, inStep))
                {
                    ofOurs = ofOurs < passed ? ofOurs + 1 : 0;
                    passed += ofOurs == 0 ? 1 : 0;
                    assertTrue(passed < MAX_PASSED, "the states never agree again after state " + i);
                }
                i += ofOurs - 1;
                k += passed - ofOurs - 1;
            }
            i++;
            k++;
        }
        return equal;
    }

    private static boolean isInStep(
        final List<Bbo> ours, final int i, final List<Bbo> recorded, final int k, final int states)
    {
        return i + states <= ours.size() && k + states <= recorded.size() &&
            ours.subList(i, i + states).equals(recorded.subList(k, k + states));
    }

    /** The next row follows from a row of ten levels of a side and the next message. */
    @Test
    void shouldAgreeWithAllBooksAfterEachMessage()
    {
        final List<LobsterFile.Message> messages = LobsterFile.messages("34200000_57600000_message_10.csv");
        final List<List<LobsterFile.Level>> books = LobsterFile.books(BOOKS, DEPTH);
        assertEquals(999, messages.size());
        assertEquals(999, books.size());
        final LobsterBook lobster = new LobsterBook();
        int entered = 0;
        for (int row = 1; row < books.size(); row++)
        {
            lobster.book.clear();
            books.get(row - 1).forEach(level -> lobster.seed(level, level.size()));
            final LobsterFile.Message message = messages.get(row);
            lobster.apply(message);
            final String where = "row " + (row + 1) + " after " + message;
            final int missing = missingLevels(lobster.book, Side.ASK, books.get(row), where) +
                missingLevels(lobster.book, Side.BID, books.get(row), where);
            assertTrue(missing <= 1, where);
            entered += missing;
        }
        assertEquals(318, entered, "levels that came from beyond the tenth");
        assertEquals(lobster.unknown, lobster.standIns, "each of the messages found the level that it was about");
        assertEquals(0, lobster.crossed);
    }

    /** Number of levels by which the recorded side lags behind ours; the common ones are equal. */
    private static int missingLevels(
        final MarketByOrderBook book, final byte side, final List<LobsterFile.Level> row, final String where)
    {
        final List<LobsterFile.Level> ours = new ArrayList<>();
        book.forEachLevel(side, DEPTH, (s, price, volume, orders) -> ours.add(
            new LobsterFile.Level(s, price, volume)));
        final List<LobsterFile.Level> recorded = row.stream().filter(level -> level.side() == side).toList();
        assertEquals(recorded.subList(0, Math.min(ours.size(), recorded.size())), ours, where);
        return recorded.size() - ours.size();
    }

    @Test
    void shouldReproduceTheRecordedBestPricesOfAnHour()
    {
        final List<LobsterFile.Message> messages = LobsterFile.messages(MESSAGES);
        assertEquals(91_997, messages.size());
        final List<Bbo> recorded = recordedBbos();
        final LobsterBook lobster = seeded(messages.get(0));
        messages.subList(1, messages.size()).forEach(lobster::apply);
        lobster.book.verify();
        assertEquals(23_439, lobster.bbos.size());
        int equal = 0;
        while (lobster.bbos.get(equal).equals(recorded.get(equal)))
        {
            equal++;
        }
        assertEquals(15_999, equal, "states equal from the first on");
        assertEquals(23_414, equalInStep(lobster.bbos, recorded, IN_STEP), "states equal and in step");
        // Eight more if one equal state, or two, already count as being in step again.
        assertEquals(23_422, equalInStep(lobster.bbos, recorded, 1), "states equal");
        assertEquals(80, lobster.unknownIds.size(), "ids that were never added");
        assertEquals(84, lobster.unknown, "messages about them");
        assertEquals(31, lobster.standIns, "of which so many were about a level of the first row");
        assertEquals(0, lobster.crossed);
    }

    /**
     * Not all are equal: one order was deleted while its price was beyond the fiftieth level. No message reports that,
     * so it still rests when its price becomes the best. Without it there is no difference.
     */
    @Test
    void shouldReproduceAllRecordedBestPricesWithoutTheOrderWhoseDeletionIsMissing()
    {
        final List<LobsterFile.Message> messages = LobsterFile.messages(MESSAGES);
        final List<Bbo> recorded = recordedBbos();
        final LobsterBook lobster = seeded(messages.get(0));
        final List<Long> stale = new ArrayList<>();
        for (final LobsterFile.Message message : messages.subList(1, messages.size()))
        {
            lobster.apply(message);
            final int last = lobster.bbos.size() - 1;
            if (!lobster.bbos.get(last).equals(recorded.get(last)))
            {
                assertEquals(new Bbo(5_843_900, 100, 5_842_100, 100), lobster.bbos.remove(last));
                lobster.book.forEachOrder(Side.BID, (id, uid, side, price, size, filled, reserve) ->
                {
                    if (price == 5_842_100)
                    {
                        stale.add(id);
                    }
                });
                assertEquals(List.of(45_367_855L), stale);
                assertEquals(CommandResult.SUCCESS, lobster.book.cancel(stale.get(0)));
                lobster.record();
            }
        }
        assertEquals(1, messages.stream().filter(message -> message.orderId() == 45_367_855L).count());
        assertEquals(23_440, lobster.bbos.size());
        assertEquals(recorded.subList(0, 23_440), lobster.bbos);
    }
}
