package io.millrace.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Orders of one process are matched in another one, and the executions go back. The process with the orders is killed
 * and started again: its orders have stayed in the book, and trade with those of its second life.
 * <pre>
 *  trader                          exchange "orders"           matcher
 *  InVmSource - ring - CallSink ------ host to guest ------ RequestSource - ring - MatchingService
 *  RequestSource - ring - handler ---- guest to host ------ CallSink - ring - executions
 *                                  exchange "executions"
 * </pre>
 */
public final class MatchBetweenProcesses
{
    private MatchBetweenProcesses()
    {
    }

    /**
     * Runs the two other processes.
     *
     * @param args none.
     * @throws Exception if a process fails.
     */
    public static void main(final String[] args) throws Exception
    {
        run(System.out, Files.createTempDirectory("match"));
    }

    /** The folder is for the exchanges, and deleted: a process that is killed leaves their files. */
    static void run(final PrintStream out, final Path folder) throws Exception
    {
        final Process matcher = ChildJvm.start(RemoteMatcher.class, folder.toString());
        try
        {
            life(out, "first life", folder, "ask");
            life(out, "second life", folder, "bid");
        }
        finally
        {
            matcher.destroy();
            matcher.waitFor();
            delete(folder);
        }
    }

    private static void delete(final Path folder) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder))
        {
            for (final Path file : files)
            {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** Starts a trader, reads its line, and kills it by SIGKILL. */
    private static void life(final PrintStream out, final String title, final Path folder, final String side)
        throws IOException, InterruptedException
    {
        final Process trader = ChildJvm.start(RemoteTrader.class, folder.toString(), side);
        try (BufferedReader lines = trader.inputReader(StandardCharsets.UTF_8))
        {
            out.println(title + ": " + lines.readLine());
        }
        finally
        {
            trader.destroyForcibly().waitFor();
        }
    }
}
