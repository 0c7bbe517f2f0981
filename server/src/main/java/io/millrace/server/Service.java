package io.millrace.server;

/**
 * Something that lives as long as a server: started before the first event, closed after the last. Given to the
 * server's context, or found by {@link java.util.ServiceLoader} under this interface's name.
 */
public interface Service extends AutoCloseable
{
    /**
     * Name of the service.
     *
     * @return the name, unique in its server, never changing.
     */
    String name();

    /**
     * Called once by the launching thread, in the order in which the services were given, before any agent runs.
     *
     * @param context what the server offers.
     * @throws Exception when it cannot start: those started before are closed in reverse order and the launch fails
     * with it.
     */
    default void onStart(final ServiceContext context) throws Exception
    {
    }

    /**
     * Called once, in reverse order, after the agents have ended; by a thread of the server's, in INVOKER mode by the
     * closing thread. What it throws is reported to the error handler, and so is that it does not return in its share
     * of the drain time, at least a second; the other services are closed all the same. Not called while an agent hangs
     * under {@link HangPolicy#KEEP_SERVICES}.
     */
    @Override
    default void close()
    {
    }
}
