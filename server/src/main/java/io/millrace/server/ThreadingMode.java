package io.millrace.server;

/**
 * Threads for the stages that are not placed on a named agent. The flows do not depend on it.
 */
public enum ThreadingMode
{
    /**
     * No thread: the application calls {@link Server#invoke()}. For tests and for an application's own event loop.
     */
    INVOKER,

    /**
     * One thread for all stages and polled sources that are not placed on a named agent; stages on it are fused.
     */
    SHARED,

    /**
     * One thread for each polled source and for each stage. The default.
     */
    DEDICATED
}
