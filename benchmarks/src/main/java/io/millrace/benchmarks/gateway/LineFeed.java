package io.millrace.benchmarks.gateway;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.gateway.sink.BboEncoder;

import java.util.zip.CRC32C;

/**
 * Numbered events, and what a TCP client must get of them: the bytes of their JSON lines, and when they were meant to
 * be sent. The sending thread reads, too, so that two CPUs are enough.
 */
final class LineFeed
{
    static final int SYMBOLS = 500;
    /** In place of an intended time: the event is not timed. */
    static final long UNTIMED = 1;
    /** Intended times are kept for so many events: more than any round has. */
    private static final int KEPT = 1 << 20;

    final BboEvent event = new BboEvent();
    final CRC32C checksum = new CRC32C();
    /** Of each symbol, its newest event. */
    final long[] newest = new long[SYMBOLS];
    private final long[] intendedNs = new long[KEPT];
    private final BboEncoder encoder = new BboEncoder(true);
    private final GeneratedFeed feed = new GeneratedFeed(SYMBOLS, Long.MAX_VALUE, 1);
    private long count;

    /** Makes the next event; returns the length of its line. */
    int next(final long atNs)
    {
        feed.next(event);
        count++;
        event.position(1, count).times(atNs, 0);
        intendedNs[(int)count & KEPT - 1] = atNs;
        final int length = encoder.jsonLine(event);
        newest[LineClient.symbolOf(encoder.bytes())] = count;
        checksum.update(encoder.bytes(), 0, length);
        return length;
    }

    byte[] line()
    {
        return encoder.bytes();
    }

    long count()
    {
        return count;
    }

    long intendedNs(final long sequence)
    {
        return intendedNs[(int)sequence & KEPT - 1];
    }
}
