package io.millrace.server.replay;

import io.millrace.pool.BasePoolAware;

/**
 * Fills an event from a row.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface RowDecoder<E extends BasePoolAware>
{
    /**
     * Fill the event from the row. Called by the agent that polls the source, row by row in file order.
     * <p>
     * The error policy of the agent applies to an exception, which is reported with file and line; the row is skipped.
     *
     * @param row   valid until this method returns.
     * @param event to fill; its fields have the values of the last use, also after a skipped row.
     * @return true to publish the event; false to skip the row.
     */
    boolean decode(CsvRow row, E event);
}
