package io.millrace.exchange;

import io.millrace.journal.Durability;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.locks.LockSupport;

/**
 * An exchange in a process that is killed. Arguments: directory, file for its port, durability policy, number
 * of agents. Snapshots come
 * often, so that recovery uses them.
 */
final class CrashProgram
{
    private static final int SNAPSHOT_EVERY = 1_500;

    private CrashProgram()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final Path portFile = Path.of(arguments[1]);
        try (Exchange exchange = Exchange.launch(
            ExchangeRig.context(Path.of(arguments[0]), ExchangeRig.sessions()).snapshotEvery(SNAPSHOT_EVERY)
                .window(CrashRun.WINDOW).agents(Integer.parseInt(arguments[3]))
                .journal(journal -> journal.durability(Durability.valueOf(arguments[2]))
                    .segmentBytes(1 << 20).watermarkBytes(0))))
        {
            final Path unfinished = portFile.resolveSibling("port.tmp");
            Files.writeString(unfinished, Integer.toString(exchange.port()));
            Files.move(unfinished, portFile, StandardCopyOption.ATOMIC_MOVE);
            while (exchange.server().failure() == null)
            {
                LockSupport.parkNanos(10_000_000);
            }
            throw new AssertionError(exchange.server().failure());
        }
    }
}
