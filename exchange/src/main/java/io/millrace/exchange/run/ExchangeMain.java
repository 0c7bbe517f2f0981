package io.millrace.exchange.run;

import io.millrace.exchange.Exchange;
import io.millrace.journal.JournalException;
import io.millrace.server.Health;
import picocli.CommandLine;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The exchange as a program; {@code docs/exchange.md} has the options. */
public final class ExchangeMain
{
    private static final int FAILED = 1;
    private static final int BAD_OPTION = 2;
    /** EX_IOERR of sysexits.h: the journal could not write. */
    private static final int JOURNAL_FAILED = 74;
    private static final long CHECK_MS = 100;

    private final ExchangeOptions options;

    private ExchangeMain(final ExchangeOptions options)
    {
        this.options = options;
    }

    /**
     * Runs an exchange, and ends the JVM: 0, 1 after a failure, 2 for a bad option or file, 74 when the journal could
     * not write.
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
     * @return 0, 1 after a failure, 2 for a bad option or file, 74 when the journal could not write.
     */
    public static int run(
        final Consumer<Exchange> started, final PrintStream out, final PrintStream err, final String... args)
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
            return new ExchangeMain(options).launch(started, out, err);
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
            err.println("exchange: " + firstLine(ex));
            return code(ex);
        }
    }

    private static String firstLine(final Throwable failure)
    {
        Throwable root = failure;
        while (root.getCause() != null && root.getMessage() == null)
        {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage().lines().findFirst().orElse("");
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

    private int launch(final Consumer<Exchange> started, final PrintStream out, final PrintStream err)
    {
        final ExchangeSettings settings = options.settings();
        final CountDownLatch stop = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        final AtomicInteger code = new AtomicInteger(FAILED);
        final Thread hook = new Thread(() -> onSignal(stop, ended, code), "exchange-signal");
        final Consumer<Throwable> onError = ex ->
        {
            err.println("exchange: " + firstLine(ex));
            if (code(ex) == JOURNAL_FAILED)
            {
                // Also while it closes, after the wait: the last force has failed.
                code.set(JOURNAL_FAILED);
            }
        };
        try (Exchange exchange = Exchange.launch(settings.context().server(server -> settings.addTo(server, onError))))
        {
            Runtime.getRuntime().addShutdownHook(hook);
            out.println("exchange: " + exchange.recovered().text().lines().findFirst().orElse(""));
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
            code.compareAndSet(FAILED, await(exchange, stop, err));
        }
        finally
        {
            ended.countDown();
            removeHook(hook);
        }
        out.println("exchange: ended");
        return code.get();
    }

    private int await(final Exchange exchange, final CountDownLatch stop, final PrintStream err)
    {
        List<String> reported = List.of();
        final Integer seconds = options.seconds();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds == null ? 0 : seconds);
        try
        {
            while (exchange.server().failure() == null && (seconds == null || System.nanoTime() - endNs < 0))
            {
                if (stop.await(CHECK_MS, TimeUnit.MILLISECONDS))
                {
                    break;
                }
                reported = reportProblems(exchange.server().health(), reported, err);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        final Throwable failure = exchange.server().failure();
        return failure == null ? 0 : code(failure);
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

    private static void removeHook(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // The JVM is ending already: the hook ends it.
            return;
        }
    }

    /** The JVM would end with 128 + the signal's number although the end is an orderly one. */
    private static void onSignal(final CountDownLatch stop, final CountDownLatch ended, final AtomicInteger code)
    {
        stop.countDown();
        try
        {
            ended.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(code.get());
    }
}
