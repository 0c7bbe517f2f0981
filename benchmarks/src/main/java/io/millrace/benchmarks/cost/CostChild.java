package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.WireLine;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.RoundRunner;
import org.agrona.concurrent.BusySpinIdleStrategy;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of one option, of one idle strategy or of one fan-out.
 * <pre>
 *  one   a RoundPlan            -&gt; done  an OptionRound on one thread
 *  two   a RoundPlan            -&gt; done  an OptionRound on two threads
 *  full  a RoundPlan            -&gt; done  an OptionRound of attempts without room
 *  round a RoundPlan            -&gt; done  a RoundResult of a fan-out
 *  idle  a RoundPlan, wakeUps   -&gt; done  an IdleRound
 * </pre>
 */
public final class CostChild
{
    /** First argument of a child for an option; the second is its name. */
    static final String OPTION = "option";

    /** First argument of a child for an idle strategy; the second is its name. */
    static final String IDLE = "idle";

    /** First argument of a child for a fan-out; the second is its name, the third the topology. */
    static final String FAN_OUT = "fanout";

    private final OptionRunner options;
    private final IdleRunner idle;
    private final RoundRunner fanOuts;

    private CostChild(final String... args)
    {
        final String kind = args[0];
        final String name = args[1];
        final HostFiles host = new HostFiles(Path.of("/"));
        options = OPTION.equals(kind) ?
            new OptionRunner(CostOption.named(name), host, BusySpinIdleStrategy::new) : null;
        idle = IDLE.equals(kind) ? new IdleRunner(IdleKind.named(name), host, new BusySpinIdleStrategy()) : null;
        fanOuts = FAN_OUT.equals(kind) ? new RoundRunner(host,
            FanOutKind.named(name).contender(Topology.named(args[2])), FanOutLatency.commands()) : null;
    }

    /**
     * Run the child.
     *
     * @param args {@code option} or {@code idle} and a name, or {@code fanout}, a name and a topology.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        AnswerLoop.run(new CostChild(args)::answer);
    }

    private WireLine answer(final WireLine question) throws Exception
    {
        final RoundPlan plan = question.as(RoundPlan.class);
        switch (question.verb())
        {
            case "one":
                return AnswerLoop.onOwnThread(() -> WireLine.of("done", options.onOneThread(plan)));
            case "two":
                return AnswerLoop.onOwnThread(() -> WireLine.of("done", options.onTwoThreads(plan)));
            case "full":
                return AnswerLoop.onOwnThread(() -> WireLine.of("done", options.whenFull(plan)));
            case "round":
                return fanOuts.run(plan);
            case "idle":
                return AnswerLoop.onOwnThread(() ->
                    WireLine.of("done", idle.run(plan, (int)question.number("wakeUps"))));
            default:
                return new WireLine("failed").put("why", "unknown question " + question.verb());
        }
    }
}
