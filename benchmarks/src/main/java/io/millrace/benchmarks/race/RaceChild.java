package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of one contender in one comparison: answers each {@link RacePlan} with a {@link RaceResult}.
 * Between
 * two it uses no CPU.
 */
public final class RaceChild
{
    private RaceChild()
    {
    }

    /**
     * Run the child.
     *
     * @param args the contender's name.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final RaceRunner runner = new RaceRunner(args[0], new HostFiles(Path.of("/")));
        AnswerLoop.run(question -> WireLine.of("done", runner.run(question.as(RacePlan.class))));
    }
}
