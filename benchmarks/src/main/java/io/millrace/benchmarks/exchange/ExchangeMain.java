package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of our exchange. It answers one line for each line on its stdin and ends when that ends.
 * <pre>
 *  open  file=a flow's        -&gt; done
 *  round an ExchangePlan      -&gt; done  a Round and an ExchangeAnswer
 *  anything that failed       -&gt; failed why
 * </pre>
 */
public final class ExchangeMain
{
    private final HostFiles host = new HostFiles(Path.of("/"));
    private ExchangeRunner runner;

    private ExchangeMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args none.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        AnswerLoop.run(new ExchangeMain()::answer);
    }

    private WireLine answer(final WireLine question) throws IOException, InterruptedException
    {
        switch (question.verb())
        {
            case "open":
                runner = new ExchangeRunner(host, ExchangeFlow.read(Path.of(question.text("file"))));
                return new WireLine("done");
            case "round":
                return runner.run(question.as(ExchangePlan.class));
            default:
                return new WireLine("failed").put("why", "unknown question " + question.verb());
        }
    }
}
