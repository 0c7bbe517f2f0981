package io.millrace.server;

/**
 * Policy for the services if an agent hangs during the close and is abandoned: it may still use them.
 */
public enum HangPolicy
{
    /**
     * Close the services as usual. The default: resources of a service (a port, a file lock) are free when
     * {@link Server#close()} returns. A handler that returns later finds the services closed.
     */
    CLOSE_SERVICES,

    /**
     * Close no service while the agent hangs, and report this to the error handler. When the last abandoned agent has
     * ended, its thread closes the services in reverse order. Use it for services that must not be closed while a
     * handler uses them, such as a mapped file.
     * <p>
     * The services stay open if the agent never returns, or if a handler of a direct flow hangs on a thread of the
     * application. When that handler has returned, a further start of the server closes them first.
     */
    KEEP_SERVICES
}
