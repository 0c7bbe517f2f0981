package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.PaddedLong;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ServiceContext;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Copies each event into the queue of every sink. It is the handler of the stage that sees the gateway's events; each
 * sink is the only stage of a flow of its own, which an agent of the sink's name runs.
 * <pre>
 *  source --ring--&gt; fan-out --copy--&gt; queue "tcp"  --&gt; agent "tcp":  TcpSink
 *                           --copy--&gt; queue "mqtt" --&gt; agent "mqtt": MqttSink
 * </pre>
 * The copies come from a pool of each sink, because an event of the ring must not be kept. The fan-out never waits: a
 * full queue applies its {@link SinkQueue} policy. After the server has drained and closed, for each sink NAME:
 * {@code NAME.offered = NAME.handled + NAME.displaced + NAME.dropped + NAME.rejected + NAME.undelivered}.
 * <p>
 * An event without a sequence (0) gets the fan-out's own number: 1, 2, 3 and so on, in session 0.
 */
public final class SinkFanOut implements HandlerService<BboEvent>
{
    private static final class Branch
    {
        final String name;
        final Sink sink;
        final SinkQueue queue;
        final InVmSource<BboEvent> source;
        final PaddedLong offered = new PaddedLong(0);

        Branch(final String name, final Sink sink, final SinkQueue queue)
        {
            this.name = Objects.requireNonNull(name, "name");
            this.sink = Objects.requireNonNull(sink, "sink");
            this.queue = Objects.requireNonNull(queue, "queue");
            source = queue.newSource();
        }

        void offer(final BboEvent event, final long number)
        {
            offered.addOpaque(1);
            final BboEvent copy = source.claim();
            if (copy != null)
            {
                copy.copyOf(event);
                if (copy.sequence() == 0)
                {
                    copy.position(0, number);
                }
                if (!source.publish(copy))
                {
                    copy.release();
                }
            }
        }
    }

    private final String name;
    private final List<Branch> added = new ArrayList<>();
    private Branch[] branches = {};
    private long number;

    /**
     * A fan-out without a sink.
     *
     * @param name of the service, unique in its server.
     */
    public SinkFanOut(final String name)
    {
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Add a sink. Before {@link #addTo}.
     *
     * @param sinkName name of the sink's flow, stage and agent, unique in the server.
     * @param sink     not used elsewhere.
     * @param queue    the queue in front of it.
     * @return this.
     */
    public SinkFanOut add(final String sinkName, final Sink sink, final SinkQueue queue)
    {
        if (branches.length > 0)
        {
            throw new IllegalStateException("sink '" + sinkName + "' is too late: the flows of the sinks are defined");
        }
        added.add(new Branch(sinkName, sink, queue));
        return this;
    }

    /**
     * Define a flow and an agent for each sink. Call it after the flow whose stage this fan-out is, because flows are
     * drained in the order of their definition.
     *
     * @param context of the server.
     * @return the context.
     */
    public Server.Context addTo(final Server.Context context)
    {
        for (final Branch branch : added)
        {
            context.flow(branch.name, start -> branch.queue.flow(start, branch.source).to(branch.name, branch.sink));
            context.agent(branch.name, agent -> agent.onError(ErrorPolicy.SKIP_AND_RECORD));
        }
        branches = added.toArray(new Branch[0]);
        return context;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Class<BboEvent> eventType()
    {
        return BboEvent.class;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        if (branches.length < added.size())
        {
            throw new IllegalStateException(
                "the sinks of fan-out '" + name + "' have no flows: call addTo with the context of this server");
        }
        for (final Branch branch : added)
        {
            context.counters().add(branch.name + ".offered", "events that the fan-out offered to the sink's queue",
                branch.offered::getOpaque);
            branch.sink.status().addTo(context.counters(), branch.name);
            branch.sink.addCounters(context.counters(), branch.name);
        }
    }

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        number++;
        final Branch[] all = branches;
        for (int i = 0; i < all.length; i++)
        {
            all[i].offer(event, number);
        }
    }

    /**
     * The sinks that are not UP, so that the server is DEGRADED. Closed ones do not count: an operator may have removed
     * their flows.
     *
     * @return name, health and reason of each, with semicolons between; null for none. Any thread.
     */
    @Override
    public String problem()
    {
        final StringBuilder text = new StringBuilder();
        for (final Branch branch : branches)
        {
            final String problem = branch.sink.status().problem();
            if (problem != null)
            {
                text.append(text.length() == 0 ? "" : "; ").append(branch.name).append(" is ").append(problem);
            }
        }
        return text.length() == 0 ? null : text.toString();
    }

    /**
     * One line for each sink: its name, health and reason.
     *
     * @return the lines; any thread may call.
     */
    public String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (final Branch branch : added)
        {
            text.append(branch.name).append(' ').append(branch.sink.status().describe()).append('\n');
        }
        return text.toString();
    }
}
