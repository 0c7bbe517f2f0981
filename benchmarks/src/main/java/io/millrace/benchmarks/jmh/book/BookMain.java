package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of one book. It answers one line for each line on its stdin, and between two of them it blocks
 * there and uses no CPU. It ends when its stdin ends.
 * <pre>
 *  verify  -&gt; done  a BookAnswer
 *  round   -&gt; done  a BookRound
 *  types   -&gt; done  BookTypes
 *  anything that failed  -&gt; failed why
 * </pre>
 */
public final class BookMain
{
    private BookMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args the contender's name, the {@link RaceSetup}, the input file (may be empty), the CPU.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final BookFlow flow = RaceSetup.valueOf(args[1]).flow(args[2]);
        final BookRunner runner =
            new BookRunner(new HostFiles(Path.of("/")), flow, args[0], Integer.parseInt(args[3]));
        AnswerLoop.run(question -> answer(runner, question.verb()));
    }

    private static WireLine answer(final BookRunner runner, final String verb)
    {
        switch (verb)
        {
            case "verify":
                return WireLine.of("done", runner.verify());
            case "round":
                return WireLine.of("done", runner.round());
            case "types":
                return runner.types().toLine();
            default:
                return new WireLine("failed").put("why", "unknown question " + verb);
        }
    }
}
