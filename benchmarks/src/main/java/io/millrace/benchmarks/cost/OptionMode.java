package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.RoundPlan;

import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * In which ways an option is measured.
 */
enum OptionMode
{
    /** Publisher and handler on one thread. */
    ONE("one", "one thread", setup -> setup.onOneThread, OptionRound::cpuPerEventNs, OptionRunner::onOneThread),

    /** Publisher and handler on two threads. */
    TWO("two", "two threads", setup -> setup.onTwoThreads, OptionRound::wallPerEventNs, OptionRunner::onTwoThreads),

    /** A publisher that finds no free capacity. */
    FULL("full", "full ring", setup -> setup.whenFull, OptionRound::cpuPerEventNs, OptionRunner::whenFull);

    private final String label;
    final String title;
    private final Predicate<OptionSetup> isFor;
    final ToDoubleFunction<OptionRound> perEventNs;
    private final BiFunction<OptionRunner, RoundPlan, OptionRound> work;

    OptionMode(
        final String label,
        final String title,
        final Predicate<OptionSetup> isFor,
        final ToDoubleFunction<OptionRound> perEventNs,
        final BiFunction<OptionRunner, RoundPlan, OptionRound> work)
    {
        this.label = label;
        this.title = title;
        this.isFor = isFor;
        this.perEventNs = perEventNs;
        this.work = work;
    }

    boolean isFor(final CostOption option)
    {
        return isFor.test(option.setup());
    }

    OptionRound run(final OptionRunner runner, final RoundPlan plan)
    {
        return work.apply(runner, plan);
    }

    @Override
    public String toString()
    {
        return label;
    }
}
