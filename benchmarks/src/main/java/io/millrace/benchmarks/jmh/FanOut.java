package io.millrace.benchmarks.jmh;

/**
 * A ring to three stages. One thread publishes; the stages run on one other thread, or on a thread each.
 *
 * @param <E> its events.
 */
public interface FanOut<E>
{
    /** Events that a poll of one stage takes at most. */
    int POLL_LIMIT = Contender.POLL_LIMIT;

    /**
     * The three stages.
     *
     * @param <E> their events.
     */
    @FunctionalInterface
    interface Stages<E>
    {
        /**
         * One stage sees one event.
         *
         * @param stage    0 to 2.
         * @param event    the event.
         * @param sequence its sequence.
         */
        void accept(int stage, E event, long sequence);

        /**
         * All stages see one event, in order.
         *
         * @param event    the event.
         * @param sequence its sequence.
         */
        default void acceptAll(final E event, final long sequence)
        {
            accept(0, event, sequence);
            accept(1, event, sequence);
            accept(2, event, sequence);
        }
    }

    /**
     * An event to fill. The publishing thread.
     *
     * @return null when the ring is full.
     */
    E claim();

    /**
     * Publish it. The publishing thread.
     *
     * @param event the claimed event.
     * @return false when it was refused.
     */
    boolean publish(E event);

    /**
     * Hands the published events to all stages. The handling thread, unless {@link #runsItself()}.
     *
     * @return how many events one stage or all of them saw.
     * @throws Exception when a stage fails.
     */
    int poll() throws Exception;

    /**
     * Hands the published events to one stage, on its own thread. Only where the stages were opened apart.
     *
     * @param stage 0 to 2.
     * @return how many events it saw.
     * @throws Exception when it fails.
     */
    int poll(int stage) throws Exception;

    /**
     * Checks whether the stages have their own loops instead of {@link #poll()}.
     *
     * @return true for batch processors.
     */
    default boolean runsItself()
    {
        return false;
    }

    /**
     * The loop of one stage, or of all, until {@link #halt()}.
     *
     * @param stage 0 to 2; 0 where one loop has all.
     */
    default void run(final int stage)
    {
        throw new UnsupportedOperationException("polled");
    }

    /**
     * End the loops.
     */
    default void halt()
    {
    }

    /**
     * After the last event: whether all events are back.
     */
    default void verifyBalance()
    {
    }
}
