package io.millrace.exchange.core;

import io.millrace.engine.tables.Fnv;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.InVmSource;

import java.io.IOException;
import java.util.Arrays;

/**
 * The answers of all clients: numbers each, keeps it, and publishes it, except in a replay. The core's thread only.
 * Allocates at a client's first logon, and when its role changes.
 */
final class AnswerLog
{
    /** Answers that a RESEND or a repeated request gives again, so that other clients' answers do not wait for all. */
    static final int RESEND_CHUNK = 128;

    private final InVmSource<Answer> out;
    private final int window;
    private final ClientAnswers[] byClient = new ClientAnswers[OrderIds.MAX_CLIENT + 1];
    private ClientAnswers[] all = new ClientAnswers[0];
    private ClientAnswers[] dropCopies = new ClientAnswers[0];
    private final Answer copy = new Answer();
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong unpublished = new PaddedLong(0);
    private final PaddedLong resent = new PaddedLong(0);
    private boolean replays;

    AnswerLog(final InVmSource<Answer> out, final int window)
    {
        this.out = out;
        this.window = window;
    }

    int window()
    {
        return window;
    }

    void replays(final boolean isReplay)
    {
        replays = isReplay;
    }

    boolean replays()
    {
        return replays;
    }

    /** The client; null if it has never logged on. */
    ClientAnswers find(final long client)
    {
        return client > 0 && client <= OrderIds.MAX_CLIENT ? byClient[(int)client] : null;
    }

    /** The client, which may be new. */
    ClientAnswers get(final int client)
    {
        final ClientAnswers found = byClient[client];
        return found != null ? found : add(client);
    }

    private ClientAnswers add(final int client)
    {
        final ClientAnswers added = new ClientAnswers(client, window);
        byClient[client] = added;
        all = with(all, added);
        return added;
    }

    private static ClientAnswers[] with(final ClientAnswers[] some, final ClientAnswers one)
    {
        final ClientAnswers[] more = Arrays.copyOf(some, some.length + 1);
        more[some.length] = one;
        // In the order of their numbers, so that a snapshot does not depend on the order of the logons.
        Arrays.sort(more, (a, b) -> Integer.compare(a.client(), b.client()));
        return more;
    }

    ClientAnswers[] all()
    {
        return all;
    }

    void connect(final ClientAnswers to, final byte flags)
    {
        final boolean wasDropCopy = to.isDropCopy();
        to.connect(flags);
        if (to.isDropCopy() != wasDropCopy)
        {
            findDropCopies();
        }
    }

    private void findDropCopies()
    {
        dropCopies = Arrays.stream(all).filter(ClientAnswers::isDropCopy).toArray(ClientAnswers[]::new);
    }

    /** Gives a client an answer about its order, and all drop copies too. */
    void toClientAndCopies(final ClientAnswers to, final Answer answer)
    {
        append(to, 0, answer);
        for (final ClientAnswers drop : dropCopies)
        {
            if (drop != to)
            {
                append(drop, to.client(), answer);
            }
        }
    }

    /** Gives a client an answer that concerns nobody else. */
    void toClient(final ClientAnswers to, final Answer answer)
    {
        append(to, 0, answer);
    }

    private void append(final ClientAnswers to, final int user, final Answer answer)
    {
        answer.to(to.client(), user, 0, to.next());
        to.append(answer);
        publish(answer);
    }

    /** Publishes an answer, numbered or not. */
    void publish(final Answer answer)
    {
        if (replays)
        {
            return;
        }
        final Answer event = out.claim();
        if (event == null)
        {
            // The server closes. The answer is kept: the client gets it after the next start.
            unpublished.addOpaque(1);
            return;
        }
        if (out.publish(event.copyOf(answer)))
        {
            published.addOpaque(1);
        }
        else
        {
            event.release();
            unpublished.addOpaque(1);
        }
    }

    /** Publishes kept answers again, at most a chunk of them. */
    void resend(final ClientAnswers to, final long first)
    {
        final long end = Math.min(to.next(), first + RESEND_CHUNK);
        for (long sequence = first; sequence < end && !replays; sequence++)
        {
            to.read(sequence, copy);
            copy.to(to.client(), copy.user(), 0, sequence);
            resent.addOpaque(1);
            publish(copy);
        }
    }

    /**
     * Publishes the answers to a request again, marked as repeated; of many, the last ones, which say how it ended.
     *
     * @return false when none is kept.
     */
    boolean repeat(final ClientAnswers to, final long requestId)
    {
        // Of a repetition that was refused, no older answers are kept. All to one request have one record.
        final long last = to.lastAnswer(requestId);
        final long oldest = last == 0 ? 1 : to.oldest();
        long first = last;
        int found = 0;
        for (long sequence = last; sequence >= oldest && found < RESEND_CHUNK &&
            to.record(sequence) == to.record(last); sequence--)
        {
            if (to.ownRequestId(sequence) == requestId)
            {
                first = sequence;
                found++;
            }
        }
        for (long sequence = first; sequence <= last && last > 0 && !replays; sequence++)
        {
            if (to.ownRequestId(sequence) == requestId)
            {
                to.read(sequence, copy);
                copy.to(to.client(), copy.user(), 0, sequence);
                copy.repeated();
                resent.addOpaque(1);
                publish(copy);
            }
        }
        return last > 0;
    }

    void writeTo(final SnapshotOutput to) throws IOException
    {
        to.putLong(all.length);
        for (final ClientAnswers each : all)
        {
            each.writeTo(to);
        }
    }

    void readFrom(final SnapshotInput in) throws IOException
    {
        Arrays.fill(byClient, null);
        all = new ClientAnswers[0];
        for (long count = in.getLong(); count > 0; count--)
        {
            final long client = in.getLong();
            if (client < 1 || client > OrderIds.MAX_CLIENT || byClient[(int)client] != null)
            {
                throw new IOException("client " + client + " is out of range or twice there");
            }
            add((int)client).readFrom(in);
        }
        findDropCopies();
    }

    long addToHash(final long hash)
    {
        long sum = Fnv.add(hash, all.length);
        for (final ClientAnswers each : all)
        {
            sum = each.addToHash(sum);
        }
        return sum;
    }

    void count(final Counters counters, final String name)
    {
        counters.add(name + ".answers", "answers published for the clients' connections", published::getOpaque);
        counters.add(name + ".answers.resent", "of these, answers that were given before", resent::getOpaque);
        counters.add(name + ".answers.unpublished", "answers kept but not published: the server was closing",
            unpublished::getOpaque);
    }
}
