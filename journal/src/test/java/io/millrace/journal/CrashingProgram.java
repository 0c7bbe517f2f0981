package io.millrace.journal;

import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A process that is killed: recovers, says so, then appends batches as fast as it can, with snapshots, and writes each
 * acknowledgement into a shared mapping. Values are sequences. Arguments: directory, ledger, policy.
 */
final class CrashingProgram
{
    static final int RECOVERED_OFFSET = 0;
    static final int HASH_OFFSET = 8;
    static final int ACKNOWLEDGED_OFFSET = 16;
    static final int LEDGER_LENGTH = 24;
    private static final int BATCH = 16;
    private static final int SNAPSHOT_EVERY = 400;

    private CrashingProgram()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final MappedByteBuffer ledger;
        try (RandomAccessFile file = new RandomAccessFile(arguments[1], "rw"))
        {
            ledger = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, LEDGER_LENGTH);
        }
        final Accounts accounts = new Accounts();
        final Journal<Command> journal = Journal.open(Journals.context(Path.of(arguments[0]))
            .fileOps(new SystemFiles()).durability(Durability.valueOf(arguments[2])));
        final RecoveryReport report = journal.recover(accounts);
        final KeeperThread keeper = new KeeperThread("keeper", journal::segmentKeeper);
        keeper.start();
        ledger.putLong(HASH_OFFSET, accounts.stateHash());
        ledger.putLong(RECOVERED_OFFSET, report.sequence());
        final Command command = new Command();
        long value = report.sequence();
        while (true)
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
            if (value % SNAPSHOT_EVERY == 0)
            {
                journal.snapshot(accounts, value);
            }
        }
    }
}
