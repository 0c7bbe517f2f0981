package io.millrace.gateway.sink;

/**
 * What a {@link TcpSink} does for a client whose queue is full.
 */
public enum TcpPolicy
{
    /** The client gets the latest event of each symbol when it reads again; events in between are merged. */
    CONFLATE,

    /** The client is disconnected: each client that stays connected gets all events, in order, once each. */
    DISCONNECT
}
