package io.millrace.server;

/**
 * States of a server, in the order of its life. After {@link #STOPPED} or {@link #FAILED} it may start again.
 */
public enum ServerState
{
    /** Built: its counters exist, nothing runs. */
    NEW,
    /** Services and agents start. */
    STARTING,
    /** All parts run, as far as the server knows: see {@link Server#health()}. */
    RUNNING,
    /** Sources stop, events in flight are handled, parts are closed. */
    STOPPING,
    /** All parts are closed, as requested. */
    STOPPED,
    /** All parts are closed, because a part failed: see {@link Server#failure()}. Or the server could not start. */
    FAILED,
    /** Closed for good by {@link Server#close()}. */
    CLOSED
}
