package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

import io.millrace.benchmarks.flow.RecordedCommands;

import org.HdrHistogram.Histogram;

/**
 * The child process of one contender. It answers one line for each line on its stdin, and between two of them it
 * blocks there and uses no CPU. It ends when its stdin ends.
 * <pre>
 *  round  a RoundPlan              -&gt; done  a RoundResult
 *  cost   a RoundPlan, events      -&gt; done  a Cost
 *  floors two CPUs                 -&gt; done  clockNs, lineNs
 *  hiccup a RoundPlan              -&gt; done  intended, steal
 *  anything that failed            -&gt; failed why
 * </pre>
 */
public final class ContenderMain
{
    /**
     * Name of the child that measures the host instead of a path.
     */
    public static final String HOST = "host";

    private final HostFiles host = new HostFiles(Path.of("/"));
    private final RoundRunner rounds;
    private final CostRunner costs;

    private ContenderMain(final String name, final String input)
    {
        if (HOST.equals(name))
        {
            rounds = null;
            costs = null;
        }
        else
        {
            final RecordedCommands commands = ReportInput.commands(input);
            rounds = new RoundRunner(host, Contender.named(name), commands);
            costs = new CostRunner(Contender.named(name), commands);
        }
    }

    /**
     * Run the child.
     *
     * @param args the contender's name and the input file (may be empty).
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        AnswerLoop.run(new ContenderMain(args[0], args[1])::answer);
    }

    private WireLine answer(final WireLine question) throws InterruptedException, ExecutionException
    {
        switch (question.verb())
        {
            case "round":
                return rounds.run(RoundPlan.from(question)).toLine();
            case "cost":
                return AnswerLoop.onOwnThread(() ->
                    costs.run(RoundPlan.from(question), question.number("events")).toLine());
            case "floors":
                return floors((int)question.number("cpuA"), (int)question.number("cpuB"));
            case "hiccup":
                return AnswerLoop.onOwnThread(() -> hiccup(RoundPlan.from(question)));
            default:
                return new WireLine("failed").put("why", "unknown question " + question.verb());
        }
    }

    private static WireLine floors(final int cpuA, final int cpuB) throws InterruptedException
    {
        // The first ones warm up.
        HostFloors.clockNs();
        return new WireLine("done")
            .put("clockNs", HostFloors.clockNs())
            .put("lineNs", HostFloors.lineRoundTripNs(cpuA, cpuB));
    }

    private WireLine hiccup(final RoundPlan plan) throws InterruptedException
    {
        System.gc();
        final HostFiles.Ticks before = host.ticks(plan.cpus());
        final Histogram hiccups = new HiccupMeter(plan).run();
        final double steal = host.ticks(plan.cpus()).stealSince(before);
        return new WireLine("done").putHistogram("intended", hiccups).put("steal", steal);
    }
}
