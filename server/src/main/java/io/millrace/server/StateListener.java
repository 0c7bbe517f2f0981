package io.millrace.server;

/**
 * Receives the states of a server.
 */
@FunctionalInterface
public interface StateListener
{
    /**
     * Called after each change of the state, by the thread that starts or stops the server. It must be short, and must
     * not start or stop the server itself. An exception is reported to the error handler.
     *
     * @param from the state before.
     * @param to   the present state.
     */
    void onState(ServerState from, ServerState to);
}
