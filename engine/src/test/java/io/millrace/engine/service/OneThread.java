package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A service in a real server on the test's thread: gives a command, returns its answers as lines of text. */
final class OneThread implements AutoCloseable
{
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 16);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
    private final List<String> heard = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final ExecutionEvent lastResult = new ExecutionEvent();
    private final MatchingService service;
    private final Server server;
    private boolean keepsText = true;

    OneThread(final EngineContext context)
    {
        this(context, MatchingService.DEFAULT_REPORT_ROWS);
    }

    OneThread(final EngineContext context, final int reportRows)
    {
        service = new MatchingService(MatchingService.DEFAULT_NAME, context, executions).allowReset()
            .reportRows(reportRows);
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> hear(event))));
    }

    /** From now on, only {@link #lastResult} changes: for a test that measures the work of the engine alone. */
    OneThread withoutText()
    {
        keepsText = false;
        return this;
    }

    private void hear(final ExecutionEvent event)
    {
        if (keepsText)
        {
            final String text = ExecutionText.of(event);
            heard.add(text.substring(text.indexOf(' ') + 1));
        }
        if (event.kind() == ExecutionKind.RESULT)
        {
            lastResult.result(event.orderId(), event.uid(), event.result(), event.executionCount(),
                event.levelSequence());
            if (event.hasMore())
            {
                lastResult.more(event.side(), event.next(), event.levelsReported());
            }
        }
    }

    /** The answers of a command, without its sequence. */
    List<String> give(final UnaryOperator<OrderCommand> filler)
    {
        heard.clear();
        commands.publish(filler.apply(commands.claim()));
        server.invoke();
        assertEquals(List.of(), errors);
        return List.copyOf(heard);
    }

    /** The RESULT of the last command. */
    ExecutionEvent lastResult()
    {
        return lastResult;
    }

    /** A copy of it that later commands do not change. */
    ExecutionEvent keepResult()
    {
        final ExecutionEvent kept = new ExecutionEvent();
        kept.result(lastResult.orderId(), lastResult.uid(), lastResult.result(), lastResult.executionCount(), 0);
        if (lastResult.hasMore())
        {
            kept.more(lastResult.side(), lastResult.next(), lastResult.levelsReported());
        }
        return kept;
    }

    /** All rows of a report, over as many commands as necessary; each with at most the set number of rows. */
    List<String> report(final int maxRows, final UnaryOperator<OrderCommand> filler)
    {
        final List<String> rows = new ArrayList<>(give(filler));
        while (true)
        {
            final String result = rows.remove(rows.size() - 1);
            assertTrue(result.contains(" SUCCESS "), result);
            if (!lastResult.hasMore())
            {
                return rows;
            }
            final List<String> more = give(c -> filler.apply(c).continueFrom(lastResult));
            assertTrue(more.size() - 1 <= maxRows, more::toString);
            rows.addAll(more);
        }
    }

    void accept(final UnaryOperator<OrderCommand> filler)
    {
        final List<String> answer = give(filler);
        assertEquals(CommandResult.SUCCESS, lastResult.result(), answer::toString);
    }

    void refuse(final CommandResult result, final UnaryOperator<OrderCommand> filler)
    {
        final long hash = service.engine().stateHash();
        final long before = server.counters().value("matching.commands." + result);
        final List<String> answer = give(filler);
        assertEquals(1, answer.size(), answer::toString);
        assertEquals(result, lastResult.result(), answer::toString);
        assertEquals(hash, service.engine().stateHash(), () -> "the state has changed: " + answer);
        assertEquals(before + 1, server.counters().value("matching.commands." + result));
    }

    MatchingEngine engine()
    {
        return service.engine();
    }

    Server server()
    {
        return server;
    }

    @Override
    public void close()
    {
        server.close();
        assertEquals(List.of(), errors);
        service.engine().verify();
    }
}
