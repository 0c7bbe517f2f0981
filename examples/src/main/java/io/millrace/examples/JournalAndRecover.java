package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.DurableMatching;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.journal.Journal;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * An order book that survives {@code kill -9}. The first run makes a journal in a directory and sends orders until it
 * is killed. The next run recovers the same book and goes on, or the book after the next batch, if that was on the disk
 * and not printed yet. It prints the book when the journal has recovered, and again after every hundred commands.
 *
 * <p>Everything runs on the main thread, which is why it may look into the book between two commands.
 */
public final class JournalAndRecover
{
    private static final int SYMBOL = 1;
    private static final int BATCH = 100;
    private static final int ALL = Integer.MAX_VALUE;
    private static final long PAUSE_MS = 50;

    private final PrintStream out;
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 128);
    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final MatchingService matching = new MatchingService(
        "matching", new EngineContext().symbol(SymbolSpec.future(SYMBOL).withPrices(1, 200)), executions);
    private long answered;

    private JournalAndRecover(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Recover, then send orders.
     *
     * @param args directory of the journal.
     * @throws InterruptedException when the thread is interrupted between two batches.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        run(System.out, Path.of(args.length > 0 ? args[0] : "target/journal"), ALL, PAUSE_MS);
    }

    static void run(final PrintStream out, final Path directory, final int count, final long pauseMs)
        throws InterruptedException
    {
        new JournalAndRecover(out).run(directory, count, pauseMs);
    }

    private void run(final Path directory, final int count, final long pauseMs) throws InterruptedException
    {
        final Journal<OrderCommand> journal =
            Journal.open(DurableMatching.context(directory, matching).segmentBytes(1 << 22));
        final DurableMatching durable = new DurableMatching(journal, matching).snapshotEvery(10_000);
        try (Server server = Server.launch(new Server.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .service(journal)
            .flow("commands", f -> f.from(commands).to("journal", journal.stage()).to("match", durable, "journal"))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct()).to("answer", this::onExecution))))
        {
            out.println(journal.report().text());
            answered = journal.report().sequence();
            printBook();
            final long end = count == ALL ? Long.MAX_VALUE : answered + count;
            while (answered < end)
            {
                final long first = answered + 1;
                for (long i = first; i < first + BATCH; i++)
                {
                    send(commands.claim(), i);
                }
                while (server.invoke() > 0)
                {
                    // Journal, force, match, answer.
                }
                printBook();
                Thread.sleep(pauseMs);
            }
        }
    }

    /** The i-th command of all runs: an order of one lot, or a cancel. */
    private void send(final OrderCommand command, final long i)
    {
        final long mixed = (i * 0x9E37_79B9_7F4A_7C15L >>> 33) % 41;
        commands.publish(i % 3 == 0 ? command.cancel(SYMBOL, i - 1, 7) :
            command.limit(SYMBOL, i, 7, (byte)(i & 1), 80 + mixed, 1));
    }

    /** The answer to a command leaves when the command is on the disk: its sequence is the number of its record. */
    private void onExecution(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        if (event.kind() == ExecutionKind.RESULT)
        {
            answered = event.commandSequence();
        }
    }

    private void printBook()
    {
        final OrderBook book = matching.engine().book(SYMBOL);
        out.printf(Locale.ROOT, "record %d: %d orders, best bid %d, best ask %d, state %016x%n", answered,
            book.orderCount(), book.bestPrice(Side.BID), book.bestPrice(Side.ASK), book.stateHash());
        out.flush();
    }
}
