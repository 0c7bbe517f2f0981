package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes for every command with users, balances and reports, on the one thread that gives and handles them; {@link
 * ServiceAllocationTest} shows the same for the threads between them.
 */
@Tag("normal")
class RiskAllocationTest
{
    private static final int WARM_UP_ROUNDS = 4_096;
    private static final int ROUNDS = 4_096;
    private static final int MAX_WINDOWS = 6;

    private final List<Throwable> errors = new ArrayList<>();
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, RiskMix.ROUND);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
    private final MatchingService service = new MatchingService("risk", RiskMix.context(), executions);
    private final long[] kinds = new long[ExecutionKind.count()];
    private final long[] results = new long[CommandResult.values().length];
    private final boolean[] given = new boolean[CommandType.OPEN_ORDERS + 1];
    private long round;

    private void hear(final ExecutionEvent event)
    {
        kinds[event.kind()]++;
        if (event.kind() == ExecutionKind.RESULT)
        {
            results[event.resultCode()]++;
        }
    }

    private void pass(final Server server, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            for (int step = 0; step < RiskMix.ROUND; step++)
            {
                final OrderCommand command = commands.claim();
                RiskMix.fill(command, round, step);
                given[command.commandType()] = true;
                commands.publish(command);
            }
            round++;
            server.invoke();
        }
    }

    @Test
    void shouldAllocateNothingWithUsersAndReports()
    {
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> hear(event))));
        for (int step = 0; step < RiskMix.START; step++)
        {
            final OrderCommand command = commands.claim();
            RiskMix.start(command, step);
            commands.publish(command);
        }
        server.invoke();
        pass(server, WARM_UP_ROUNDS);
        AllocationWindows.assertNothing(
            ROUNDS * RiskMix.ROUND + " commands", MAX_WINDOWS, () -> pass(server, ROUNDS));
        server.close();
        assertEquals(List.of(), errors);
        service.engine().verify();
        assertEquals(0, service.engine().book(RiskMix.SPOT).orderCount());
        assertEquals(0, service.engine().book(RiskMix.FUTURE).orderCount());
        assertEverythingTookPlace();
    }

    private void assertEverythingTookPlace()
    {
        for (byte kind = 0; ExecutionKind.isValid(kind); kind++)
        {
            assertTrue(kinds[kind] >= round, ExecutionKind.name(kind) + ": " + kinds[kind]);
        }
        for (byte type = CommandType.PLACE; CommandType.isValid(type); type++)
        {
            assertTrue(given[type], CommandType.name(type));
        }
        for (final CommandResult result : List.of(CommandResult.RISK_NSF, CommandResult.UNKNOWN_USER,
            CommandResult.ALREADY_APPLIED_MANY, CommandResult.USER_EXISTS, CommandResult.RISK_MARGIN,
            CommandResult.RESERVE_BELOW_PRICE, CommandResult.WRONG_TERMS, CommandResult.UNKNOWN_SYMBOL,
            CommandResult.UNKNOWN_COMMAND, CommandResult.RISK_OVERFLOW, CommandResult.ASK_BELOW_FEE,
            CommandResult.USER_HAS_BALANCE, CommandResult.SYMBOL_HALTED))
        {
            assertTrue(results[result.code()] >= round, result + ": " + results[result.code()]);
        }
    }
}
