package io.millrace.server;

/**
 * What becomes of the services when an agent hangs and the close leaves it behind: it may still use them.
 */
public enum HangPolicy
{
    /**
     * They are closed, as if nothing hung. The default: what a service holds (a port, a file lock) is free when
     * {@link Server#close()} returns. A handler that comes back later finds them closed.
     */
    CLOSE_SERVICES,

    /**
     * None of them is closed while the agent hangs; the error handler is told. When the last agent that was left
     * behind has come back and ended, its thread closes them, in reverse order. For services that must not be closed
     * under a handler, such as a mapped file. An agent that never comes back leaves them open for good, and so does a
     * handler of a direct flow that hangs on a thread of the application.
     */
    KEEP_SERVICES
}
