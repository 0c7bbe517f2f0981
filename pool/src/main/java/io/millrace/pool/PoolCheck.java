package io.millrace.pool;

/**
 * Checked mode: the pools and pipelines watch how events are used and name the threads of a wrong use.
 * <p>
 * It is decided once, when this class is loaded, by the system property {@value #PROPERTY}: a {@code static final}, so
 * that in normal mode the compiler removes every check. In checked mode events are counted in and out one by one, and
 * things allocate.
 */
public final class PoolCheck
{
    /**
     * System property that switches checked mode on: {@code true} or {@code false} (default).
     */
    public static final String PROPERTY = "millrace.checked";

    /**
     * Whether this JVM runs in checked mode.
     */
    public static final boolean ENABLED = Boolean.getBoolean(PROPERTY);

    private PoolCheck()
    {
    }
}
