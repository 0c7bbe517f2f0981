package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The contenders of one set-up, each in its own JVM, and the flow that all are given by file. One thread.
 */
final class ExchangePair implements AutoCloseable
{
    private static final int SEED = 1;

    final List<ExchangeContender> contenders = new ArrayList<>();
    private final List<ExchangeJournal> journals;
    private final ExchangeFlow flow;
    private final Path file;
    private String whyAlone = "";

    private ExchangePair(final ExchangeFlow flow, final Path file, final List<ExchangeJournal> journals)
    {
        this.journals = journals;
        this.flow = flow;
        this.file = file;
    }

    /**
     * Make the flow and start both.
     *
     * @param rival null when there is none.
     * @param out   where to print the progress.
     * @throws IOException when ours cannot be started or the file cannot be written.
     */
    static ExchangePair open(
        final ExchangeOptions options, final ExchangeSetup setup, final ExchangeRival rival, final PrintStream out)
        throws IOException
    {
        out.println(setup.label() + ": making the commands, starting the contenders");
        final ExchangeFlow flow = ExchangeFlow.of(setup, options.commands(setup), SEED);
        final ExchangePair pair =
            new ExchangePair(flow, Files.createTempFile(options.run().dir(), "commands", ".flow"),
            options.journals());
        try
        {
            flow.write(pair.file);
            pair.start(options, rival);
        }
        catch (final IOException | RuntimeException ex)
        {
            pair.close();
            throw ex;
        }
        if (!pair.whyAlone.isEmpty())
        {
            out.println(pair.whyAlone);
        }
        return pair;
    }

    private void start(final ExchangeOptions options, final ExchangeRival rival) throws IOException
    {
        contenders.add(ExchangeContender.ours(options, flow, file, ExchangeJournal.NONE));
        for (final ExchangeJournal how : journals)
        {
            contenders.add(ExchangeContender.ours(options, flow, file, how));
        }
        if (rival == null || !journals.isEmpty())
        {
            whyAlone = "without " + ExchangeContender.RIVAL + ": " +
                (rival == null ? "it is not in this build" : "ours is compared with and without a journal");
            return;
        }
        try
        {
            contenders.add(ExchangeContender.rival(rival, options, flow, file));
        }
        catch (final IOException ex)
        {
            whyAlone = "without " + ExchangeContender.RIVAL + ": " + ex.getMessage();
        }
    }

    /** Why there is no rival; empty when there is one. */
    String whyAlone()
    {
        return whyAlone;
    }

    @Override
    public void close()
    {
        contenders.forEach(ExchangeContender::close);
        try
        {
            for (final ExchangeJournal how : journals)
            {
                new JournalDisk(ExchangeContender.disk(file, how), JournalDisk.SEGMENT).delete();
            }
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            // It stays in the folder of the report, which is the user's to clear.
            file.toFile().deleteOnExit();
        }
    }
}
