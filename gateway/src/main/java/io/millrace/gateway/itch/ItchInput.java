package io.millrace.gateway.itch;

import io.millrace.server.Counters;

import java.io.IOException;

/**
 * Where ITCH messages come from: a file, a recorded or a live stream of packets. One thread, except that any thread may
 * read the counters and ask {@link #isExhausted()}.
 */
public interface ItchInput extends AutoCloseable
{
    /**
     * Deliver messages. Does not block, except that a file waits for its disk.
     *
     * @param handler takes the messages.
     * @param limit   greatest number of messages, at least 1.
     * @return number of delivered messages; 0 if none is there now.
     * @throws IOException if the input cannot be read further.
     */
    int poll(ItchHandler handler, int limit) throws IOException;

    /**
     * Whether no message will follow.
     *
     * @return true at the end of a file or of a session.
     */
    boolean isExhausted();

    /**
     * What was read and refused.
     *
     * @return the counters; always the same object.
     */
    ItchCounters counters();

    /**
     * Add all counters of the input to a server's.
     *
     * @param counters of the server.
     * @param name     each name begins with it and a dot.
     */
    default void addCounters(final Counters counters, final String name)
    {
        counters().addTo(counters, name);
    }

    @Override
    void close() throws IOException;
}
