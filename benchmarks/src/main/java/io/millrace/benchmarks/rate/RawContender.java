package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;

/**
 * Opens raw rings, drained by a plain busy-spinning thread.
 */
final class RawContender implements Contender
{
    @Override
    public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter)
    {
        return new RawPath(plan, meter, true);
    }

    @Override
    public PathUnderTest<?> openOnOneThread(final RoundPlan plan, final MessageMeter meter)
    {
        return new RawPath(plan, meter, false);
    }

    private static final class RawPath implements PathUnderTest<PlainEvent>
    {
        private final RawRing ring;
        private final MessageMeter meter;
        private final Thread thread;
        private volatile boolean closed;

        RawPath(final RoundPlan plan, final MessageMeter meter, final boolean ownThread)
        {
            ring = new RawRing(plan.capacity());
            this.meter = meter;
            if (ownThread)
            {
                thread = new Thread(() -> run(plan.handlerCpu()), "handle");
                thread.setDaemon(true);
                thread.start();
            }
            else
            {
                thread = null;
                meter.onStart();
            }
        }

        private void run(final int cpu)
        {
            Pinning.pinCurrentThread(cpu);
            meter.onStart();
            while (!closed)
            {
                if (ring.drain(meter) == 0)
                {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public MessageOutlet<PlainEvent> outlet()
        {
            return ring;
        }

        @Override
        public int handle()
        {
            return ring.drain(meter);
        }

        @Override
        public long dropped()
        {
            return 0;
        }

        @Override
        public Executions executions()
        {
            return meter.ledger().executions();
        }

        @Override
        public void close()
        {
            closed = true;
            if (thread != null)
            {
                try
                {
                    thread.join();
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
