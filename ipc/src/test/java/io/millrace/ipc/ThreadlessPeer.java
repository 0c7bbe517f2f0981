package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;

import java.io.IOException;
import java.nio.file.Path;

/** A host in a process that can start no further thread. */
final class ThreadlessPeer
{
    private ThreadlessPeer()
    {
    }

    /** @param arguments the folder. The exit code is 0 when the host cannot be created. */
    public static void main(final String[] arguments) throws IOException
    {
        int code = ChildJvm.takeThreads();
        try
        {
            ExchangeHost.create(Pair.context(Path.of(arguments[0])));
            code = Math.max(1, code);
        }
        catch (final OutOfMemoryError refused)
        {
            // As wanted, if threads before it were refused, too.
        }
        Runtime.getRuntime().halt(code);
    }
}
