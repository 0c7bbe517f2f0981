package io.millrace.gateway.sink;

/**
 * Health of a sink.
 */
public enum SinkHealth
{
    /** Delivers. */
    UP,

    /** Delivers late, or not to everybody; {@link SinkStatus#reason()} says why. */
    DEGRADED,

    /** Delivers nothing and tries again; {@link SinkStatus#reason()} says why. */
    DOWN
}
