package io.millrace.gateway.run;

import io.millrace.gateway.itch.ItchBook;
import io.millrace.server.SignalHook;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.util.function.Consumer;

/**
 * The gateway as a program; {@code docs/gateway.md} has the options. This main class has no order books: a program that
 * reads ITCH calls {@link #run} with its own.
 */
public final class GatewayMain
{
    private static final int FAILED = 1;
    private static final int BAD_OPTION = 2;

    private GatewayMain()
    {
    }

    /**
     * Runs a gateway without order books, and ends the JVM: 0, 1 after a failure or when a part hung at the close, 2
     * for a bad option.
     *
     * @param args the options.
     */
    public static void main(final String[] args)
    {
        System.exit(run(null, null, System.out, System.err, args));
    }

    /**
     * Runs a gateway until its end. SIGTERM and SIGINT stop it, and the JVM then ends with the code that this method
     * would have returned.
     *
     * @param books   makes order books; null without {@code --itch} and {@code --pcap}.
     * @param started called once when the gateway runs; may be null.
     * @param out     for the report.
     * @param err     for errors, one line each.
     * @param args    the options.
     * @return 0, 1 after a failure or when a part hung at the close, 2 for a bad option.
     */
    public static int run(final ItchBook.Factory books, final Consumer<Gateway> started, final PrintStream out,
        final PrintStream err, final String... args)
    {
        try (SignalHook hook = new SignalHook("gateway-signal"))
        {
            return hook.exitCode(run(hook, books, started, out, err, args));
        }
    }

    private static int run(
        final SignalHook hook, final ItchBook.Factory books, final Consumer<Gateway> started, final PrintStream out,
        final PrintStream err, final String... args)
    {
        final GatewayOptions options = new GatewayOptions();
        final CommandLine line = new CommandLine(options);
        try
        {
            line.parseArgs(args);
            if (line.isUsageHelpRequested())
            {
                line.usage(out);
                return 0;
            }
            options.check();
            return run(hook, new Gateway(options, books, out, err), started, err);
        }
        catch (final CommandLine.ParameterException | IllegalArgumentException ex)
        {
            err.println("gateway: " + ex.getMessage().lines().findFirst().orElse("") + "; see --help");
            return BAD_OPTION;
        }
        catch (final IOException | IllegalStateException ex)
        {
            err.println("gateway: " + rootMessage(ex));
            return FAILED;
        }
    }

    private static int run(
        final SignalHook hook, final Gateway gateway, final Consumer<Gateway> started, final PrintStream err)
        throws IOException
    {
        final boolean isGood;
        try
        {
            hook.install(gateway::stop);
            if (started != null)
            {
                started.accept(gateway);
            }
            gateway.awaitEnd();
        }
        catch (final InterruptedException ex)
        {
            err.println("gateway: interrupted");
            Thread.currentThread().interrupt();
        }
        finally
        {
            isGood = gateway.end();
        }
        return isGood ? 0 : FAILED;
    }

    /** The innermost cause says what is wrong, once. */
    static String rootMessage(final Throwable failure)
    {
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        // The text of some failures is the path alone.
        final boolean saysWhy = root.getMessage() != null &&
            !(root instanceof FileSystemException && ((FileSystemException)root).getReason() == null);
        final String message = saysWhy ? root.getMessage() : root.toString();
        final String outer = failure.getMessage();
        return root == failure || outer == null ? message : outer.contains(message) ? outer : outer + ": " + message;
    }
}
