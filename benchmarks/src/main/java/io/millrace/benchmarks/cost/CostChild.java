package io.millrace.benchmarks.cost;

import java.io.IOException;
import java.nio.file.Path;

import io.millrace.benchmarks.rate.AnswerLoop;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.WireLine;

import org.agrona.concurrent.BusySpinIdleStrategy;

/**
 * The child process of one option or of one idle strategy.
 * <pre>
 *  one   a RoundPlan            -&gt; done  an OptionRound on one thread
 *  two   a RoundPlan            -&gt; done  an OptionRound on two threads
 *  full  a RoundPlan            -&gt; done  an OptionRound of attempts without room
 *  idle  a RoundPlan, wakeUps   -&gt; done  an IdleRound
 * </pre>
 */
public final class CostChild
{
    /** First argument of a child for an option; the second is its name. */
    static final String OPTION = "option";

    /** First argument of a child for an idle strategy; the second is its name. */
    static final String IDLE = "idle";

    private final OptionRunner options;
    private final IdleRunner idle;

    private CostChild(final String kind, final String name)
    {
        final HostFiles host = new HostFiles(Path.of("/"));
        options = OPTION.equals(kind) ?
            new OptionRunner(CostOption.named(name), host, BusySpinIdleStrategy::new) : null;
        idle = IDLE.equals(kind) ? new IdleRunner(IdleKind.named(name), host, new BusySpinIdleStrategy()) : null;
    }

    /**
     * Run the child.
     *
     * @param args {@code option} or {@code idle}, and a name.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        AnswerLoop.run(new CostChild(args[0], args[1])::answer);
    }

    private WireLine answer(final WireLine question) throws Exception
    {
        final RoundPlan plan = RoundPlan.from(question);
        switch (question.verb())
        {
            case "one":
                return AnswerLoop.onOwnThread(() -> options.onOneThread(plan).toLine());
            case "two":
                return AnswerLoop.onOwnThread(() -> options.onTwoThreads(plan).toLine());
            case "full":
                return AnswerLoop.onOwnThread(() -> options.whenFull(plan).toLine());
            case "idle":
                return AnswerLoop.onOwnThread(() -> idle.run(plan, (int)question.number("wakeUps")).toLine());
            default:
                return new WireLine("failed").put("why", "unknown question " + question.verb());
        }
    }
}
