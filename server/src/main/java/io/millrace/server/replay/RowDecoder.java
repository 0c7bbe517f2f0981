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
     * What this throws reaches the error policy of the agent with the file and the line; the row is lost, as if it had
     * not been there.
     *
     * @param row   valid until this returns.
     * @param event to fill; every field is as its last use left it, also after a row that was skipped.
     * @return true: publish the event; false: skip the row.
     */
    boolean decode(CsvRow row, E event);
}
