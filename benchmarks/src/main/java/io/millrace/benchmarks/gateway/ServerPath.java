package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.serial.SerialSource;
import io.millrace.gateway.udp.UdpEndpoint;
import io.millrace.gateway.udp.UdpSource;
import io.millrace.server.EventSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.pipeline.EventHandler;

import java.nio.file.Path;

/**
 * The gateway: a source on a server, and a handler on the same agent, or on an agent of its own.
 */
final class ServerPath extends QuotePath
{
    private static final int CAPACITY = 4_096;
    /** Of the flow, and the beginning of its source's name. */
    private static final String FLOW = "quotes";

    private final UdpSource udp;
    private final SerialSource serial;
    private final Server server;
    private long serialSequence;

    private ServerPath(final UdpSource udp, final SerialSource serial, final EventSource<BboEvent> source,
        final Place place)
    {
        this.udp = udp;
        this.serial = serial;
        server = Server.launch(new Server.Context()
            .flow(FLOW, f -> f.from(BboEvent::new, CAPACITY, source)
                .through(place.twoAgents() ? Pipelines.ring() : Pipelines.direct()).to("measure", handler()))
            .idle(() -> place.idle())
            .agent(FLOW + "-source", agent -> ServerUnderTest.pin(agent, place.cpu())));
    }

    static ServerPath udp(final Place place)
    {
        final UdpSource source = new UdpSource(UdpEndpoint.loopback(0));
        if (place.priority() != 0)
        {
            source.realTime(place.priority());
        }
        return new ServerPath(source, null, source, place);
    }

    static ServerPath serial(final Path device, final Place place)
    {
        final SerialSource source = new SerialSource(device);
        if (place.priority() != 0)
        {
            source.realTime(place.priority());
        }
        return new ServerPath(null, source, source, place);
    }

    private EventHandler<BboEvent> handler()
    {
        return new EventHandler<>()
        {
            @Override
            public void onStart()
            {
                started();
            }

            @Override
            public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
            {
                final long nowNs = System.nanoTime();
                final boolean isSerial = serial != null;
                handle(isSerial ? ++serialSequence : event.sequence(), isSerial ? 1 : event.sendTimeNs(),
                    nowNs - event.receiveTimeNs(), nowNs);
            }
        };
    }

    @Override
    int port()
    {
        return udp.port(0);
    }

    @Override
    long lost()
    {
        return udp == null ? serial.malformed() : udp.sequences().lost();
    }

    @Override
    String realTime()
    {
        return udp == null ? serial.realTimeResult() : udp.realTimeResult();
    }

    @Override
    public void close()
    {
        server.close();
    }
}
