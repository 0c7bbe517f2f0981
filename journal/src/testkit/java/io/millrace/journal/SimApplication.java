package io.millrace.journal;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.nio.file.Path;
import java.util.List;

/**
 * What a simulation runs behind its journal: a handler, its commands, and a reference without a journal. One object for
 * a run, with a new handler for each start.
 *
 * @param <E> type of the commands.
 */
public interface SimApplication<E extends BasePoolAware>
{
    /** Takes the answers of the handler. */
    interface Answers
    {
        /**
         * The handler answers, when the record is committed.
         *
         * @param record    of the command.
         * @param client    that sent it.
         * @param number    of the client's request.
         * @param result    what the reference must say, too.
         * @param stateHash after the command.
         */
        void onAnswer(long record, int client, long number, int result, long stateHash);

        /**
         * A handler, live or in a replay, or the copy of the follower has applied a record.
         *
         * @param record    of the command.
         * @param stateHash after it.
         */
        void onState(long record, long stateHash);
    }

    /** Gets commands as they stand in the log. */
    interface Reference<E>
    {
        /**
         * Apply the next command.
         *
         * @param command to apply.
         * @return its result.
         */
        int apply(E command);

        /**
         * Hash of the state, as the handler computes it.
         *
         * @return the hash.
         */
        long stateHash();
    }

    /** Makes a new handler, and the context of its journal. */
    JournalContext<E> context(Path directory);

    /** Adds the flows of the new handler to a server. */
    void addFlows(
        Server.Context server, Journal<E> journal, InVmSource<E> commands, String topology, Answers answers);

    /** Hash of the handler's state. */
    long stateHash();

    /** A handler for a follower. */
    DurableHandler<E> copy(Journal<E> journal, Answers states);

    /** The topologies that it runs in. */
    List<String> topologies();

    Reference<E> reference();

    /** A new command, without a content. */
    E command();

    /** Fills in a request of a client: the same one again for the same number. */
    void fill(E command, int client, long number);

    int clientOf(E command);

    long numberOf(E command);

    /** Whether the handler throws whenever it gets this command. */
    boolean isPoison(E command);

    /** Whether there are such commands. */
    boolean hasPoison();

    /** Whether the handler may stop the server by this failure. */
    boolean isExpected(Throwable failure);

    /** Whether a request may be applied only once, however often a client sends it. */
    boolean isOnce(E command, int result);
}
