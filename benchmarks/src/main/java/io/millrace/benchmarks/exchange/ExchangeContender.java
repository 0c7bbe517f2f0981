package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HugePages;
import io.millrace.benchmarks.harness.RatedPath;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The parent's end of one exchange: asks for rounds and takes none whose answer is wrong. One thread.
 */
record ExchangeContender(
    String name, ExchangeOptions options, ChildProcess<? extends ExchangePath> process, ExchangeFlow flow)
    implements RatedPath, AutoCloseable
{
    /** Name of ours. */
    static final String OURS = "millrace";

    /** Name of the other one. */
    static final String RIVAL = "exchange-core";

    // Twice what the flow, its books and its users take at most, since a collection needs space to move them: a
    // thousand books with a million orders are some 600 MB, one book with a thousand users is 20 MB.
    private static final List<String> LARGE_HEAP = List.of("-Xms2g", "-Xmx2g");
    private static final List<String> SMALL_HEAP = List.of("-Xms512m", "-Xmx512m");

    /** JVM flags of our child in addition to those of all children. */
    static List<String> flags(final ExchangeSetup setup)
    {
        final List<String> flags = new ArrayList<>(setup == ExchangeSetup.MEDIUM ? LARGE_HEAP : SMALL_HEAP);
        flags.addAll(HugePages.flags());
        return flags;
    }

    /** The flags as one line, without those that others contradict. */
    static String flagLine(final ExchangeSetup setup)
    {
        final List<String> flags = new ArrayList<>(ChildProcess.flags());
        flags.removeIf(flag -> flag.startsWith("-Xm"));
        flags.addAll(0, flags(setup));
        return String.join(" ", flags);
    }

    /** @param how its commands become durable; the log goes into a folder beside the file. */
    static ExchangeContender ours(
        final ExchangeOptions options, final ExchangeFlow flow, final Path file, final ExchangeJournal how)
        throws IOException
    {
        final String name = file.toAbsolutePath().toString();
        final String disk = disk(file, how).toString();
        return new ExchangeContender(how.label(), options, ChildProcess.start(how.label(), flags(flow.setup()),
            () -> new ExchangeRunner(ExchangeFlow.read(Path.of(name)), how,
                new JournalDisk(Path.of(disk), JournalDisk.SEGMENT))), flow);
    }

    /** Folder of a contender's log. */
    static Path disk(final Path file, final ExchangeJournal how)
    {
        return file.toAbsolutePath().resolveSibling(how.label());
    }

    static ExchangeContender rival(
        final ExchangeRival rival, final ExchangeOptions options, final ExchangeFlow flow, final Path file)
        throws IOException
    {
        return new ExchangeContender(
            RIVAL, options, rival.start(flow.setup(), file.toAbsolutePath().toString()), flow);
    }

    @Override
    public Round round(final long perSecond, final long roundMs, final String which) throws IOException
    {
        // A millisecond of a high rate is more than a short flow has.
        final long count = Math.min(flow.count() - flow.fill(), Math.max(1, perSecond * roundMs / 1_000));
        return round(options.plan(perSecond, (int)count), which);
    }

    /**
     * Run a round.
     *
     * @throws WrongAnswerException when its answer is wrong.
     */
    Round round(final ExchangePlan plan, final String which) throws IOException
    {
        final AnsweredRound<ExchangeAnswer> answered = process.ask(path -> path.run(plan));
        final Round round = answered.round();
        final String where = name + " at " + (plan.perSecond() == 0 ? "full speed" : plan.perSecond() + "/s") + ", " +
            which;
        if (round.handled() != round.sent() || round.sent() > plan.events())
        {
            throw new WrongAnswerException(where + ": handled " + round.handled() + " of " + round.sent() +
                " commands sent, " + plan.events() + " were asked for");
        }
        WrongAnswerException.check(
            where, flow.expected(Math.toIntExact(flow.fill() + round.sent())), answered.answer());
        return round;
    }

    @Override
    public void close()
    {
        process.close();
    }
}
