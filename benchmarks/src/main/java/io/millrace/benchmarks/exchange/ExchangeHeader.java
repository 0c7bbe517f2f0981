package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;

import java.util.List;
import java.util.Locale;

/**
 * The header of both exchange benchmarks: what they add to that of any run. Stateless.
 */
final class ExchangeHeader
{
    private ExchangeHeader()
    {
    }

    /**
     * @param rival null when there is none.
     */
    static RunHeader of(final String title, final ExchangeOptions options, final ExchangeRival rival)
    {
        final RunOptions run = options.run();
        final RunHeader header = new RunHeader(title).cpus(run.sourceCpu(), run.handlerCpu());
        for (final ExchangeSetup setup : options.setups())
        {
            header.flags(ExchangeContender.OURS + " for " + setup.label(),
                List.of(ExchangeContender.flagLine(setup)));
            header.add(String.format(Locale.ROOT, "set-up %s: %,d symbol%s, %,d accounts of %,d users in %d " +
                "currencies, %,d orders placed first, %,d commands, ring %,d", setup.label(), setup.symbols,
                setup.symbols == 1 ? "" : "s", setup.accounts(), setup.users, setup.currencies(),
                setup.resting, options.commands(setup), setup.ring));
        }
        return header.add(rival == null ? List.of(ExchangeContender.RIVAL + ": not in this build") : rival.lines())
            .add("market data: " + (options.levels() ?
                ExchangeContender.OURS + " publishes all changes of levels (L2), the other nothing" : "none"))
            .add(options.journals().isEmpty() ? "journal: none; -Dreport.journal=OS_CACHE or EVERY_BATCH runs ours " +
                "again with it" : "journal: our own, on the disk of " + run.dir() + ", segments prepared ahead; " +
                "bare: the same bytes by a plain write, and a force where the policy forces");
    }
}
