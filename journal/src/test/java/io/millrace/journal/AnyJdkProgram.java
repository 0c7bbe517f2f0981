package io.millrace.journal;

import java.nio.file.Path;

/**
 * Recovers, appends so many records, writes a snapshot if asked to, and prints the end and the hash of the state.
 * Arguments: directory, records, "snapshot" or "none".
 */
final class AnyJdkProgram
{
    private static final int BATCH = 64;

    private AnyJdkProgram()
    {
    }

    static JournalContext<Command> context(final Path directory)
    {
        return Journals.context(directory).fileOps(new UnforcedFiles()).segmentBytes(1 << 20);
    }

    public static void main(final String[] arguments)
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(Path.of(arguments[0]))))
        {
            final long recovered = journal.recover(accounts).sequence();
            final long last = recovered + Long.parseLong(arguments[1]);
            if (last > recovered)
            {
                Journals.append(journal, recovered + 1, last, BATCH);
            }
            for (long value = recovered + 1; value <= last; value++)
            {
                accounts.apply(value);
            }
            if (arguments[2].equals("snapshot"))
            {
                journal.snapshot(accounts, last);
            }
            System.out.println(last + " " + accounts.stateHash());
        }
    }
}
