package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.util.List;

/**
 * The matching service on a server in INVOKER mode, its executions by {@code direct()}. Commands are published one by
 * one or in batches. All settings are the defaults. Never closed: it has no thread and ends with its JVM.
 */
final class ServerBook extends PathBook
{
    private final InVmSource<OrderCommand> orders = new InVmSource<>(OrderCommand::new, CAPACITY);
    private final InVmSource<ExecutionEvent> executions =
        new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    private final MatchingService service = new MatchingService(List.of(BookFlow.SPEC), executions);
    private final Server server;
    private final boolean inBatches;
    private int published;
    // Sequence of the next event to fill, and how many claimed ones are filled and not published, or not filled.
    private long next;
    private int filled;
    private int unfilled;

    ServerBook(final CommandColumns commands, final boolean inBatches)
    {
        super(commands);
        this.inBatches = inBatches;
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("orders", flow -> flow.from(orders).through(Pipelines.ring()).to("match", service))
            .flow("executions", flow -> flow.from(executions).through(Pipelines.direct())
                .to("read", (event, sequence, endOfBatch) -> read(event))));
    }

    @Override
    void publish(final int index)
    {
        if (inBatches)
        {
            addToBatch(index);
            return;
        }
        final OrderCommand command = orders.claim();
        fill(command, index);
        if (!orders.publish(command))
        {
            throw new IllegalStateException("command " + index + " was refused", server.failure());
        }
        published++;
    }

    private void addToBatch(final int index)
    {
        if (unfilled == 0)
        {
            next = orders.claim(BATCH);
            unfilled = BATCH;
        }
        fill(orders.event(next), index);
        next++;
        filled++;
        unfilled--;
    }

    /** The last batch of a lap is smaller; the next lap begins with the rest of its events, and may span two claims. */
    private void publishBatch()
    {
        if (!orders.publish(next - filled, filled))
        {
            throw new IllegalStateException("a batch of commands was refused", server.failure());
        }
        published += filled;
        filled = 0;
    }

    @Override
    void execute()
    {
        if (filled > 0)
        {
            publishBatch();
        }
        while (published > 0)
        {
            final int executed = server.invoke();
            if (executed == 0)
            {
                throw new IllegalStateException(published + " commands were not executed", server.failure());
            }
            published -= executed;
        }
    }

    @Override
    protected void reportLevels(final LevelHash levels)
    {
        service.engine().bookReport(BookFlow.SPEC.symbol(), -1, levels);
    }
}
