package io.millrace.pool;

/**
 * The contract of a lent object: whoever holds it may add holders, and every holder gives its hold back once.
 * <p>
 * The object goes back to its pool when the last hold is released. Only a holder may call {@link #retain(int)}: an
 * object whose last hold is gone belongs to the pool, and its next owner may already be filling it.
 */
public interface PoolAware
{
    /**
     * Add holders, for instance before handing the object on to somebody else. Call it <em>before</em> the hand-over.
     * Any thread that holds the object may call.
     *
     * @param holders how many holds to add, 1 to {@value BasePoolAware#MAX_HOLDERS}.
     * @throws IllegalArgumentException when {@code holders} is out of range or the total would be.
     * @throws IllegalStateException    when nobody holds the object: it was released already.
     */
    void retain(int holders);

    /**
     * Give one hold back. Any holder's thread may call. After the call the object must not be touched by the caller.
     * <p>
     * A release without a hold changes nothing: it is counted by the pool, and in checked mode it throws and names both
     * threads.
     */
    void release();
}
