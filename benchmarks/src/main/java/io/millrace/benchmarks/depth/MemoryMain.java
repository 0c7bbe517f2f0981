package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;

/**
 * The child process that measures random loads, see {@link RandomLoad}.
 * <pre>
 *  load bytes=N  -&gt; done  ns=5.2
 * </pre>
 */
public final class MemoryMain
{
    private MemoryMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args greatest number of bytes, CPU.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        Pinning.pinCurrentThread(Integer.parseInt(args[1]));
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        final RandomLoad load = new RandomLoad(Long.parseLong(args[0]));
        AnswerLoop.run(question -> new WireLine("done").put("ns", load.stepNs(question.number("bytes"), probe)));
    }
}
