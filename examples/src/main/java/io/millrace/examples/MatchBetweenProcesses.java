package io.millrace.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

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
        run(System.out);
    }

    static void run(final PrintStream out) throws Exception
    {
        final String name = "match-" + ProcessHandle.current().pid();
        final Process matcher = ChildJvm.start(RemoteMatcher.class, name);
        try
        {
            life(out, "first life", name, "ask");
            life(out, "second life", name, "bid");
        }
        finally
        {
            matcher.destroy();
            matcher.waitFor();
        }
    }

    /** Starts a trader, reads its line, and kills it by SIGKILL. */
    private static void life(final PrintStream out, final String title, final String name, final String side)
        throws IOException, InterruptedException
    {
        final Process trader = ChildJvm.start(RemoteTrader.class, name, side);
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
