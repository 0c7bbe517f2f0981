package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The parent's end of one contender: asks for rounds and costs, and takes none whose answer is wrong. One thread.
 */
public final class CheckedContender implements AutoCloseable
{
    private final ReportPath path;
    private final ReportInput input;
    private final ContenderProcess process;

    private CheckedContender(final ReportPath path, final ReportInput input, final ContenderProcess process)
    {
        this.path = path;
        this.input = input;
        this.process = process;
    }

    /**
     * Start the contender's process and wait until it is ready.
     *
     * @param path     which contender.
     * @param input    what its answers are checked with.
     * @param commands a file with the input's commands, for the process to read.
     * @return the running contender.
     * @throws IOException when it cannot be started.
     */
    public static CheckedContender start(final ReportPath path, final ReportInput input, final Path commands)
        throws IOException
    {
        return new CheckedContender(path, input, ContenderProcess.start(path.contender(), commands.toString()));
    }

    /**
     * Name of the line.
     *
     * @return as {@link ReportPath#name()}.
     */
    public String name()
    {
        return path.name();
    }

    /**
     * Run a round.
     *
     * @param plan  how; its handler is replaced by the path's.
     * @param which round, for the message about a wrong answer.
     * @return a round whose answer is right.
     * @throws IOException          when the contender failed.
     * @throws WrongAnswerException when its answer is wrong.
     */
    public RoundResult round(final RoundPlan plan, final String which) throws IOException
    {
        final RoundPlan own = plan.with(path.handler());
        final RoundResult result = RoundResult.from(own, process.ask(own.toLine("round")));
        final String wrong = result.wrongAnswer(input.commands(), expected(result.sent()));
        if (wrong != null)
        {
            throw new WrongAnswerException(name() + " at " + own.perSecond() + "/s, " + which + ": " + wrong);
        }
        return result;
    }

    /**
     * Ask for the cost on one thread.
     *
     * @param plan   how; its handler is replaced by the path's.
     * @param events how many events.
     * @return a cost whose answer is right.
     * @throws IOException          when the contender failed.
     * @throws WrongAnswerException when its answer is wrong.
     */
    public CostRunner.Cost cost(final RoundPlan plan, final long events) throws IOException
    {
        final WireLine question = plan.with(path.handler()).toLine("cost").put("events", events);
        final CostRunner.Cost cost = CostRunner.Cost.from(process.ask(question));
        if (cost.checksum() != input.commands().checksum(cost.sent()))
        {
            throw new WrongAnswerException(name() + " on one thread: wrong checksum over " + cost.sent() + " events");
        }
        if (!cost.executions().equals(expected(cost.sent())))
        {
            throw new WrongAnswerException(name() + " on one thread: executions " + cost.executions() +
                " instead of " + expected(cost.sent()));
        }
        return cost;
    }

    private Executions expected(final long sent)
    {
        return path.matches() ? input.expected().after(sent) : Executions.NONE;
    }

    @Override
    public void close()
    {
        process.close();
    }
}
