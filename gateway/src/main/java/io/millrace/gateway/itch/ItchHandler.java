package io.millrace.gateway.itch;

/**
 * Takes the messages of an {@link ItchInput}, in order.
 */
@FunctionalInterface
public interface ItchHandler
{
    /**
     * Called for each message of a known type and with the length of its type. Other fields are not checked.
     *
     * @param message the same object each time, valid during the call.
     * @return false to get no further message in this poll; this one counts as taken.
     */
    boolean onMessage(ItchMessage message);

    /**
     * A or F. Override this and the next ones to save the second look at the type; each returns what {@link #onMessage}
     * returns.
     *
     * @param message see {@link #onMessage}.
     * @return see {@link #onMessage}.
     */
    default boolean onAdd(final ItchMessage message)
    {
        return onMessage(message);
    }

    /**
     * D.
     *
     * @param message see {@link #onMessage}.
     * @return see {@link #onMessage}.
     */
    default boolean onDelete(final ItchMessage message)
    {
        return onMessage(message);
    }

    /**
     * E or C.
     *
     * @param message see {@link #onMessage}.
     * @return see {@link #onMessage}.
     */
    default boolean onExecute(final ItchMessage message)
    {
        return onMessage(message);
    }

    /**
     * X.
     *
     * @param message see {@link #onMessage}.
     * @return see {@link #onMessage}.
     */
    default boolean onCancel(final ItchMessage message)
    {
        return onMessage(message);
    }

    /**
     * U.
     *
     * @param message see {@link #onMessage}.
     * @return see {@link #onMessage}.
     */
    default boolean onReplace(final ItchMessage message)
    {
        return onMessage(message);
    }

    /**
     * P.
     *
     * @param message see {@link #onMessage}.
     * @return see {@link #onMessage}.
     */
    default boolean onTrade(final ItchMessage message)
    {
        return onMessage(message);
    }

    /**
     * Messages are missing before the next one, or another session begins: the books are wrong.
     *
     * @param isNewSession true if the exchange starts again without orders.
     */
    default void onLoss(final boolean isNewSession)
    {
    }
}
