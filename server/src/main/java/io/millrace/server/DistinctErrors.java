package io.millrace.server;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts failures by part and class of exception, so that a million failures of one kind are one entry. Only the first
 * of a kind allocates. Any thread. Agrona's log for this needs JVM flags.
 */
final class DistinctErrors
{
    /** More kinds than a person reads; 256 stacks take a few hundred kilobytes. */
    static final int MAX_KINDS = 256;
    /** As many agents and sources as a server can reasonably have. */
    private static final int MAX_STOPS = 256;

    private final List<DistinctError> kinds = new ArrayList<>();
    /** Failures that ended an agent: written without allocation, because there may be no memory. */
    private final FailStop[] stops = new FailStop[MAX_STOPS];
    private int stopCount;
    private long others;

    /**
     * @param part  that failed; kept if it is the first of its kind.
     * @param cause null if there is no exception.
     * @return true if it is the first of its kind.
     */
    synchronized boolean add(final String part, final Throwable cause)
    {
        final Class<?> type = cause == null ? null : cause.getClass();
        for (int i = 0; i < kinds.size(); i++)
        {
            if (kinds.get(i).isOfKind(part, type))
            {
                kinds.get(i).countAgain();
                return false;
            }
        }
        if (kinds.size() == MAX_KINDS)
        {
            others++;
            return others == 1;
        }
        kinds.add(new DistinctError(part, cause));
        return true;
    }

    /** A failure that ends an agent, a source or a flow: each happens once. */
    synchronized void add(final FailStop stop)
    {
        if (stopCount < MAX_STOPS)
        {
            stops[stopCount++] = stop;
        }
        else
        {
            others++;
        }
    }

    /** In the order of their first failure; then those that ended an agent; then the number of all others. */
    synchronized List<DistinctError> list()
    {
        final List<DistinctError> copies = new ArrayList<>();
        kinds.forEach(error -> copies.add(new DistinctError(error)));
        for (int i = 0; i < stopCount; i++)
        {
            copies.add(new DistinctError(stops[i].getMessage(), stops[i].getCause()));
        }
        if (others > 0)
        {
            copies.add(new DistinctError("failures of more than " + MAX_KINDS + " kinds", others));
        }
        return copies;
    }
}
