package io.millrace.server;

/**
 * Receives the answer to a request: see {@link Requests#open(AnswerHandler, long)}.
 *
 * @param <A> type of the answers.
 */
@FunctionalInterface
public interface AnswerHandler<A>
{
    /**
     * Called once for each request. With an answer, by the thread that sends it, which is an agent's: keep it short. An
     * exception propagates into the handler that sends. Without an answer, by the thread that called {@link
     * Requests#expire()}, {@link Requests#close(long)}, {@link Requests#closeAll()}, or {@code open} on a full table.
     *
     * @param correlation of the request.
     * @param answerOrNull the answer, valid until this call returns; null if there was none in time.
     */
    void onAnswer(long correlation, A answerOrNull);
}
