package io.millrace.server;

import java.util.List;

/**
 * A component with the lifetime of a server: started before the first event, closed after the last. Add it to the
 * server's context, or let {@link java.util.ServiceLoader} find it by this interface.
 */
public interface Service extends AutoCloseable
{
    /**
     * Name of the service.
     *
     * @return the name; unique in its server and constant.
     */
    String name();

    /**
     * Services that start before this one and close after it. Otherwise services start in the order of addition.
     *
     * @return their names; a missing one, or a circle, is refused when the context is concluded.
     */
    default List<String> startsAfter()
    {
        return List.of();
    }

    /**
     * A problem of the service that its server reports in {@link Server#health()}. Any thread.
     *
     * @return a sentence; null if there is no problem. An exception counts as a problem.
     */
    default String problem()
    {
        return null;
    }

    /**
     * Called once for each start of the server, by the launching thread, before any agent runs.
     *
     * @param context access to the server.
     * @throws Exception if the service cannot start. Services that have started are closed in reverse order, and the
     * launch fails with this exception.
     */
    default void onStart(final ServiceContext context) throws Exception
    {
    }

    /**
     * Called once for each start, in reverse order, after the agents have ended, by a thread of the server; in INVOKER
     * mode by the closing thread. Not called while an agent hangs under {@link HangPolicy#KEEP_SERVICES}.
     * <p>
     * An exception is reported to the error handler. So is a close that does not return within its share of the drain
     * time, at least one second. The other services are closed in both cases.
     */
    @Override
    default void close()
    {
    }
}
