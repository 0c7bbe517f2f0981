package io.millrace.engine.service;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.BasePoolAware;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Executions without capacity: the command waits, is not executed, or is executed and the loss is reported. It is never
 * silent.
 */
class ExecutionCapacityTest
{
    private static final int SYMBOL = 7;
    private static final int CAPACITY = MatchingService.MIN_EXECUTION_CAPACITY;
    /** Results of this many commands leave less than the reserve. */
    private static final int FILL = CAPACITY - MatchingService.RESERVE + 1;
    /** More than the ring has capacity for. */
    private static final int LONG_SWEEP = 3 * FILL;

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 1_024);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, CAPACITY);
    private final MatchingService service = new MatchingService(List.of(SymbolSpec.future(SYMBOL)), executions);
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> letters = Collections.synchronizedList(new ArrayList<>());
    private final EventHandler<ExecutionEvent> hears = (event, sequence, end) -> heard.add(ExecutionText.of(event));

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0).deadLetters(
            (final String stage, final long sequence, final BasePoolAware event, final Throwable cause) ->
                letters.add(cause));
    }

    private Server launchOnOneThread(final ErrorPolicy policy)
    {
        return Server.launch(context(ThreadingMode.INVOKER).onError(policy)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).to("hear", hears)));
    }

    private void give(final UnaryOperator<OrderCommand> filler)
    {
        commands.publish(filler.apply(commands.claim()));
    }

    private void giveOrders(final long firstId, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long id = firstId + i;
            give(c -> c.limit(SYMBOL, id, 10, ASK, 100 + id, 1));
        }
    }

    private static ExecutionCapacityException capacityException(final Throwable reported)
    {
        return assertInstanceOf(ExecutionCapacityException.class, reported, reported::toString);
    }

    @Test
    void shouldSayThatNoFlowTakesTheExecutions()
    {
        try (Server server = Server.launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("commands", f -> f.from(commands).to("match", service))))
        {
            giveOrders(1, 1);
            server.invoke();
            final ExecutionCapacityException ex = capacityException(letters.get(0));
            assertFalse(ex.isExecuted());
            assertTrue(ex.getMessage().contains("no flow takes its executions"), ex.getMessage());
            assertEquals(1, server.counters().value("matching.commands.insufficientCapacity"));
        }
    }

    @Test
    void shouldNotExecuteACommandWithoutCapacityForAllExecutions()
    {
        try (Server server = launchOnOneThread(ErrorPolicy.STOP_SERVER))
        {
            giveOrders(1, FILL + 1);
            server.invoke();
            final ExecutionCapacityException reported = capacityException(server.failure().getCause());
            assertEquals(FILL, reported.commandSequence());
            assertFalse(reported.isExecuted());
            assertEquals(0, reported.lost());
            assertTrue(reported.getMessage().contains("command " + FILL + " was not executed"), reported::getMessage);
            assertTrue(reported.getMessage().contains("BLOCK") && reported.getMessage().contains("direct()"));
            assertEquals(1, server.counters().value("matching.commands.insufficientCapacity"));
            assertEquals(FILL, heard.size() + server.counters().value("executions.undelivered"),
                "the reader ended with the agent of both, which is counted");
        }
        assertEquals(FILL, service.engine().book(SYMBOL).orderCount());
    }

    @Test
    void shouldContinueWhenCapacityIsFreeAgain()
    {
        try (Server server = launchOnOneThread(ErrorPolicy.SKIP_AND_RECORD))
        {
            giveOrders(1, FILL + 3);
            server.invoke();
            assertEquals(3, letters.size());
            assertEquals(FILL + 2, capacityException(letters.get(2)).commandSequence());
            assertEquals(FILL, heard.size());
            give(c -> c.cancel(SYMBOL, 1, 10));
            server.invoke();
        }
        assertEquals(List.of(FILL + 3 + ": REDUCE 1@101 ASK 1/10+ reserve 0", FILL + 3 + ": RESULT 1/10 SUCCESS 1"),
            heard.subList(FILL, heard.size()));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldFinishASweepBeyondTheCapacityAndReportTheLoss()
    {
        try (Server server = launchOnOneThread(ErrorPolicy.SKIP_AND_RECORD))
        {
            for (int i = 0; i < LONG_SWEEP; i += FILL)
            {
                giveOrders(i, FILL);
                server.invoke();
            }
            heard.clear();
            give(c -> c.market(SYMBOL, 1_000, 11, BID, LONG_SWEEP));
            server.invoke();
            assertEquals(1, letters.size());
            final ExecutionCapacityException reported = capacityException(letters.get(0));
            assertEquals(LONG_SWEEP, reported.commandSequence());
            assertTrue(reported.isExecuted());
            assertEquals(LONG_SWEEP - (CAPACITY - 1), reported.lost());
            assertEquals(reported.lost(), server.counters().value("matching.executions.lost"));
            assertEquals(LONG_SWEEP, server.counters().value("matching.executions.TRADE"));
            give(c -> c.cancel(SYMBOL, 1, 10));
            server.invoke();
            assertEquals(1, letters.size(), "the next command has lost nothing");
            assertEquals(LONG_SWEEP + 1 + ": RESULT 1/10 UNKNOWN_ORDER 0", heard.remove(CAPACITY));
        }
        assertEquals(0, service.engine().book(SYMBOL).orderCount(), "the book has finished the command");
        assertEquals(CAPACITY, heard.size());
        assertEquals(LONG_SWEEP + ": RESULT 1000/11 SUCCESS " + LONG_SWEEP, heard.get(CAPACITY - 1),
            "the RESULT has its place, and its count shows that something is missing");
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldKeepTheLastSlotForTheResult()
    {
        try (Server server = launchOnOneThread(ErrorPolicy.SKIP_AND_RECORD))
        {
            giveOrders(0, MatchingService.RESERVE);
            server.invoke();
            // Enough results to leave only the reserve, then a sweep of one more than the free places.
            for (int i = 0; i < CAPACITY - MatchingService.RESERVE; i++)
            {
                give(c -> c.cancel(SYMBOL, 2_000, 10));
            }
            heard.clear();
            give(c -> c.market(SYMBOL, 3_000, 11, BID, MatchingService.RESERVE));
            server.invoke();
        }
        assertEquals(1, letters.size());
        assertEquals(1, capacityException(letters.get(0)).lost());
        assertEquals(CAPACITY, heard.size());
        assertTrue(heard.get(CAPACITY - 1).endsWith("RESULT 3000/11 SUCCESS 32"), heard::toString);
    }

    @Test
    void shouldReportThatTheQueueBehindTheSourceIsTooSmall()
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.spsc(4)).to("hear", hears)));
        giveOrders(1, 6);
        server.invoke();
        assertEquals(2, letters.size());
        assertTrue(capacityException(letters.get(0)).isExecuted());
        assertTrue(letters.get(0).getMessage().contains("and its RESULT"), () -> letters.get(0).getMessage());
        server.close();
        assertEquals(4, heard.size());
        assertEquals(6, service.engine().book(SYMBOL).orderCount());
        assertEquals(CAPACITY, server.counters().value("executions.pool.available"),
            "unreported executions are back in the pool");
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldWaitInTheMiddleOfALongSweepUnderBlock()
    {
        // On a busy machine the agent may not run for a while; that is no failure here.
        final Server server = Server.launch(context(ThreadingMode.DEDICATED).stallTimeoutNs(0)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).onFull(BackPressure.BLOCK).to("hear", hears)));
        giveOrders(0, LONG_SWEEP);
        give(c -> c.market(SYMBOL, 1_000, 11, BID, LONG_SWEEP));
        server.close();
        assertNull(server.failure());
        assertEquals(0, server.counters().value("matching.executions.lost"));
        assertEquals(List.of(), errors);
        assertEquals(LONG_SWEEP * 2 + 1, heard.size());
        assertEquals(LONG_SWEEP + ": RESULT 1000/11 SUCCESS " + LONG_SWEEP, heard.get(LONG_SWEEP * 2));
    }

    @Test
    void shouldNotWaitForAReaderOnItsOwnAgent()
    {
        final CountDownLatch given = new CountDownLatch(1);
        final Server server = Server.launch(context(ThreadingMode.SHARED)
            .flow("commands", f -> f.from(commands)
                .to("gate", (event, sequence, endOfBatch) -> given.await()).to("match", service, "gate"))
            .flow("executions", f -> f.from(executions).onFull(BackPressure.BLOCK).to("hear", hears)));
        // Behind the gate they come as one batch.
        giveOrders(1, 2 * CAPACITY);
        given.countDown();
        Await.until("the server fails", () -> server.failure() != null);
        server.close();
        final ExecutionCapacityException reported = capacityException(server.failure().getCause());
        assertFalse(reported.isExecuted());
        assertEquals(reported.commandSequence(), heard.size() + server.counters().value("executions.undelivered"));
        assertEquals(reported.commandSequence(), service.engine().book(SYMBOL).orderCount());
    }

    @ParameterizedTest
    @CsvSource({"DROP_NEWEST,dropped", "DROP_OLDEST,displaced"})
    void shouldLeaveTheCountOfDroppedEventsToTheFlow(final BackPressure policy, final String counter)
    {
        try (Server server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.spsc(CAPACITY / 2)).onFull(policy)
                .to("hear", hears))))
        {
            giveOrders(0, CAPACITY + 10);
            server.invoke();
            assertTrue(server.counters().value("executions." + counter) >= 10);
            assertEquals(CAPACITY + 10, heard.size() + server.counters().value("executions." + counter));
            assertEquals(0, server.counters().value("matching.executions.lost"));
            assertEquals(CAPACITY + 10, server.counters().value("matching.commands.SUCCESS"));
        }
        assertEquals(List.of(), errors);
        assertEquals(CAPACITY + 10, service.engine().book(SYMBOL).orderCount());
    }

    @Test
    void shouldReportEverythingAtCloseWhenTheCommandsAreDeclaredFirst()
    {
        final Server server = launchOnOneThread(ErrorPolicy.STOP_SERVER);
        giveOrders(1, FILL);
        server.close();
        assertEquals(FILL, heard.size());
        assertEquals(List.of(), errors);
        assertEquals(CAPACITY, server.counters().value("executions.pool.available"));
        assertEquals(0, server.counters().value("executions.pool.abandoned"));
    }

    @Test
    void shouldFailLoudlyWhenCommandsAreDeclaredLastAndHalfAreInFlight()
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("executions", f -> f.from(executions).to("hear", hears))
            .flow("commands", f -> f.from(commands).to("match", service)));
        giveOrders(1, 5);
        server.invoke();
        server.invoke();
        giveOrders(6, 5);
        server.close();
        assertEquals(5, heard.size());
        final ExecutionCapacityException reported = capacityException(server.failure().getCause());
        assertEquals(5, reported.commandSequence());
        assertFalse(reported.isExecuted());
        assertTrue(reported.getMessage().contains("declare the commands' flow before it"), reported::getMessage);
        assertEquals(5, service.engine().book(SYMBOL).orderCount(), "the books contain only reported changes");
    }

    @Test
    void shouldFinishACommandWhoseInlineHandlerThrows()
    {
        final IllegalStateException thrown = new IllegalStateException("thrown by a handler of executions");
        final Server server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) ->
                {
                    if (event.kind() == ExecutionKind.TRADE)
                    {
                        throw thrown;
                    }
                    hears.onEvent(event, sequence, endOfBatch);
                })));
        giveOrders(1, 3);
        give(c -> c.market(SYMBOL, 1_000, 11, BID, 3));
        give(c -> c.limit(SYMBOL, 1_001, 11, BID, 1, 1));
        server.invoke();
        assertEquals(3, heard.size());
        assertEquals(1, server.counters().value("hear.errors"));
        assertEquals(0, service.engine().book(SYMBOL).orderCount(), "no order was left half traded");
        assertSame(thrown, server.failure().getCause());
        final ExecutionCapacityException reported = errors.stream().map(Throwable::getCause)
            .filter(ExecutionCapacityException.class::isInstance).map(ExecutionCapacityException.class::cast)
            .findFirst().orElseThrow();
        assertEquals(3, reported.commandSequence());
        assertTrue(reported.isExecuted());
        server.close();
    }
}
