package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.OpenLoop;

/**
 * Content of the report's events on every path: an order command and two times.
 * <p>
 * The pooled event of the server and the plain one of the raw baseline both are one, so that source, handler and checks
 * are the same code for both. Each runs in its own JVM, where only one class is loaded and every call here is a
 * plain one.
 */
public interface RateMessage
{
    /**
     * When this event was meant to be sent, by {@link System#nanoTime()}.
     *
     * @return nanoseconds, or {@link OpenLoop#UNTIMED}: this event is checked and counted, but its latency is not
     *         taken.
     */
    long intendedNs();

    /**
     * When this event was really sent: the last clock reading of the source before it claimed the event.
     *
     * @return nanoseconds by {@link System#nanoTime()}; no meaning when untimed.
     */
    long sentNs();

    /**
     * Place of the command in its recording.
     *
     * @return from 0.
     */
    int seq();

    /**
     * Phase, command, side and order type, packed.
     *
     * @return as {@link CommandWord} reads it.
     */
    int word();

    /**
     * The order that the command is about.
     *
     * @return the number in the recording.
     */
    long orderId();

    /**
     * The user that the command is from.
     *
     * @return the number in the recording.
     */
    long uid();

    /**
     * Limit price, or the new price of a move.
     *
     * @return in the recording's price steps; 0 when the command has none.
     */
    long price();

    /**
     * Size, or how much to reduce by.
     *
     * @return in lots; 0 when the command has none.
     */
    long size();

    /**
     * The price up to which a bid reserves money.
     *
     * @return in the recording's price steps; 0 when the command has none.
     */
    long reserveBidPrice();

    /**
     * Set the two times. By the source, before it publishes.
     *
     * @param intendedNs when the event was meant to be sent, or {@link OpenLoop#UNTIMED}.
     * @param sentNs     when it is sent.
     */
    void stamp(long intendedNs, long sentNs);

    /**
     * Set all other fields from a recorded command. By the source, before it publishes.
     *
     * @param commands the recording.
     * @param index    which one of them, 0 to size - 1.
     */
    void fill(CommandColumns commands, int index);

    /**
     * Add all fields but the times to a checksum.
     *
     * @param sum the sum so far, {@link FieldChecksum#START} at first.
     * @return the new sum.
     */
    default long addTo(final long sum)
    {
        return FieldChecksum.add(sum, seq(), word(), orderId(), uid(), price(), size(), reserveBidPrice());
    }
}
