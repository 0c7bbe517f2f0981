package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Commands in, executions out, through a real server on one thread.
 */
class MatchingServiceTest
{
    private static final int FUTURE = 7;
    private static final int SPOT = 8;
    private static final int TINY = 9;

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 16);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
    private final MatchingService service = new MatchingService(
        List.of(SymbolSpec.future(FUTURE), SymbolSpec.spot(SPOT), SymbolSpec.future(TINY).withOrderCapacity(1)),
        executions);
    private final List<String> heard = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private Server server;

    @BeforeEach
    void launch()
    {
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> heard.add(ExecutionText.of(event)))));
    }

    @AfterEach
    void shouldReportNothing()
    {
        server.close();
        assertEquals(List.of(), errors);
    }

    private List<String> give(final UnaryOperator<OrderCommand> filler)
    {
        heard.clear();
        commands.publish(filler.apply(commands.claim()));
        server.invoke();
        return List.copyOf(heard);
    }

    private void assertRefused(final CommandResult result, final UnaryOperator<OrderCommand> filler)
    {
        final long hash = service.engine().stateHash();
        final long before = count("matching.commands." + result);
        final List<String> answer = give(filler);
        assertEquals(1, answer.size(), answer::toString);
        assertTrue(answer.get(0).endsWith(" " + result + " 0"), answer::toString);
        assertEquals(hash, service.engine().stateHash(), "the state has changed");
        assertEquals(before + 1, count("matching.commands." + result));
    }

    private long count(final String counter)
    {
        return server.counters().value(counter);
    }

    @Test
    void shouldAnswerARestingOrderWithItsResultOnly()
    {
        assertEquals(List.of("0: RESULT 1/10 SUCCESS 0"), give(c -> c.limit(FUTURE, 1, 10, ASK, 100, 5)));
        assertEquals(100, service.engine().book(FUTURE).bestPrice(ASK));
    }

    @Test
    void shouldReportTheTradesOfACommandBeforeItsResult()
    {
        give(c -> c.limit(FUTURE, 1, 10, ASK, 100, 5));
        give(c -> c.limit(FUTURE, 2, 11, ASK, 101, 5));
        assertEquals(List.of(
            "2: TRADE 5@100 BID 3/12- of 1/10+ reserve 105",
            "2: TRADE 2@101 BID 3/12+ of 2/11- reserve 105",
            "2: RESULT 3/12 SUCCESS 2"), give(c -> c.limit(FUTURE, 3, 12, BID, 105, 7)));
        assertEquals(2, count("matching.executions.TRADE"));
        assertEquals(3, count("matching.commands.SUCCESS"));
    }

    @Test
    void shouldReportTheUntradedSizeOfAnImmediateOrder()
    {
        give(c -> c.limit(FUTURE, 1, 10, BID, 100, 5));
        assertEquals(List.of(
            "1: REJECT 3@99 ASK 2/11+ reserve 0",
            "1: TRADE 5@100 ASK 2/11- of 1/10+ reserve 100",
            "1: RESULT 2/11 SUCCESS 2"), give(c -> c.immediate(FUTURE, 2, 11, ASK, 99, 8)));
        assertEquals(1, count("matching.executions.REJECT"));
    }

    @Test
    void shouldReportTheRejectsOfMarketAndBudgetOrders()
    {
        assertEquals(List.of("0: REJECT 4@0 BID 1/10+ reserve 9223372036854775806", "0: RESULT 1/10 SUCCESS 1"),
            give(c -> c.market(FUTURE, 1, 10, BID, 4)));
        assertEquals(List.of("1: REJECT 4@400 BID 2/10+ reserve 400", "1: RESULT 2/10 SUCCESS 1"),
            give(c -> c.fillOrKillBudget(FUTURE, 2, 10, BID, 400, 4)));
        give(c -> c.limit(FUTURE, 3, 11, ASK, 100, 4));
        assertEquals(List.of("3: TRADE 4@100 BID 4/10+ of 3/11+ reserve 400", "3: RESULT 4/10 SUCCESS 1"),
            give(c -> c.fillOrKillBudget(FUTURE, 4, 10, BID, 400, 4)));
    }

    @Test
    void shouldReportReductionsAndCancels()
    {
        give(c -> c.limit(FUTURE, 1, 10, BID, 100, 5).reservePrice(120));
        assertEquals(List.of("1: REDUCE 2@100 BID 1/10- reserve 120", "1: RESULT 1/10 SUCCESS 1"),
            give(c -> c.reduce(FUTURE, 1, 10, 2)));
        assertEquals(List.of("2: REDUCE 3@100 BID 1/10+ reserve 120", "2: RESULT 1/10 SUCCESS 1"),
            give(c -> c.cancel(FUTURE, 1, 10)));
        assertEquals(2, count("matching.executions.REDUCE"));
        assertEquals(0, service.engine().book(FUTURE).orderCount());
    }

    @Test
    void shouldReportTheTradesOfAMove()
    {
        give(c -> c.limit(FUTURE, 1, 10, BID, 100, 5));
        give(c -> c.limit(FUTURE, 2, 11, ASK, 110, 2));
        assertEquals(List.of("2: RESULT 1/10 SUCCESS 0"), give(c -> c.move(FUTURE, 1, 10, 105)));
        assertEquals(List.of("3: TRADE 2@105 ASK 2/11+ of 1/10- reserve 100", "3: RESULT 2/11 SUCCESS 1"),
            give(c -> c.move(FUTURE, 2, 11, 103)));
    }

    @Test
    void shouldKeepSymbolsApart()
    {
        give(c -> c.limit(FUTURE, 1, 10, ASK, 100, 5));
        assertEquals(List.of("1: RESULT 1/11 SUCCESS 0"), give(c -> c.limit(SPOT, 1, 11, BID, 100, 5)));
    }

    @Test
    void shouldRefuseInvalidCommandsWithACodeAndKeepTheState()
    {
        give(c -> c.limit(FUTURE, 1, 10, ASK, 100, 5));
        give(c -> c.limit(SPOT, 1, 10, BID, 50, 5).reservePrice(60));
        give(c -> c.limit(TINY, 1, 10, BID, 50, 5));
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++)
        {
            final byte commandType = (byte)type;
            if (!CommandType.isValid(commandType))
            {
                assertRefused(CommandResult.UNKNOWN_COMMAND,
                    c -> c.set(commandType, OrderType.GTC, BID, FUTURE, 1, 10, 100, 5, 0, 0));
            }
        }
        assertRefused(CommandResult.UNKNOWN_SYMBOL, c -> c.limit(99, 2, 10, BID, 100, 5));
        assertRefused(CommandResult.UNKNOWN_SYMBOL, c -> c.cancel(99, 1, 10));
        assertRefused(CommandResult.UNKNOWN_SYMBOL, c -> c.reduce(99, 1, 10, 1));
        assertRefused(CommandResult.UNKNOWN_SYMBOL, c -> c.move(99, 1, 10, 1));
        assertRefused(CommandResult.UNKNOWN_ORDER_TYPE,
            c -> c.set(CommandType.PLACE, (byte)11, BID, FUTURE, 2, 10, 100, 5, 0, 0));
        assertRefused(CommandResult.WRONG_SIDE, c -> c.limit(FUTURE, 2, 10, (byte)2, 100, 5));
        assertRefused(CommandResult.WRONG_SIZE, c -> c.limit(FUTURE, 2, 10, BID, 100, 0));
        assertRefused(CommandResult.WRONG_SIZE, c -> c.reduce(FUTURE, 1, 10, 0));
        assertRefused(CommandResult.WRONG_PRICE, c -> c.limit(FUTURE, 2, 10, BID, -1, 5));
        assertRefused(CommandResult.DUPLICATE_ORDER, c -> c.limit(FUTURE, 1, 10, BID, 100, 5));
        assertRefused(CommandResult.UNKNOWN_ORDER, c -> c.cancel(FUTURE, 1, 11));
        assertRefused(CommandResult.UNKNOWN_ORDER, c -> c.move(FUTURE, 2, 10, 100));
        assertRefused(CommandResult.PRICE_OVER_RISK_LIMIT, c -> c.move(SPOT, 1, 10, 61));
        assertRefused(CommandResult.BOOK_FULL, c -> c.limit(TINY, 2, 10, BID, 50, 5));
        for (final CommandResult result : CommandResult.values())
        {
            assertTrue(result.compareTo(CommandResult.BOOK_FULL) > 0 ||
                count("matching.commands." + result) > 0, () -> "not tested: " + result);
        }
    }

    @Test
    void shouldRefuseAnUnfilledCommand()
    {
        assertEquals(List.of("0: RESULT 0/0 UNKNOWN_COMMAND 0"), give(c -> c));
    }

    @Test
    void shouldNumberCommandsLikeTheirPipeline()
    {
        commands.claim().release();
        assertEquals(List.of("1: RESULT 1/10 SUCCESS 0"), give(c -> c.limit(FUTURE, 1, 10, ASK, 100, 5)));
    }

    @Test
    void shouldRefuseInvalidArguments()
    {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new MatchingService(
            List.of(SymbolSpec.spot(1)), new InVmSource<>(ExecutionEvent::new, 32))).getMessage().contains("32"));
        assertThrows(IllegalArgumentException.class, () -> new MatchingService(List.of(), executions));
        assertThrows(IllegalArgumentException.class, () -> new MatchingService(
            List.of(SymbolSpec.spot(1), SymbolSpec.future(1)), executions));
    }

    @Test
    void shouldRefuseAResetUnlessAllowed()
    {
        give(c -> c.limit(FUTURE, 1, 10, ASK, 100, 5));
        assertRefused(CommandResult.UNKNOWN_COMMAND, c -> c.reset());
        service.allowReset();
        assertEquals(List.of("2: RESULT 0/0 SUCCESS 0"), give(c -> c.reset()));
        assertEquals(0, service.engine().book(FUTURE).orderCount());
    }

    @Test
    void shouldReportTheTimeOfTheCommandWithEachAnswer()
    {
        final List<Long> times = new ArrayList<>();
        final InVmSource<OrderCommand> source = new InVmSource<>(OrderCommand::new, 16);
        final InVmSource<ExecutionEvent> out = new InVmSource<>(ExecutionEvent::new, 64);
        try (Server other = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("commands", f -> f.from(source)
                .to("match", new MatchingService(List.of(SymbolSpec.spot(SPOT)), out)))
            .flow("executions", f -> f.from(out).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> times.add(event.commandTimeNs())))))
        {
            source.publish(source.claim().limit(SPOT, 1, 10, Side.ASK, 100, 5).timestampNs(17));
            source.publish(source.claim().cancel(SPOT, 1, 10).timestampNs(18));
            source.publish(source.claim().nop());
            other.invoke();
        }
        assertEquals(List.of(17L, 18L, 18L, 0L), times);
    }

    @Test
    void shouldReportTheMissingFlowOfAnUnwiredService()
    {
        final List<Throwable> reported = new ArrayList<>();
        final InVmSource<OrderCommand> source = new InVmSource<>(OrderCommand::new, 16);
        final MatchingService unwired = new MatchingService("unwired", List.of(SymbolSpec.spot(SPOT)),
            new InVmSource<>(ExecutionEvent::new, 64));
        try (Server other = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(reported::add).flow("commands", f -> f.from(source).to("match", unwired))))
        {
            source.publish(source.claim().limit(SPOT, 1, 10, ASK, 100, 5));
            other.invoke();
            assertNotNull(other.failure());
        }
        assertTrue(reported.get(0).getCause().getMessage().contains("belongs to no launched server"),
            reported::toString);
        assertEquals(0, unwired.engine().book(SPOT).orderCount());
    }

    @Test
    void shouldAcceptSubclassesOfItsCommands()
    {
        final class StampedCommand extends OrderCommand
        {
            private long stampNs;
        }

        final InVmSource<StampedCommand> source = new InVmSource<>(StampedCommand::new, 16);
        final InVmSource<ExecutionEvent> out = new InVmSource<>(ExecutionEvent::new, 64);
        final List<Long> stamps = new ArrayList<>();
        try (Server other = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("commands", f -> f.from(source)
                .to("match", new MatchingService(List.of(SymbolSpec.spot(SPOT)), out))
                .to("after", (event, sequence, endOfBatch) -> stamps.add(event.stampNs), "match"))
            .flow("executions", f -> f.from(out).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> heard.add(ExecutionText.of(event))))))
        {
            final StampedCommand command = source.claim();
            command.limit(SPOT, 1, 10, Side.ASK, 100, 5);
            command.stampNs = 17;
            source.publish(command);
            source.publish(source.claim().cancel(SPOT, 1, 10));
            source.publish(source.claim().limit(SPOT, 2, 10, Side.ASK, 100, 5).timestampNs(1));
            other.invoke();
        }
        assertEquals(List.of("0: RESULT 1/10 SUCCESS 0", "1: REDUCE 5@100 ASK 1/10+ reserve 0",
            "1: RESULT 1/10 SUCCESS 1", "2: RESULT 2/10 SUCCESS 0"), heard);
        assertEquals(List.of(17L, 0L, 0L), stamps);
        assertThrows(ClassCastException.class, () ->
        {
            final StampedCommand wrong = new OrderCommand().nop();
        });
    }
}
