package io.millrace.benchmarks.harness;

/**
 * A thread that does not keep its JVM alive. Stateless; any thread.
 */
public final class Daemon
{
    private Daemon()
    {
    }

    /**
     * Start one.
     *
     * @param name the thread's name.
     * @param work what it runs.
     * @return the thread.
     */
    public static Thread start(final String name, final Runnable work)
    {
        final Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Wait for its end. An interrupt ends the wait and stays set.
     *
     * @param thread the thread; null if none was started.
     */
    public static void join(final Thread thread)
    {
        try
        {
            if (thread != null)
            {
                thread.join();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
