package io.millrace.server;

/**
 * Which threads run the stages that no agent was named for. The flows stay the same.
 */
public enum ThreadingMode
{
    /**
     * No thread: the application calls {@link Server#invoke()}. For tests and for loops of one's own.
     */
    INVOKER,

    /**
     * One thread for everything that is not placed on an agent of its own; stages on it are fused.
     */
    SHARED,

    /**
     * One thread for each source that is polled and for each stage. The default.
     */
    DEDICATED
}
