package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.testing.TestServer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Executions name the symbol of their order, whatever symbol the command names: order ids are unique within a symbol
 * only.
 */
class TickSymbolTest
{
    @Test
    void shouldReportTheBookOfEachExpiredOrder()
    {
        final List<String> heard = new ArrayList<>();
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 16);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
        final MatchingService service = new MatchingService("matching",
            new EngineContext().symbol(SymbolSpec.spot(8)).symbol(SymbolSpec.spot(5)), executions);
        try (TestServer test = TestServer.start(new Server.Context()
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct()).to("hear",
                (event, sequence, endOfBatch) -> heard.add(event.symbol() + " " + ExecutionText.of(event))))))
        {
            commands.publish(commands.claim().goodTillDate(8, 1, 7, Side.ASK, 101, 3, 50));
            commands.publish(commands.claim().goodTillDate(5, 1, 7, Side.BID, 99, 4, 60));
            commands.publish(commands.claim().tick(60));
            test.awaitIdle();
        }
        assertEquals(List.of("8 0: RESULT 1/7 SUCCESS 0", "5 1: RESULT 1/7 SUCCESS 0",
            "5 2: REDUCE 4@99 BID 1/7+ reserve 99", "8 2: REDUCE 3@101 ASK 1/7+ reserve 0",
            "0 2: RESULT 0/0 SUCCESS 2"), heard);
    }

    @Test
    void shouldReportTheBookOfAnOrderThatExpiresBeforeAnotherSymbolsCommand()
    {
        final List<String> heard = new ArrayList<>();
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 16);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
        final SymbolTerms terms = SymbolTerms.spot(1, 2, 1, 1);
        final MatchingService service = new MatchingService("matching", new EngineContext()
            .risk(new RiskLimits().withUsers(4)).symbol(SymbolSpec.spot(8), terms).symbol(SymbolSpec.spot(5), terms),
            executions);
        try (TestServer test = TestServer.start(new Server.Context()
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct()).to("hear",
                (event, sequence, endOfBatch) -> heard.add(event.symbol() + " " + ExecutionText.of(event))))))
        {
            commands.publish(commands.claim().addUser(7));
            commands.publish(commands.claim().adjustBalance(7, 2, 1_000, 1));
            commands.publish(commands.claim().goodTillDate(8, 1, 7, Side.BID, 100, 3, 50));
            commands.publish(commands.claim().goodTillDate(5, 1, 7, Side.BID, 100, 4, 60));
            test.awaitIdle();
            heard.clear();
            commands.publish(commands.claim().limit(5, 2, 7, Side.BID, 100, 10).timestampNs(55));
            commands.publish(commands.claim().adjustBalance(7, 2, -400, 2).timestampNs(60));
            test.awaitIdle();
        }
        assertEquals(List.of("8 4: REDUCE 3@100 BID 1/7+ reserve 100", "5 4: RESULT 2/7 RISK_NSF 1",
            "5 5: REDUCE 4@100 BID 1/7+ reserve 100", "2 5: RESULT 2/7 SUCCESS 1"), heard);
    }
}
