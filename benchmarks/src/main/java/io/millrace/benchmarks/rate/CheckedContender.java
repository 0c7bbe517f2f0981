package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RatedPath;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The parent's end of one contender: asks for rounds and costs, and takes none whose answer is wrong. One thread.
 */
public final class CheckedContender implements RatedPath, AutoCloseable
{
    private final ReportPath path;
    private final ReportInput input;
    private final RoundPlan plan;
    private final ChildProcess<Runners> process;
    private RateAnswer answer;

    /** What the child process runs, by its own thread only: rounds on two threads, and the cost on one. */
    private record Runners(RoundRunner rounds, CostRunner costs)
    {
        static Runners of(final String contender, final String input)
        {
            final CommandColumns commands = ReportInput.commands(input);
            return new Runners(new RoundRunner(Contender.named(contender), commands),
                new CostRunner(Contender.named(contender), commands));
        }
    }

    private CheckedContender(
        final ReportPath path, final ReportInput input, final RoundPlan plan, final ChildProcess<Runners> process)
    {
        this.path = path;
        this.input = input;
        this.plan = plan;
        this.process = process;
    }

    /**
     * Start the contender's process and wait until it is ready.
     *
     * @param path     which contender.
     * @param input    gives the expected answers.
     * @param plan     capacity and CPUs.
     * @param commands a file with the input's commands, for the process to read.
     * @return the running contender.
     * @throws IOException when it cannot be started.
     */
    public static CheckedContender start(
        final ReportPath path, final ReportInput input, final RoundPlan plan, final Path commands) throws IOException
    {
        final String contender = path.contender();
        final String file = commands.toString();
        return new CheckedContender(path, input, plan.with(path.handler()),
            ChildProcess.start(contender, List.of(), () -> Runners.of(contender, file)));
    }

    @Override
    public String name()
    {
        return path.name();
    }

    @Override
    public Round round(final long perSecond, final long roundMs, final String which) throws IOException
    {
        final RoundPlan asked = plan.at(perSecond, roundMs);
        final AnsweredRound<RateAnswer> answered = process.ask(runners -> runners.rounds().run(asked));
        final Round round = answered.round();
        answer = answered.answer();
        final String wrong =
            answer.wrong(round, plan.leadIn(), input.commands(), expected(plan.leadIn() + round.sent()));
        if (wrong != null)
        {
            throw new WrongAnswerException(name() + " at " + perSecond + "/s, " + which + ": " + wrong);
        }
        return round;
    }

    /** Answer of the last round. */
    public RateAnswer answer()
    {
        return answer;
    }

    /**
     * Ask for the cost on one thread.
     *
     * @param events number of them.
     * @return a cost whose answer is right.
     * @throws IOException          when the contender failed.
     * @throws WrongAnswerException when its answer is wrong.
     */
    public CostRunner.Cost cost(final long events) throws IOException
    {
        final RoundPlan asked = plan;
        final CostRunner.Cost cost =
            process.ask(runners -> Pinning.onOwnThread(() -> runners.costs().run(asked, events)));
        final String where = name() + " on one thread, ";
        WrongAnswerException.check(where + "checksum over " + cost.sent() + " events",
            input.commands().checksum(cost.sent()), cost.checksum());
        WrongAnswerException.check(where + "executions", expected(cost.sent()), cost.executions());
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
