package io.millrace.server.replay;

import io.millrace.pool.BasePoolAware;

/** An event of the files of {@link ReplayFiles}. */
final class NumberEvent extends BasePoolAware
{
    long timeNs;
    long dueNs;
    long number;
    long square;

    static boolean decode(final CsvRow row, final NumberEvent event)
    {
        event.timeNs = row.timeNsAt(0);
        event.dueNs = row.dueNs();
        event.number = row.longAt(1);
        event.square = row.longAt(2);
        return true;
    }
}
