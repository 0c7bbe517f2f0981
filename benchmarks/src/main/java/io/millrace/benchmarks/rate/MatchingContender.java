package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BusySpinIdleStrategy;

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
    public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter)
    {
        final Parts parts = new Parts(plan, meter);
        return parts.launch(parts.flows().threadingMode(ThreadingMode.DEDICATED).agent(MATCH, agent ->
        {
            agent.hosts(MATCH, METER).idle(new BusySpinIdleStrategy());
            if (plan.handlerCpu() != Pinning.NONE)
            {
                agent.cpu(plan.handlerCpu());
            }
        }));
    }

    @Override
    public PathUnderTest<?> openOnOneThread(final RoundPlan plan, final MessageMeter meter)
    {
        final Parts parts = new Parts(plan, meter);
        return parts.launch(parts.flows().threadingMode(ThreadingMode.INVOKER));
    }

    /** What one server is made of. */
    private static final class Parts
    {
        private final InVmSource<RateCommand> orders;
        // Taken inside of the command that gives them: the fewest are the best, they stay in the nearest cache.
        private final InVmSource<ExecutionEvent> executions =
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        private final MatchingService service = new MatchingService(List.of(MatchingHandler.SYMBOL), executions);
        private final ExecutionCheck check = new ExecutionCheck();
        private final MeterHandler meter;

        Parts(final RoundPlan plan, final MessageMeter meter)
        {
            orders = new InVmSource<>(RateCommand::new, plan.capacity());
            this.meter = new MeterHandler(meter);
        }

        Server.Context flows()
        {
            return new Server.Context()
                .flow(ORDERS, flow ->
                    flow.from(orders).through(Pipelines.ring()).to(MATCH, service).to(METER, meter, MATCH))
                .flow(EXECUTIONS, flow -> flow.from(executions).through(Pipelines.direct()).to(CHECK, check));
        }

        PathUnderTest<?> launch(final Server.Context context)
        {
            return new ServerPath<>(Server.launch(context), orders, List.of(ORDERS, EXECUTIONS), this::executions);
        }

        /** The meter's count, which the reader has waited for, comes behind the match of the same command. */
        private Executions executions()
        {
            return check.executions(service.engine().book(MatchingHandler.SYMBOL.symbol()).orderCount());
        }
    }
}
