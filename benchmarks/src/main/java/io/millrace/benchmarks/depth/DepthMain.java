package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of one book of one size, see {@link AnswerLoop}.
 * <pre>
 *  fill    -&gt; done  placed=N, 0 when the book is full
 *  memory  -&gt; done  arrays=BYTES opened=BYTES full=BYTES
 *  round   -&gt; done  a DepthRound
 * </pre>
 */
public final class DepthMain
{
    private DepthMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args contender, orders, levels, CPU.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final DepthRunner runner = new DepthRunner(new HostFiles(Path.of("/")),
            new DepthCase(Integer.parseInt(args[1]), Integer.parseInt(args[2])), DepthContender.valueOf(args[0]),
            Integer.parseInt(args[3]));
        AnswerLoop.run(question -> answer(runner, question.verb()));
    }

    private static WireLine answer(final DepthRunner runner, final String verb)
    {
        switch (verb)
        {
            case "fill":
                return runner.fill();
            case "memory":
                return runner.memory();
            case "round":
                return WireLine.of("done", runner.round());
            default:
                return new WireLine("failed").put("why", "unknown question " + verb);
        }
    }
}
