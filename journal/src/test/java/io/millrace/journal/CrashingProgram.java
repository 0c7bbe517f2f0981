package io.millrace.journal;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;

/**
 * A process that is killed: recovers, says so, then appends batches as fast as it can, with snapshots, and writes each
 * acknowledgement into a shared mapping. Values are sequences. Arguments: directory, ledger, policy, and a failpoint
 * for {@link HaltingFiles} if it is to halt. A journal that fails is the end of the program, as of any main.
 */
final class CrashingProgram
{
    static final int RECOVERED_OFFSET = 0;
    static final int HASH_OFFSET = 8;
    static final int ACKNOWLEDGED_OFFSET = 16;
    static final int LEDGER_LENGTH = 24;
    /** EX_IOERR of sysexits.h. */
    static final int JOURNAL_FAILED = 74;
    private static final int BATCH = 16;
    /** A program with a failpoint ends here if it has not met it. */
    private static final long LAST = 40_000;
    /** The keeper marks, and prepares, that much more often than by the clock. */
    private static final long HASTE = 50;
    private static final int SNAPSHOT_EVERY = 400;

    private CrashingProgram()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final MappedByteBuffer ledger = Ledger.map(Path.of(arguments[1]), LEDGER_LENGTH);
        final JournalContext<Command> context = Journals.context(Path.of(arguments[0]))
            .fileOps(arguments.length > 3 ? new HaltingFiles(new SystemFiles(), arguments[3]) : new SystemFiles())
            .durability(Durability.valueOf(arguments[2])).clock(() -> HASTE * System.nanoTime());
        try
        {
            run(Journal.open(context), ledger, arguments.length > 3 ? LAST : Long.MAX_VALUE);
        }
        catch (final JournalException ex)
        {
            System.out.println(ex.getMessage());
            System.exit(ex.kind() == JournalException.Kind.FAILED ? JOURNAL_FAILED : 1);
        }
    }

    private static void run(final Journal<Command> journal, final MappedByteBuffer ledger, final long records)
    {
        final Accounts accounts = new Accounts();
        final RecoveryReport report = journal.recover(accounts);
        final KeeperThread keeper = new KeeperThread("keeper", journal.keeper());
        keeper.start();
        ledger.putLong(HASH_OFFSET, accounts.stateHash());
        ledger.putLong(RECOVERED_OFFSET, report.sequence());
        final Command command = new Command();
        long value = report.sequence();
        while (value - report.sequence() < records)
        {
            final long first = value + 1;
            for (int i = 0; i < BATCH; i++)
            {
                value++;
                command.value = value;
                command.extra = (int)(value % 60);
                journal.append(command);
            }
            journal.commit();
            for (long applied = first; applied <= value; applied++)
            {
                accounts.apply(applied);
            }
            ledger.putLong(ACKNOWLEDGED_OFFSET, value);
            if ((value - report.sequence()) % SNAPSHOT_EVERY == 0)
            {
                snapshot(journal, accounts, value);
            }
        }
    }

    /** A snapshot that fails harms no record; if the journal has failed, the next append says so. */
    private static void snapshot(final Journal<Command> journal, final Accounts accounts, final long value)
    {
        try
        {
            journal.snapshot(accounts, value);
        }
        catch (final JournalException ex)
        {
            System.out.println(ex.getMessage());
        }
    }
}
