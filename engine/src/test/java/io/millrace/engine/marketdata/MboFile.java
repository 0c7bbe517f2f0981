package io.millrace.engine.marketdata;

import io.millrace.engine.book.Side;
import io.millrace.server.replay.CsvRow;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads a day of one stock as Databento writes it in text: single orders (MBO), and the feed's own book of ten levels
 * with order counts (MBP-10). Prices become dollars times 10,000: orders stand at whole cents, trades do not always.
 */
final class MboFile
{
    static final int DEPTH = 10;

    private static final String FOLDER = "mbo/arl_20250717_";
    private static final int DECIMALS = 9;
    private static final long UNITS_PER_STEP = 100_000;

    private static final int EVENT_COLUMNS = 15;
    private static final int EVENT_ACTION = 5;
    private static final int EVENT_SIDE = 6;
    private static final int EVENT_PRICE = 7;
    private static final int EVENT_SIZE = 8;
    private static final int EVENT_ORDER_ID = 10;
    private static final int EVENT_SEQUENCE = 13;

    private static final int BOOK_COLUMNS = 76;
    private static final int BOOK_ACTION = 6;
    private static final int BOOK_SEQUENCE = 13;
    private static final int BOOK_FIRST_LEVEL = 14;
    private static final int BOOK_ORDER_ID = 75;

    /** Common fields of an event and a row of the book. */
    record Key(char action, long orderId, long sequence)
    {
    }

    /** An event; side and price have no meaning if the book is cleared. */
    record Event(Key key, byte side, long price, long size)
    {
    }

    /** One level of one side. */
    record Level(byte side, long price, long volume, long orders)
    {
    }

    /** The existing levels, bids first, best first. */
    record Book(Key key, List<Level> levels)
    {
    }

    private MboFile()
    {
    }

    static List<Event> events()
    {
        return CsvFile.read(FOLDER + "mbo.csv.gz", EVENT_COLUMNS, true, row -> new Event(
            new Key((char)row.byteAt(EVENT_ACTION), row.longAt(EVENT_ORDER_ID), row.longAt(EVENT_SEQUENCE)),
            row.byteAt(EVENT_SIDE) == 'B' ? Side.BID : Side.ASK,
            row.lengthAt(EVENT_PRICE) == 0 ? -1 : price(row, EVENT_PRICE), row.longAt(EVENT_SIZE)));
    }

    static List<Book> books()
    {
        return CsvFile.read(FOLDER + "mbp10.csv.gz", BOOK_COLUMNS, true, row -> new Book(
            new Key((char)row.byteAt(BOOK_ACTION), row.longAt(BOOK_ORDER_ID), row.longAt(BOOK_SEQUENCE)),
            levels(row)));
    }

    /** Price, size and count of a bid, the same of an ask, ten times. */
    private static List<Level> levels(final CsvRow row)
    {
        final List<Level> levels = new ArrayList<>();
        for (final byte side : new byte[]{Side.BID, Side.ASK})
        {
            for (int level = 0; level < DEPTH; level++)
            {
                final int column = BOOK_FIRST_LEVEL + 6 * level + 3 * side;
                if (row.lengthAt(column) > 0)
                {
                    levels.add(new Level(side, price(row, column), row.longAt(column + 1), row.longAt(column + 2)));
                }
            }
        }
        return levels;
    }

    private static long price(final CsvRow row, final int column)
    {
        final long units = row.decimalAt(column, DECIMALS);
        if (units % UNITS_PER_STEP != 0)
        {
            throw row.malformed(column, "is finer than a ten-thousandth");
        }
        return units / UNITS_PER_STEP;
    }
}
