package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.util.List;

/**
 * Opens servers that match, as an application would: pooled order commands from an in-VM source through the ring to
 * the matching service, whose executions go out through a second flow.
 * <pre>
 *  source thread          agent "match", busy spin
 *  InVmSource --ring--&gt; match (MatchingService) -&gt; meter
 *                           \--direct--&gt; check (ExecutionCheck)
 * </pre>
 * The meter comes after the match, so a latency ends when the command and its executions are done with. It is given
 * the empty handler. The executions are taken on the same agent: two cores cannot run a third busy thread.
 */
final class MatchingContender implements Contender
{
    private static final String ORDERS = "orders";
    private static final String EXECUTIONS = "executions";
    private static final String MATCH = "match";
    private static final String METER = "meter";
    private static final String CHECK = "check";

    @Override
    public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter, final boolean isOnThread)
    {
        final InVmSource<RateCommand> orders = new InVmSource<>(RateCommand::new, plan.capacity());
        // Taken inside of the command that gives them: the fewest are the best, they stay in the nearest cache.
        final InVmSource<ExecutionEvent> executions =
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        final MatchingService service = new MatchingService(List.of(MatchingHandler.SYMBOL), executions);
        final ExecutionCheck check = new ExecutionCheck();
        final Server.Context context = new Server.Context()
            .flow(ORDERS, flow ->
                flow.from(orders).through(Pipelines.ring()).to(MATCH, service).to(METER, meter, MATCH))
            .flow(EXECUTIONS, flow -> flow.from(executions).through(Pipelines.direct()).to(CHECK, check));
        // The meter's count, which the reader has waited for, comes behind the match of the same command.
        return new ServerPath<>(ServerPath.launch(context, plan, isOnThread, MATCH, METER), orders,
            List.of(ORDERS, EXECUTIONS),
            () -> check.executions(service.engine().book(MatchingHandler.SYMBOL.symbol()).orderCount()));
    }
}
