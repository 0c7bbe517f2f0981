package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BusySpinIdleStrategy;

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
    public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter)
    {
        final InVmSource<RateEvent> source = new InVmSource<>(RateEvent::new, plan.capacity());
        final Server.Context context = flow(source, meter).threadingMode(ThreadingMode.DEDICATED).agent(STAGE, agent ->
        {
            agent.idle(new BusySpinIdleStrategy());
            if (plan.handlerCpu() != Pinning.NONE)
            {
                agent.cpu(plan.handlerCpu());
            }
        });
        return path(context, source, meter);
    }

    @Override
    public PathUnderTest<?> openOnOneThread(final RoundPlan plan, final MessageMeter meter)
    {
        final InVmSource<RateEvent> source = new InVmSource<>(RateEvent::new, plan.capacity());
        return path(flow(source, meter).threadingMode(ThreadingMode.INVOKER), source, meter);
    }

    private static Server.Context flow(final InVmSource<RateEvent> source, final MessageMeter meter)
    {
        final MeterHandler handler = new MeterHandler(meter);
        return new Server.Context().flow(FLOW, flow -> flow.from(source).through(Pipelines.ring()).to(STAGE, handler));
    }

    private static PathUnderTest<?> path(
        final Server.Context context, final InVmSource<RateEvent> source, final MessageMeter meter)
    {
        return new ServerPath<>(
            Server.launch(context), source, List.of(FLOW), () -> meter.ledger().executions());
    }
}
