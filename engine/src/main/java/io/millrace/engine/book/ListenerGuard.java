package io.millrace.engine.book;

/**
 * Checked mode: detects a command from inside a listener or reader and refuses it. Such a command would find the book
 * in the middle of another command and corrupt it silently. The system property {@value #PROPERTY} selects checked mode
 * when this class is loaded. In normal mode, listeners are not wrapped and the compiler removes all calls of this
 * class. Its methods are static so that not even a null check of the guard remains.
 * <p>
 * One guard per book and one per engine. One thread.
 */
public final class ListenerGuard
{
    /** System property that selects checked mode: {@code true} or {@code false} (default). The pools use it, too. */
    public static final String PROPERTY = "millrace.checked";

    private static final boolean ENABLED = Boolean.getBoolean(PROPERTY);

    private final String owner;
    private int depth;

    /**
     * Creates a guard.
     * @param owner name of the guarded book or engine in messages.
     */
    public ListenerGuard(final String owner)
    {
        this.owner = owner;
    }

    /**
     * Checks that a command is allowed. Call before the command changes anything.
     * @param guard guard of the book or engine that gets the command.
     * @throws IllegalStateException in checked mode, when the command comes from inside a listener or reader.
     */
    public static void command(final ListenerGuard guard)
    {
        if (ENABLED && guard.depth > 0)
        {
            throw new IllegalStateException("a command was given to " + guard.owner + " from inside one of its " +
                "listeners or readers and was not executed; give it after the current command has returned");
        }
    }

    /**
     * Call before each call of a listener or reader.
     * @param guard guard of the calling book or engine.
     */
    public static void enter(final ListenerGuard guard)
    {
        if (ENABLED)
        {
            guard.depth++;
        }
    }

    /**
     * Call after a listener or reader has returned or thrown.
     * @param guard as for {@link #enter}.
     */
    public static void leave(final ListenerGuard guard)
    {
        if (ENABLED)
        {
            guard.depth--;
        }
    }

    /**
     * Wraps a listener so that the guard notices its calls.
     * @param listener the listener to wrap.
     * @return in normal mode the listener itself.
     */
    public ExecutionListener wrap(final ExecutionListener listener)
    {
        return ENABLED ? new GuardedExecutions(this, listener) : listener;
    }

    /**
     * Wraps a listener so that the guard notices its calls.
     * @param listener the listener to wrap; null for none.
     * @return in normal mode the listener itself.
     */
    public MarketDataListener wrap(final MarketDataListener listener)
    {
        return ENABLED && listener != null ? new GuardedMarketData(this, listener) : listener;
    }
}
