package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.util.List;

/**
 * Opens servers as an application would: an in-VM source of pooled events, the ring, a handler on an agent of its
 * own. All settings but the agent's CPU and its busy spin are the defaults.
 */
final class ServerContender implements Contender
{
    private static final String FLOW = "rate";
    private static final String STAGE = "handle";

    @Override
    public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter, final boolean isOnThread)
    {
        final InVmSource<RateEvent> source = new InVmSource<>(RateEvent::new, plan.capacity());
        final Server.Context context = new Server.Context()
            .flow(FLOW, flow -> flow.from(source).through(Pipelines.ring()).to(STAGE, meter));
        return new ServerPath<>(ServerPath.launch(context, plan, isOnThread, STAGE), source, List.of(FLOW),
            () -> meter.ledger().executions());
    }
}
