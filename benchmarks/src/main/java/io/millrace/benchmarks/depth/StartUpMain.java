package io.millrace.benchmarks.depth;

import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process that starts a server with one symbol and the defaults, sends it an order, waits for the result, and says
 * how long that took and how much of the heap it uses.
 */
public final class StartUpMain
{
    /** Places of the numbers in the line that it prints. */
    static final int TO_MAIN_MS = 0;
    static final int READY_MS = 1;
    static final int ANSWERED_MS = 2;
    static final int HEAP_BYTES = 3;

    /** As in the message-rate report: 0.4 ms at ten million a second. */
    private static final int CAPACITY = 4_096;

    private static final int SYMBOL = 1;
    private static final double NS_PER_MS = 1e6;

    private StartUpMain()
    {
    }

    /**
     * Start, say it in a line, stop.
     *
     * @param args none.
     * @throws InterruptedException never: nothing interrupts it.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        final long toMainMs = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
        final CountDownLatch answered = new CountDownLatch(1);
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CAPACITY);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, CAPACITY);
        final MatchingService matching = new MatchingService(List.of(SymbolSpec.future(SYMBOL)), executions);
        try (Server server = Server.launch(new Server.Context()
            .flow("commands", f -> f.from(commands).onFull(BackPressure.BLOCK).to("match", matching))
            .flow("executions", f -> f.from(executions).onFull(BackPressure.BLOCK)
                .to("results", (event, sequence, endOfBatch) -> answered.countDown()))))
        {
            final long readyNs = System.nanoTime();
            commands.publish(commands.claim().limit(SYMBOL, 1, 1, Side.BID, 100, 1));
            answered.await();
            final long answeredNs = System.nanoTime();
            System.gc();
            final long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            System.out.println((double)toMainMs + " " + (readyNs - startNs) / NS_PER_MS + " " +
                (answeredNs - startNs) / NS_PER_MS + " " + heapBytes + " " + server.placements().size());
        }
    }
}
