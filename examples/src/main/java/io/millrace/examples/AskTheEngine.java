package io.millrace.examples;

import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Requests;
import io.millrace.server.Server;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Four threads ask one matching engine, as the threads of a web server do: each sends an order and waits for its
 * answer. Two threads buy, two sell.
 *
 * <p>The command carries the number of its request, the correlation. Every execution of the command brings it back.
 */
public final class AskTheEngine
{
    private static final int SYMBOL = 1;
    private static final int THREADS = 4;
    private static final int ORDERS = 1_000;
    private static final int CAPACITY = 1_024;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    /** What became of an order: contracts that were filled at once. */
    static final class Answer
    {
        long filled;
    }

    private final InVmSource<OrderCommand> commands = InVmSource.shared(OrderCommand::new, CAPACITY);
    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final Requests<Answer> requests = new Requests<>(Answer::new, 16);
    private final AtomicLong filledAtOnce = new AtomicLong();
    /** The engine's agent only. */
    private long filled;

    /**
     * Ask and print what came of it.
     *
     * @param args none.
     * @throws InterruptedException if the main thread is interrupted.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        new AskTheEngine().run(System.out);
    }

    void run(final PrintStream out) throws InterruptedException
    {
        final MatchingService matching = new MatchingService(List.of(SymbolSpec.future(SYMBOL)), executions);
        try (Server server = Server.launch(new Server.Context()
            .flow("commands", f -> f.from(commands).onFull(BackPressure.BLOCK).to("match", matching))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct()).to("answer", this::onExecution))))
        {
            final Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++)
            {
                final int thread = i;
                threads[i] = new Thread(() -> askFrom(thread), "web-" + i);
                threads[i].start();
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
            out.println(server.counters().value("match.handled") + " orders, " + requests.answered() + " answers");
            out.println(filledAtOnce + " contracts filled, " + matching.engine().book(SYMBOL).orderCount() +
                " orders rest");
        }
    }

    private void askFrom(final int thread)
    {
        for (int i = 0; i < ORDERS; i++)
        {
            final long correlation = requests.open(TIMEOUT_NS);
            final byte side = thread % 2 == 0 ? Side.BID : Side.ASK;
            commands.publish(commands.claim()
                .limit(SYMBOL, thread * ORDERS + i + 1, thread + 1, side, 100, 1).correlation(correlation));
            final Answer answer = requests.await(correlation);
            filledAtOnce.addAndGet(answer == null ? 0 : answer.filled);
            requests.close(correlation);
        }
    }

    /** The result of a command is its last execution. */
    private void onExecution(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        filled += event.kind() == ExecutionKind.TRADE ? event.size() : 0;
        if (event.kind() == ExecutionKind.RESULT)
        {
            final long correlation = event.correlation();
            final Answer answer = requests.answerTo(correlation);
            if (answer != null)
            {
                answer.filled = filled;
                requests.send(correlation);
            }
            filled = 0;
        }
    }
}
