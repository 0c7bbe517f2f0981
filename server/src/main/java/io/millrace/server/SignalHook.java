package io.millrace.server;

import java.util.concurrent.CountDownLatch;

/**
 * Ends a program in order at SIGTERM and SIGINT, with its own exit code. Without it the JVM ends with 128 + the
 * signal's number. The program closes the hook as its last step, when it has printed everything.
 */
public final class SignalHook implements AutoCloseable
{
    private static final int FAILED = 1;

    private final String name;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Null before {@link #install}. */
    private Thread thread;
    /** Written by the program; read by the hook's thread. */
    private volatile int exitCode = FAILED;

    /**
     * A hook that is not installed yet: until then a signal ends the JVM at once.
     *
     * @param name of the hook's thread.
     */
    public SignalHook(final String name)
    {
        this.name = name;
    }

    /**
     * From now on, a signal stops the program, and the JVM ends when this is closed. Once.
     *
     * @param stop called on a thread of the JVM; asks the program to end, and returns.
     * @throws IllegalStateException when the JVM is ending already.
     */
    public void install(final Runnable stop)
    {
        final Thread hook = new Thread(() -> onSignal(stop), name);
        Runtime.getRuntime().addShutdownHook(hook);
        thread = hook;
    }

    /**
     * Sets the exit code of the JVM after a signal; 1 without this call, for example when the program throws.
     *
     * @param code of the program.
     * @return the same code.
     */
    public int exitCode(final int code)
    {
        exitCode = code;
        return code;
    }

    /**
     * The program has ended. After a signal, the JVM ends at once.
     */
    @Override
    public void close()
    {
        ended.countDown();
        try
        {
            if (thread != null)
            {
                Runtime.getRuntime().removeShutdownHook(thread);
            }
        }
        catch (final IllegalStateException ex)
        {
            // The JVM is ending already: the hook ends it.
            return;
        }
    }

    private void onSignal(final Runnable stop)
    {
        stop.run();
        try
        {
            ended.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode);
    }
}
