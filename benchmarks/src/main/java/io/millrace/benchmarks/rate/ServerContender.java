package io.millrace.benchmarks.rate;

import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;

import org.agrona.concurrent.BusySpinIdleStrategy;

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
        return new ServerPath(Server.launch(context), source);
    }

    @Override
    public PathUnderTest<?> openOnOneThread(final RoundPlan plan, final MessageMeter meter)
    {
        final InVmSource<RateEvent> source = new InVmSource<>(RateEvent::new, plan.capacity());
        return new ServerPath(Server.launch(flow(source, meter).threadingMode(ThreadingMode.INVOKER)), source);
    }

    private static Server.Context flow(final InVmSource<RateEvent> source, final MessageMeter meter)
    {
        final EventHandler<RateEvent> handler = new MeterHandler(meter);
        return new Server.Context().flow(FLOW, flow -> flow.from(source).through(Pipelines.ring()).to(STAGE, handler));
    }

    private static final class MeterHandler implements EventHandler<RateEvent>
    {
        private final MessageMeter meter;

        MeterHandler(final MessageMeter meter)
        {
            this.meter = meter;
        }

        @Override
        public void onStart()
        {
            meter.onStart();
        }

        @Override
        public void onEvent(final RateEvent event, final long sequence, final boolean endOfBatch)
        {
            meter.onMessage(event);
        }
    }

    private static final class ServerPath implements PathUnderTest<RateEvent>, MessageOutlet<RateEvent>
    {
        private final Server server;
        private final InVmSource<RateEvent> source;

        ServerPath(final Server server, final InVmSource<RateEvent> source)
        {
            this.server = server;
            this.source = source;
        }

        @Override
        public MessageOutlet<RateEvent> outlet()
        {
            return this;
        }

        @Override
        public RateEvent claim()
        {
            return source.claim();
        }

        @Override
        public void publish(final RateEvent message)
        {
            if (!source.publish(message))
            {
                throw new IllegalStateException("the server refused an event that it had room for", server.failure());
            }
        }

        @Override
        public int handle()
        {
            return server.invoke();
        }

        @Override
        public long dropped()
        {
            return server.counters().value(FLOW + ".dropped");
        }

        @Override
        public void close()
        {
            server.close();
            if (server.failure() != null)
            {
                throw new IllegalStateException("the server failed", server.failure());
            }
        }
    }
}
