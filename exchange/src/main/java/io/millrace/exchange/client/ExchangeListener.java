package io.millrace.exchange.client;

import io.millrace.exchange.core.Answer;
import io.millrace.exchange.session.EndReason;

/**
 * Receives what the exchange sends. Called by {@link ExchangeClient#poll}. May call the client, also {@link
 * ExchangeClient#connect} and {@link ExchangeClient#close}, but not poll.
 */
@FunctionalInterface
public interface ExchangeListener
{
    /**
     * An answer. Answers come in the order of their sequences, each once. Only {@linkplain Answer#isRepeated()
     * repeated} ones come again. An answer does not come again when this method throws.
     *
     * @param answer valid until this method returns.
     */
    void onAnswer(Answer answer);

    /**
     * The logon was accepted.
     *
     * @param firstAnswer sequence of the first answer that follows.
     * @param nextAnswer  sequence of the next new answer; the ones before were missed.
     * @param lastRequest last request of this client that the exchange has.
     */
    default void onLogon(final long firstAnswer, final long nextAnswer, final long lastRequest)
    {
    }

    /**
     * The exchange ends the connection.
     *
     * @param reason why; CLOSED when it did not say.
     */
    default void onEnd(final EndReason reason)
    {
    }
}
