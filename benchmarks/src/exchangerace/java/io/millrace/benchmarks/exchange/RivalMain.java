package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.WireLine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/**
 * The child process of exchange-core's pipeline. It answers as {@link ExchangeMain} does; between two rounds it uses no
 * CPU.
 */
public final class RivalMain
{
    private final HostFiles host = new HostFiles(Path.of("/"));
    private RivalRunner runner;

    private RivalMain()
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
        AnswerLoop.run(new RivalMain()::answer);
    }

    private WireLine answer(final WireLine question) throws IOException, InterruptedException, ExecutionException
    {
        switch (question.verb())
        {
            case "open":
                runner = new RivalRunner(host, ExchangeFlow.read(Path.of(question.text("file"))));
                return new WireLine("done");
            case "round":
                return runner.run(question.as(ExchangePlan.class));
            default:
                return new WireLine("failed").put("why", "unknown question " + question.verb());
        }
    }
}
