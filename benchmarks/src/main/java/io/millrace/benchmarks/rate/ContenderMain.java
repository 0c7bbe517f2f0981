package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of one contender. It answers one line for each line on its stdin, and between two of them it
 * blocks there and uses no CPU. It ends when its stdin ends.
 * <pre>
 *  round  a RoundPlan              -&gt; done  a Round and a RateAnswer
 *  cost   a RoundPlan, events      -&gt; done  a Cost
 *  anything that failed            -&gt; failed why
 * </pre>
 */
public final class ContenderMain
{
    private ContenderMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args the contender's name and the input file (may be empty).
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final RecordedCommands commands = ReportInput.commands(args[1]);
        final RoundRunner rounds =
            new RoundRunner(new HostFiles(Path.of("/")), Contender.named(args[0]), commands);
        final CostRunner costs = new CostRunner(Contender.named(args[0]), commands);
        AnswerLoop.run(question ->
        {
            final RoundPlan plan = question.as(RoundPlan.class);
            return question.verb().equals("round") ? rounds.run(plan) : AnswerLoop.onOwnThread(() ->
                WireLine.of("done", costs.run(plan, question.number("events"))));
        });
    }
}
