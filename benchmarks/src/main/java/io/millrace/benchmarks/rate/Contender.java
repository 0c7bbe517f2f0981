package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.RoundPlan;

import java.util.List;

/**
 * Opens paths of one kind. Each contender lives in its own process.
 */
@FunctionalInterface
public interface Contender
{
    /**
     * Names of the contenders: the server, the raw baseline that it is compared with, and the server whose path
     * matches, see {@link #MATCHING}.
     */
    List<String> NAMES = List.of("server", "raw", "matching");

    /**
     * Name of the server with the matching service on its path. Its meter is given the empty handler.
     */
    String MATCHING = "matching";

    /**
     * Name of the loop without a path, for the cost on one thread only.
     */
    String LOOP = "loop";

    /**
     * Find a contender.
     *
     * @param name one of {@link #NAMES}, or {@link #LOOP}, or the name of a class with a public constructor without
     *             parameters.
     * @return a new contender.
     * @throws IllegalArgumentException when there is none.
     */
    static Contender named(final String name)
    {
        return switch (name)
        {
            case "server" -> new ServerContender();
            case "raw" -> (plan, meter, isOnThread) -> new RawRing(plan.capacity(), meter).start(plan, isOnThread);
            case MATCHING -> new MatchingContender();
            case LOOP -> (plan, meter, isOnThread) -> new LoopPath(meter).start(plan, false);
            default -> ofClass(name);
        };
    }

    private static Contender ofClass(final String name)
    {
        try
        {
            return Class.forName(name).asSubclass(Contender.class).getConstructor().newInstance();
        }
        catch (final ReflectiveOperationException | ClassCastException ex)
        {
            throw new IllegalArgumentException(
                "contender '" + name + "' is not one of " + NAMES + ", and no class of contenders", ex);
        }
    }

    /**
     * Open a path.
     *
     * @param plan       capacity and CPU.
     * @param meter      receives each event from the handler.
     * @param isOnThread whether the handler runs on a busy-spinning thread of its own, bound to the plan's CPU;
     *                   otherwise it runs when the caller says so, on the caller's thread.
     * @return an open path.
     */
    PathUnderTest<?> open(RoundPlan plan, MessageMeter meter, boolean isOnThread);
}
