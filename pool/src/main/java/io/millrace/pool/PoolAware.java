package io.millrace.pool;

/**
 * A pooled object with a reference count. {@link #retain(int)} adds references; each one is released exactly once.
 * <p>
 * The object returns to its pool when the last reference is released. Only code that has a reference may call {@link
 * #retain(int)}. Without a reference, the object belongs to the pool, and its next user may already be filling it.
 */
public interface PoolAware
{
    /**
     * Add references, for example before passing the object to another thread. Call it <em>before</em> passing the
     * object on. Any thread that has a reference may call.
     *
     * @param count number of references to add, 1 to {@value BasePoolAware#MAX_REF_COUNT}.
     * @throws IllegalArgumentException if {@code count} or the new total is out of range.
     * @throws IllegalStateException    if the object was released already.
     */
    void retain(int count);

    /**
     * Release one reference. Any thread that has a reference may call; it must not touch the object afterwards.
     * <p>
     * A release without a reference has no effect. The pool counts it; in checked mode it throws an exception that
     * names both threads.
     */
    void release();
}
