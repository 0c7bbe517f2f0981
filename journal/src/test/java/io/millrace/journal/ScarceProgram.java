package io.millrace.journal;

import io.millrace.pool.testkit.Descriptors;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;

/** Closes a journal when the process has no free file descriptor, as the first close of this process. */
final class ScarceProgram
{
    private ScarceProgram()
    {
    }

    /** @param args the directory. */
    public static void main(final String[] args) throws Exception
    {
        final Journal<Command> journal = Journal.open(new JournalContext<>(
            Path.of(args[0]), new Command.Codec(), Command::new).segmentBytes(16_384).watermarkBytes(0));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 5);
        final List<Closeable> files = Descriptors.takeAll();
        Throwable failure = null;
        try
        {
            journal.close();
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
        for (final Closeable file : files)
        {
            file.close();
        }
        System.out.println(failure == null ? "closed" : failure.toString());
    }
}
