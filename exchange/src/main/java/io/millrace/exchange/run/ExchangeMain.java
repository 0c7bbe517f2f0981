package io.millrace.exchange.run;

import io.millrace.exchange.Exchange;
import io.millrace.journal.JournalException;
import io.millrace.server.Health;
import io.millrace.server.Server;
import io.millrace.server.SignalHook;
import picocli.CommandLine;

import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The exchange as a program; {@code docs/exchange.md} has the options. */
public final class ExchangeMain
{
    private static final int FAILED = 1;
    private static final int BAD_OPTION = 2;
    /** EX_IOERR of sysexits.h: the journal could not write. */
    private static final int JOURNAL_FAILED = 74;
    private static final long CHECK_MS = 100;
    private static final long BYTES_PER_MIB = 1 << 20;

    private final ExchangeOptions options;

    private ExchangeMain(final ExchangeOptions options)
    {
        this.options = options;
    }

    /**
     * Runs an exchange, and ends the JVM: 0, 1 after a failure or when a part hung at the close, 2 for a bad option or
     * file, 74 when the journal could not write after the start.
     *
     * @param args the options.
     */
    public static void main(final String[] args)
    {
        System.exit(run(null, System.out, System.err, args));
    }

    /**
     * Runs an exchange until its end. SIGTERM and SIGINT stop it, and the JVM then ends with the code that this method
     * would have returned.
     *
     * @param started called once when the exchange runs; may be null.
     * @param out     for the report.
     * @param err     for errors, one line each.
     * @param args    the options.
     * @return 0, 1 after a failure or when a part hung at the close, 2 for a bad option or file, 74 when the journal
     * could not write after the start.
     */
    public static int run(
        final Consumer<Exchange> started, final PrintStream out, final PrintStream err, final String... args)
    {
        try (SignalHook hook = new SignalHook("exchange-signal"))
        {
            return hook.exitCode(run(hook, started, out, err, args));
        }
    }

    private static int run(
        final SignalHook hook, final Consumer<Exchange> started, final PrintStream out, final PrintStream err,
        final String... args)
    {
        final ExchangeOptions options = new ExchangeOptions();
        final CommandLine line = new CommandLine(options);
        try
        {
            line.parseArgs(args);
            if (line.isUsageHelpRequested())
            {
                line.usage(out);
                return 0;
            }
            return new ExchangeMain(options).launch(hook, started, out, err);
        }
        catch (final CommandLine.ParameterException ex)
        {
            err.println("exchange: " + firstLine(ex) + "; see --help");
            return BAD_OPTION;
        }
        catch (final SettingsException | IllegalArgumentException ex)
        {
            err.println("exchange: " + firstLine(ex));
            return BAD_OPTION;
        }
        catch (final RuntimeException ex)
        {
            err.println("exchange: " + withCause(ex));
            return code(ex);
        }
        catch (final OutOfMemoryError ex)
        {
            err.println("exchange: " + ex.getMessage() + ": the heap may have " +
                Runtime.getRuntime().maxMemory() / BYTES_PER_MIB +
                " MiB; raise -Xmx, or lower order-capacity, window-ticks, window or ring");
            return FAILED;
        }
    }

    private static String firstLine(final Throwable failure)
    {
        Throwable root = failure;
        while (root.getCause() != null && root.getMessage() == null)
        {
            root = root.getCause();
        }
        // The text of some failures is the path alone.
        final boolean saysWhy = root.getMessage() != null &&
            !(root instanceof FileSystemException && ((FileSystemException)root).getReason() == null);
        return saysWhy ? root.getMessage().lines().findFirst().orElse("") : root.toString();
    }

    /** What failed, and the innermost cause: it says what is wrong. */
    private static String withCause(final Throwable failure)
    {
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        final String what = firstLine(failure);
        final String why = firstLine(root);
        return what.contains(why) ? what : what + ": " + why;
    }

    private static int code(final Throwable failure)
    {
        for (Throwable ex = failure; ex != null; ex = ex.getCause())
        {
            if (ex instanceof JournalException && ((JournalException)ex).kind() == JournalException.Kind.FAILED)
            {
                return JOURNAL_FAILED;
            }
        }
        return FAILED;
    }

    private int launch(
        final SignalHook hook, final Consumer<Exchange> started, final PrintStream out, final PrintStream err)
    {
        final ExchangeSettings settings = options.settings();
        final CountDownLatch stop = new CountDownLatch(1);
        final AtomicBoolean hasJournalFailed = new AtomicBoolean();
        final Consumer<Throwable> onError = ex ->
        {
            err.println("exchange: " + withCause(ex));
            if (code(ex) == JOURNAL_FAILED)
            {
                // Also while it closes, after the wait: the last force has failed.
                hasJournalFailed.set(true);
            }
        };
        final Exchange exchange =
            Exchange.launch(settings.context().server(server -> settings.addTo(server, onError)));
        try (exchange)
        {
            hook.install(stop::countDown);
            exchange.recovered().text().lines().forEach(line -> out.println("exchange: " + line));
            out.println("exchange: listening on port " + exchange.port() + ", journal in " +
                settings.directory().resolve("journal"));
            if (settings.isTls())
            {
                out.println("exchange: order entry speaks TLS 1.3 only");
            }
            settings.protocols().report(exchange).forEach(line -> out.println("exchange: " + line));
            if (settings.console() != null)
            {
                out.println("exchange: admin console on loopback, port " + settings.console().port());
            }
            out.flush();
            if (started != null)
            {
                started.accept(exchange);
            }
            await(exchange.server(), stop, err);
        }
        out.println("exchange: ended");
        final Server server = exchange.server();
        // The keeper may have failed after the last command: no stage reports that.
        return hasJournalFailed.get() || exchange.journal().failure() != null ? JOURNAL_FAILED :
            server.failure() == null && server.leftBehind().isEmpty() ? 0 : FAILED;
    }

    private void await(final Server server, final CountDownLatch stop, final PrintStream err)
    {
        List<String> reported = List.of();
        final Integer seconds = options.seconds();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds == null ? 0 : seconds);
        try
        {
            while (server.failure() == null && (seconds == null || System.nanoTime() - endNs < 0))
            {
                if (stop.await(CHECK_MS, TimeUnit.MILLISECONDS))
                {
                    return;
                }
                reported = reportProblems(server.health(), reported, err);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** One line when a problem begins, such as a low disk, and one when there is none any more. */
    private static List<String> reportProblems(final Health health, final List<String> before, final PrintStream err)
    {
        if (health.status() == Health.Status.DOWN)
        {
            // The error handler has reported why.
            return before;
        }
        final List<String> now = new ArrayList<>();
        for (final String reason : health.reasons())
        {
            // A count that grows is no other problem.
            final String kind = reason.replaceAll("\\d+", "N");
            now.add(kind);
            if (!before.contains(kind))
            {
                err.println("exchange: degraded: " + reason);
            }
        }
        if (now.isEmpty() && !before.isEmpty())
        {
            err.println("exchange: no longer degraded");
        }
        return now;
    }
}
