package io.millrace.engine.service;

/**
 * Executions of a command found no room. Either the command was not executed at all, or it was and some of its
 * executions are lost to the executions' flow: {@link #isExecuted()} says which.
 */
public final class ExecutionCapacityException extends RuntimeException
{
    private static final long serialVersionUID = 1L;
    private static final String ADVICE = ": the executions' flow was full and may not wait (BLOCK waits, but not for " +
        "a stage on the service's own agent: let that flow go direct()), " +
        "or it had closed (declare the commands' flow before it), or the thread that waited was interrupted";

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

    static ExecutionCapacityException lost(
        final long sequence, final int lost, final int executions, final boolean resultLost, final Throwable cause)
    {
        return new ExecutionCapacityException("command " + sequence + " was executed, but of its " + executions +
            " executions " + lost + " were lost" + (resultLost ? ", and its RESULT" : "") +
            (cause == null ? ADVICE : ": publishing them threw " + cause), sequence, true, lost, cause);
    }

    /**
     * Which command.
     *
     * @return its sequence in its pipeline.
     */
    public long commandSequence()
    {
        return commandSequence;
    }

    /**
     * Whether the command was carried out.
     *
     * @return false: the books are as they were, and the command may be given again; true: it may not.
     */
    public boolean isExecuted()
    {
        return executed;
    }

    /**
     * How many executions nobody was told of, the RESULT not counted.
     *
     * @return number of events.
     */
    public int lost()
    {
        return lost;
    }
}
