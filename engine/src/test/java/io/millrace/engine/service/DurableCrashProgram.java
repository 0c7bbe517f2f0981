package io.millrace.engine.service;

import io.millrace.journal.Durability;
import io.millrace.journal.Ledger;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;

/**
 * A process that is killed: an engine behind its journal recovers, says so, then executes random commands as fast as it
 * can, with snapshots, and writes the number of the last command that was answered into a shared mapping. Arguments:
 * directory, ledger, policy, whether there are users.
 */
final class DurableCrashProgram
{
    static final int RECOVERED_OFFSET = 0;
    static final int HASH_OFFSET = 8;
    static final int ACKNOWLEDGED_OFFSET = 16;
    static final int LEDGER_LENGTH = 24;
    static final long SEED = 3;
    private static final int SNAPSHOT_EVERY = 2_000;

    private DurableCrashProgram()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final MappedByteBuffer ledger = Ledger.map(Path.of(arguments[1]), LEDGER_LENGTH);
        final boolean users = Boolean.parseBoolean(arguments[3]);
        final RandomOrders orders = new RandomOrders(SEED, users);
        try (DurableServer server = new DurableServer(Path.of(arguments[0]), RandomOrders.context(users),
            Durability.valueOf(arguments[2]), SNAPSHOT_EVERY, 0, true))
        {
            final long recovered = server.report().sequence();
            ledger.putLong(HASH_OFFSET, server.durable.stateHash());
            ledger.putLong(RECOVERED_OFFSET, recovered);
            final OrderCommand again = new OrderCommand();
            for (long i = 0; i < recovered; i++)
            {
                orders.next(again);
            }
            server.lastResult = recovered;
            while (server.errors.isEmpty())
            {
                server.give(orders, DurableServer.BATCH);
                ledger.putLong(ACKNOWLEDGED_OFFSET, server.lastResult);
            }
            throw new AssertionError(server.errors.get(0));
        }
    }
}
