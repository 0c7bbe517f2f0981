package io.millrace.engine.service;

/**
 * Thrown when a command's executions found no capacity. If {@link #isExecuted()} is false, the command was not
 * executed; otherwise it was executed and some of its executions are lost.
 */
public final class ExecutionCapacityException extends RuntimeException
{
    private static final long serialVersionUID = 1L;
    private static final String ADVICE = ": the executions' flow was full and cannot wait (BLOCK waits, except for " +
        "a stage on the service's own agent: make that flow direct()), " +
        "or it was closed (declare the commands' flow before it), or the waiting thread was interrupted";

    private final long commandSequence;
    private final boolean executed;
    private final int lost;

    private ExecutionCapacityException(
        final String message, final long commandSequence, final boolean executed, final int lost, final Throwable cause)
    {
        super(message, cause);
        this.commandSequence = commandSequence;
        this.executed = executed;
        this.lost = lost;
    }

    static ExecutionCapacityException notExecuted(final long sequence, final int reserve)
    {
        return new ExecutionCapacityException("command " + sequence + " was not executed, no state has " +
            "changed: there was no capacity for " + reserve + " executions" + ADVICE, sequence, false, 0, null);
    }

    static ExecutionCapacityException noFlow(final long sequence, final Throwable cause)
    {
        return new ExecutionCapacityException("command " + sequence + " was not executed, no state has changed: no " +
            "flow takes its executions: " + cause.getMessage(), sequence, false, 0, cause);
    }

    static ExecutionCapacityException lost(
        final long sequence, final int lost, final int executions, final boolean resultLost, final Throwable cause)
    {
        return new ExecutionCapacityException("command " + sequence + " was executed, but of its " + executions +
            " executions " + lost + " were lost" + (resultLost ? ", and its RESULT" : "") +
            (cause == null ? ADVICE : ": publishing them threw " + cause), sequence, true, lost, cause);
    }

    /**
     * The command.
     *
     * @return its sequence in its pipeline.
     */
    public long commandSequence()
    {
        return commandSequence;
    }

    /**
     * Whether the command was executed.
     *
     * @return false: the books are unchanged, and the command may be repeated; true: do not repeat it.
     */
    public boolean isExecuted()
    {
        return executed;
    }

    /**
     * Number of lost executions, without the RESULT.
     *
     * @return number of events.
     */
    public int lost()
    {
        return lost;
    }
}
