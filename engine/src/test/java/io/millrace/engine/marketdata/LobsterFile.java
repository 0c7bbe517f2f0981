package io.millrace.engine.marketdata;

import io.millrace.engine.book.Side;
import io.millrace.server.replay.CsvRow;

import java.util.ArrayList;
import java.util.List;

/** Reads the two files of LOBSTER: messages, and the book after each of them. Prices are dollars times 10,000. */
final class LobsterFile
{
    static final int ADD = 1;
    static final int PARTIAL_CANCEL = 2;
    static final int DELETE = 3;
    static final int EXECUTION = 4;
    static final int HIDDEN_EXECUTION = 5;

    private static final String FOLDER = "lobster/AAPL_2012-06-21_";
    private static final int MESSAGE_COLUMNS = 6;
    private static final int LEVEL_COLUMNS = 4;

    /** A message; the side is that of the resting order, the size is the added or removed size. */
    record Message(int type, long orderId, long size, long price, byte side)
    {
    }

    /** One level of one side. */
    record Level(byte side, long price, long size)
    {
    }

    private LobsterFile()
    {
    }

    static List<Message> messages(final String name)
    {
        return CsvFile.read(FOLDER + name, MESSAGE_COLUMNS, false, row -> new Message(row.intAt(1), row.longAt(2),
            row.longAt(3), row.longAt(4), row.intAt(5) == 1 ? Side.BID : Side.ASK));
    }

    /** Rows of levels of both sides, best first, without the empty places. */
    static List<List<Level>> books(final String name, final int levels)
    {
        return CsvFile.read(FOLDER + name, LEVEL_COLUMNS * levels, false, row -> levels(row, levels));
    }

    private static List<Level> levels(final CsvRow row, final int count)
    {
        final List<Level> levels = new ArrayList<>(2 * count);
        for (int i = 0; i < 2 * count; i++)
        {
            if (row.longAt(2 * i + 1) > 0)
            {
                levels.add(new Level(i % 2 == 0 ? Side.ASK : Side.BID, row.longAt(2 * i), row.longAt(2 * i + 1)));
            }
        }
        return levels;
    }

    static List<Bbo> bbos(final String name)
    {
        return CsvFile.read(FOLDER + name, LEVEL_COLUMNS, false, row ->
            new Bbo(row.longAt(0), row.longAt(1), row.longAt(2), row.longAt(3)));
    }
}
