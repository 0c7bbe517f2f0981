package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.FeedHash;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Commands in, market data out, through a real server on one thread.
 */
class MarketDataPublisherTest
{
    private static final int GOLD = 7;
    private static final int SILVER = 8;

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 16);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
    private final InVmSource<MarketDataEvent> changes = new InVmSource<>(MarketDataEvent::new, 8);
    private final MarketDataPublisher publisher = new MarketDataPublisher(changes);
    private final List<String> heard = new ArrayList<>();
    private final TreeMap<Long, Long> asks = new TreeMap<>();
    private final List<Throwable> errors = new ArrayList<>();
    private long asOf;
    private boolean throwing;

    private Server launch(final UnaryOperator<Flow<MarketDataEvent>> through)
    {
        final MatchingService service = new MatchingService("matching", new EngineContext()
            .symbol(SymbolSpec.future(GOLD)).symbol(SymbolSpec.future(SILVER)).marketData(publisher), executions);
        return Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .service(publisher)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("answers", (event, sequence, endOfBatch) -> answer(event)))
            .flow("changes", f -> through.apply(f.from(changes))
                .to("hear", (event, sequence, endOfBatch) -> change(event))));
    }

    private void answer(final ExecutionEvent event)
    {
        if (event.kind() == ExecutionKind.LEVEL)
        {
            asks.put(event.price(), event.size());
        }
        else if (event.kind() == ExecutionKind.RESULT && event.levelSequence() > 0)
        {
            asOf = event.levelSequence();
        }
    }

    private void change(final MarketDataEvent event)
    {
        if (throwing)
        {
            throw new IllegalStateException("the reader is ill");
        }
        heard.add(event.symbol() + " " + MarketDataKind.name(event.kind()) + " " + event.sequence() + ": " +
            event.orderId() + " " + event.size() + "@" + event.price() + " " + event.orderCount());
        if (event.kind() == MarketDataKind.LEVEL_CHANGED && asOf > 0 && event.sequence() > asOf)
        {
            assertEquals(asOf + 1, event.sequence());
            asOf = event.sequence();
            if (event.size() == 0)
            {
                asks.remove(event.price());
            }
            else
            {
                asks.put(event.price(), event.size());
            }
        }
    }

    private void give(final Server server, final UnaryOperator<OrderCommand> filler)
    {
        commands.publish(filler.apply(commands.claim()));
        server.invoke();
    }

    @Test
    void shouldPublishTheChangesOfEachSymbolWithItsOwnSequences()
    {
        try (Server server = launch(f -> f.through(Pipelines.direct())))
        {
            give(server, c -> c.limit(GOLD, 1, 10, ASK, 101, 5));
            give(server, c -> c.limit(SILVER, 1, 10, ASK, 30, 5));
            give(server, c -> c.immediate(GOLD, 2, 11, BID, 101, 3));
            assertEquals(List.of(
                "7 ORDER_ADDED 1: 1 5@101 0", "7 LEVEL_CHANGED 1: 0 5@101 1",
                "8 ORDER_ADDED 1: 1 5@30 0", "8 LEVEL_CHANGED 1: 0 5@30 1",
                "7 ORDER_REDUCED 2: 1 2@101 0", "7 LEVEL_CHANGED 2: 0 2@101 1"), heard);
            assertEquals(3, server.counters().value("market-data.orders"));
            assertEquals(3, server.counters().value("market-data.levels"));
            assertEquals(0, server.counters().value("market-data.lost"));
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldStartALateReaderFromAFullSnapshot()
    {
        try (Server server = launch(f -> f.through(Pipelines.direct())))
        {
            give(server, c -> c.limit(GOLD, 1, 10, ASK, 101, 5));
            give(server, c -> c.limit(GOLD, 2, 10, ASK, 102, 6));
            give(server, c -> c.orderBook(GOLD, -1));
            assertEquals(2, asOf);
            give(server, c -> c.limit(GOLD, 3, 10, ASK, 102, 1));
            give(server, c -> c.cancel(GOLD, 1, 10));
            assertEquals(Map.of(102L, 7L), asks);
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldCountEventsWithoutCapacityAndContinue()
    {
        try (Server server = launch(f -> f.onFull(BackPressure.FAIL)))
        {
            for (int i = 1; i <= 16; i++)
            {
                final int id = i;
                commands.publish(commands.claim().limit(GOLD, id, 10, ASK, 100 + id, 5));
            }
            server.invoke();
            server.invoke();
            final long lost = server.counters().value("market-data.lost");
            assertTrue(lost > 0 && lost <= 24, "lost: " + lost);
            assertEquals(32 - lost, heard.size());
            assertEquals(16, server.counters().value("market-data.orders"));
            assertEquals(16, server.counters().value("matching.commands.SUCCESS"));
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReportInTheHealthThatNoFlowTakesTheChanges()
    {
        final MatchingService service = new MatchingService("matching", new EngineContext()
            .symbol(SymbolSpec.future(GOLD)).marketData(publisher), executions);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .service(publisher)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("answers", (event, sequence, endOfBatch) -> answer(event)))))
        {
            assertEquals("UP", server.health().toString());
            give(server, c -> c.limit(GOLD, 1, 10, ASK, 101, 5));
            assertEquals(2, server.counters().value("market-data.lost"));
            assertEquals("DEGRADED: service 'market-data': changes are lost: java.lang.IllegalStateException: this " +
                "source belongs to no launched server: launch a server with a flow from it first",
                server.health().toString());
        }
    }

    /** The pipeline has released the event then. */
    @Test
    void shouldReleaseNoChangeTwiceWhenItsKeyCannotBeFound()
    {
        try (Server server = launch(f -> f.through(Pipelines.conflating(4, event ->
        {
            throw new IllegalStateException("no key");
        }))))
        {
            give(server, c -> c.limit(GOLD, 1, 10, ASK, 101, 5));
            assertEquals(2, server.counters().value("market-data.lost"));
            assertEquals(2, server.counters().value("changes.rejected"));
            assertEquals(0, server.counters().value("changes.pool.doubleReleases"));
            assertNull(server.failure());
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldKeepTheBookUsableWhenAReaderThrows()
    {
        try (Server server = launch(f -> f.through(Pipelines.direct())))
        {
            assertNull(publisher.firstFailure());
            throwing = true;
            give(server, c -> c.limit(GOLD, 1, 10, ASK, 101, 5));
            // The error policy stops the server; the command was executed and answered.
            assertEquals("the reader is ill", server.failure().getCause().getMessage());
            assertNull(publisher.firstFailure());
            assertEquals(1, server.counters().value("market-data.lost"), "its flow takes nothing after that");
            assertEquals(8, server.counters().value("changes.pool.available"));
            assertEquals(1, server.counters().value("matching.commands.SUCCESS"));
        }
    }

    /** A journal replays a reset as well. */
    @Test
    void shouldStayMutedAfterAReset()
    {
        final FeedHash feed = new FeedHash();
        final MatchingEngine engine = new MatchingService("matching", new EngineContext()
            .symbol(SymbolSpec.future(GOLD)).marketData(feed), executions).engine();
        final BookCommand order = new BookCommand().place(OrderType.GTC, ASK).orderId(1).uid(10).price(101).size(5);
        engine.muteMarketData(true);
        engine.reset();
        assertEquals(CommandResult.SUCCESS, engine.execute(GOLD, order));
        assertEquals(0, feed.count);
        engine.muteMarketData(false);
        assertEquals(CommandResult.SUCCESS, engine.execute(GOLD, order.orderId(2)));
        assertTrue(feed.count > 0);
    }

    @Test
    void shouldExecuteNothingAfterAListenerThrewDuringACommand()
    {
        final List<Throwable> dead = new ArrayList<>();
        final MatchingService service = new MatchingService("matching", new EngineContext()
            .symbol(SymbolSpec.future(GOLD)).marketData(symbol -> new PoisonedMarketData()), executions);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .onError(ErrorPolicy.SKIP_AND_RECORD).deadLetters((stage, sequence, event, cause) -> dead.add(cause))
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("answers", (event, sequence, endOfBatch) -> answer(event)))))
        {
            give(server, c -> c.limit(GOLD, PoisonedMarketData.POISON, 10, ASK, 101, 5));
            give(server, c -> c.cancel(GOLD, 99, 10));
            assertEquals(0, server.counters().value("matching.commands.UNKNOWN_ORDER"));
        }
        assertEquals(2, dead.size());
        assertTrue(dead.get(0).toString().contains("poison"), dead.get(0).toString());
        assertTrue(dead.get(1).getMessage().contains("command 1 was not executed"), dead.get(1).getMessage());
    }

    @Test
    void shouldReportSomething()
    {
        assertThrows(IllegalArgumentException.class, () -> new MarketDataPublisher("feed", changes, false, false));
    }
}
