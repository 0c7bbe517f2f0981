package io.millrace.pool;

/**
 * Checked mode: pools and pipelines check how events are used and report the threads of a wrong use.
 * <p>
 * The mode is set once, when this class is loaded, by the system property {@value #PROPERTY}. It is a {@code static
 * final} field, so in normal mode the compiler removes every check. In checked mode each event is reference-counted and
 * calls may allocate.
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
