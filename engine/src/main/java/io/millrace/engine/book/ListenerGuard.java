package io.millrace.engine.book;

/**
 * In checked mode, knows whether a listener or a reader is being called, and refuses commands from inside of it: they
 * would find a book in the middle of another one and corrupt it in silence. Checked mode is decided when this class is
 * loaded, by the system property {@value #PROPERTY}; in normal mode listeners are not wrapped, and the compiler removes
 * all calls of this class: its methods are static, so that not even a null check of the guard is left.
 * <p>
 * One for each book, one more for each engine. One thread.
 */
public final class ListenerGuard
{
    /**
     * System property that switches checked mode on: {@code true} or {@code false} (default). The pools have the same.
     */
    public static final String PROPERTY = "millrace.checked";

    private static final boolean ENABLED = Boolean.getBoolean(PROPERTY);

    private final String what;
    private int depth;

    /**
     * A guard.
     *
     * @param what is named in the message: what a command was given to.
     */
    public ListenerGuard(final String what)
    {
        this.what = what;
    }

    /**
     * A command begins. To be called before anything is changed.
     *
     * @param guard of the book or engine that it is given to.
     * @throws IllegalStateException in checked mode, when it is given from inside of a listener or reader.
     */
    public static void command(final ListenerGuard guard)
    {
        if (ENABLED && guard.depth > 0)
        {
            throw new IllegalStateException("a command was given to " + guard.what + " from inside of one of its " +
                "listeners or readers: it was not carried out; give it when the command that is under way has " +
                "returned");
        }
    }

    /**
     * A listener or reader is about to be called.
     *
     * @param guard of the book or engine that calls it.
     */
    public static void enter(final ListenerGuard guard)
    {
        if (ENABLED)
        {
            guard.depth++;
        }
    }

    /**
     * It has returned or thrown.
     *
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
     * A listener that the guard knows of.
     *
     * @param listener hears the same.
     * @return in normal mode the listener itself.
     */
    public ExecutionListener around(final ExecutionListener listener)
    {
        return ENABLED ? new GuardedExecutions(this, listener) : listener;
    }

    /**
     * A listener that the guard knows of.
     *
     * @param listener hears the same; null for none.
     * @return in normal mode the listener itself.
     */
    public MarketDataListener around(final MarketDataListener listener)
    {
        return ENABLED && listener != null ? new GuardedMarketData(this, listener) : listener;
    }
}
