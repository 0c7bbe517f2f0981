package io.millrace.journal;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;

/**
 * Clients that wait for each answer, and send a request again when none comes. Requests and answers get lost. A client
 * gives a request up only when the operator says so.
 */
final class SimClients<E extends BasePoolAware>
{
    private static final long TIMEOUT_NS = 50_000_000L;
    /** One in so many requests is sent twice, one in so many answers is lost. */
    private static final int DUPLICATE = 16;
    private static final int LOST = 12;

    private final SimApplication<E> application;
    private final SimTrace trace;
    private final SimHistory<E> history;
    private final long[] number;
    private final boolean[] waits;
    private final long[] sentNs;
    private InVmSource<E> source;
    private Journal<E> journal;
    /** No client begins another request: they finish what they have. */
    boolean ends;
    long answers;

    SimClients(
        final int count, final SimApplication<E> application, final SimTrace trace, final SimHistory<E> history)
    {
        this.application = application;
        this.trace = trace;
        this.history = history;
        number = new long[count];
        waits = new boolean[count];
        sentNs = new long[count];
    }

    int count()
    {
        return number.length;
    }

    void connect(final InVmSource<E> to, final Journal<E> behind)
    {
        source = to;
        journal = behind;
    }

    /** One client does what it has to do. */
    void step(final int client)
    {
        final boolean late = trace.nanoTime() - sentNs[client] > TIMEOUT_NS;
        if (waits[client] && !late || !waits[client] && ends || journal.isDiskLow())
        {
            return;
        }
        waits[client] = true;
        sentNs[client] = trace.nanoTime();
        do
        {
            send(client);
        }
        while (trace.oneIn(DUPLICATE));
    }

    private void send(final int client)
    {
        final E command = source.claim();
        if (command == null)
        {
            return;
        }
        application.fill(command, client, number[client]);
        history.append(command);
        trace.add("send", "", (long)client << 32 | number[client]);
        if (!source.publish(command))
        {
            throw new AssertionError("a claimed command could not be published");
        }
    }

    void answer(final int client, final long answered)
    {
        if (waits[client] && answered == number[client] && !trace.oneIn(LOST))
        {
            trace.add("answer", "", (long)client << 32 | answered);
            waits[client] = false;
            number[client]++;
            answers++;
        }
    }

    /** The operator says that a request will never be answered. */
    void giveUp(final int client, final long given)
    {
        if (given == number[client])
        {
            waits[client] = false;
            number[client]++;
        }
    }

    boolean isAnyWaiting()
    {
        for (final boolean waiting : waits)
        {
            if (waiting)
            {
                return true;
            }
        }
        return false;
    }
}
