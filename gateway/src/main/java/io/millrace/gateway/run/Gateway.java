package io.millrace.gateway.run;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.itch.ItchBboSource;
import io.millrace.gateway.itch.ItchBook;
import io.millrace.gateway.itch.ItchBooks;
import io.millrace.gateway.itch.ItchDescriptor;
import io.millrace.gateway.itch.ItchFile;
import io.millrace.gateway.itch.ItchInput;
import io.millrace.gateway.itch.PcapFile;
import io.millrace.gateway.itch.PcapItchInput;
import io.millrace.gateway.serial.SerialSource;
import io.millrace.gateway.sink.TcpSink;
import io.millrace.gateway.udp.UdpEndpoint;
import io.millrace.gateway.udp.UdpSource;
import io.millrace.server.EventSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.metrics.HgrmWriter;
import io.millrace.server.monitor.AdminConsole;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A running gateway: one source, the outputs that were asked for, and the statistics. {@link GatewayMain} makes it.
 */
public final class Gateway
{
    private static final String FLOW = "bbo";
    private static final String SOURCE = FLOW + "-source";
    private static final int CAPACITY = 16_384;
    /** Counters that say nothing after the close. */
    private static final String NOT_REPORTED = ".*\\.(cycles|available|health)";
    /** Printed also when they are 0. */
    private static final String LOSS = SOURCE + "\\.(lost|malformed|kernelDrops|lossesOfInput)";
    private static final int POLL_MS = 20;
    /** A disk or a broker that is slow for less is none of the user's business. */
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(5);

    private final GatewayOptions options;
    private final PrintStream out;
    private final PrintStream err;
    private final GatewayStatistics statistics = new GatewayStatistics();
    private final CountDownLatch stop = new CountDownLatch(1);
    private UdpSource udp;
    private SerialSource serial;
    private ItchInput itch;
    private final EventSource<BboEvent> source;
    private final GatewaySinks sinks;
    private final Server server;
    /** Null: none. */
    private final AdminConsole console;
    private final long startNs = System.nanoTime();
    private final long startCpuNs = cpuNs();

    Gateway(final GatewayOptions options, final ItchBook.Factory books, final PrintStream out, final PrintStream err)
        throws IOException
    {
        this.options = options;
        this.out = out;
        this.err = err;
        sinks = new GatewaySinks(options, out);
        source = newSource(books);
        final Server.Context context = new Server.Context().name("gateway").threadingMode(ThreadingMode.DEDICATED)
            .stallTimeoutNs(STALL_NS)
            .errorHandler(failure -> err.println("gateway: " + GatewayMain.rootMessage(failure)));
        if (options.isBenchmark())
        {
            context.flow(FLOW, f -> f.from(BboEvent::new, CAPACITY, source).through(Pipelines.direct())
                .to("report", statistics));
        }
        else
        {
            context.flow(FLOW, f -> f.from(BboEvent::new, CAPACITY, source)
                .to("fan-out", sinks.fanOut()).to("report", statistics, "fan-out"));
            context.agent("fan-out", agent -> agent.hosts("fan-out", "report"));
            sinks.fanOut().addTo(context);
        }
        context.agent(SOURCE, agent ->
        {
            if (options.cpu() >= 0)
            {
                agent.cpu(options.cpu());
            }
            if (options.isBenchmark())
            {
                agent.idle(BusySpinIdleStrategy.INSTANCE);
            }
        });
        final int port = options.adminPort();
        console = port < 0 ? null : new AdminConsole(port);
        if (console != null)
        {
            context.service(console);
        }
        server = Server.launch(context);
        if (!options.isQuiet())
        {
            printStart();
        }
    }

    private EventSource<BboEvent> newSource(final ItchBook.Factory books) throws IOException
    {
        if (options.isItch())
        {
            return newItchSource(books);
        }
        if (options.isSerial())
        {
            serial = new SerialSource(options.input());
            return options.realTime() == 0 ? serial : serial.realTime(options.realTime());
        }
        final List<UdpEndpoint> lines = options.endpoints();
        udp = lines.size() == 1 ? new UdpSource(lines.get(0)) : new UdpSource(lines.get(0), lines.get(1));
        if (options.symbols().length > 0)
        {
            udp.knownSymbols(options.symbols());
        }
        return options.realTime() == 0 ? udp : udp.realTime(options.realTime());
    }

    private EventSource<BboEvent> newItchSource(final ItchBook.Factory books) throws IOException
    {
        if (books == null)
        {
            throw new IllegalArgumentException((options.isPcap() ? "--pcap" : "--itch") +
                ": this program has no order books; start the gateway from one that hands them in");
        }
        itch = options.isPcap() ? new PcapItchInput(new PcapFile(options.input())) : new ItchFile(options.input());
        final ItchBboSource made =
            new ItchBboSource(itch, new ItchBooks(books, options.symbols()), SystemNanoClock.INSTANCE);
        return options.speed() == 0 ? made : made.recordedPace(options.speed());
    }

    private void printStart()
    {
        if (udp == null)
        {
            out.println("input: " + options.input());
        }
        for (int i = 0; i < options.endpoints().size(); i++)
        {
            out.println("input: UDP port " + udp.port(i) + options.groupText(i));
        }
        if (options.cpu() >= 0)
        {
            out.println("receiving thread " + server.placements().get(SOURCE));
        }
        if (options.realTime() != 0)
        {
            out.println("receiving thread " + (udp == null ? serial.realTimeResult() : udp.realTimeResult()));
        }
        if (sinks.tcp() != null)
        {
            out.println("output: TCP port " + sinks.tcp().port());
        }
        if (console != null)
        {
            out.println("admin console on loopback, port " + console.port());
        }
        out.flush();
    }

    /**
     * Port of a UDP line.
     *
     * @param line 0 for the first, 1 for that of {@code --udp-b}.
     * @return the port; -1 with another input.
     */
    public int udpPort(final int line)
    {
        return udp == null ? -1 : udp.port(line);
    }

    /** @return the port of the TCP output; -1 without it. */
    public int tcpPort()
    {
        final TcpSink tcp = sinks.tcp();
        return tcp == null ? -1 : tcp.port();
    }

    /** @return the server, for its counters. */
    public Server server()
    {
        return server;
    }

    /** Ask the gateway to stop. Any thread; returns at once. */
    public void stop()
    {
        stop.countDown();
    }

    /** Returns when the gateway was stopped, its file has ended, its time is over or it has failed. */
    void awaitEnd() throws InterruptedException
    {
        final long limitNs = TimeUnit.SECONDS.toNanos(options.seconds());
        while (!stop.await(POLL_MS, TimeUnit.MILLISECONDS))
        {
            if (source.isExhausted() || server.failure() != null ||
                limitNs > 0 && System.nanoTime() - startNs >= limitNs)
            {
                return;
            }
            sinks.reportDown(err, System.nanoTime());
        }
    }

    /**
     * Stop the source, drain, close the outputs, print the report. False if the server has failed, or a part hung.
     */
    boolean end() throws IOException
    {
        final long runNs = System.nanoTime() - startNs;
        final double cpuShare = 100.0 * (cpuNs() - startCpuNs) / runNs;
        server.close();
        out.printf(Locale.ROOT, "%nfinal report after %.1f s%n", runNs / 1e9);
        final Histogram latencies = statistics.print(out);
        if (itch != null)
        {
            out.print("ITCH messages by type:");
            ItchDescriptor.types().chars().filter(type -> itch.counters().messages((char)type) > 0)
                .forEach(type -> out.printf(Locale.ROOT, " %c %,d", type, itch.counters().messages((char)type)));
            out.println();
        }
        out.printf(Locale.ROOT, "CPU share of the process %.1f %% of one core%n", cpuShare);
        out.println("counters of the input (losses, and those that are not 0) and of the outputs:");
        server.counters().forEach((name, value, description) ->
        {
            if ((value != 0 || name.matches(LOSS)) && !name.matches(NOT_REPORTED) &&
                (name.startsWith(SOURCE) || sinks.hasOutput(name.replaceAll("\\..*", ""))))
            {
                out.printf(Locale.ROOT, "  %-28s %,12d  %s%n", name, value, description);
            }
        });
        if (options.hgrm() != null)
        {
            HgrmWriter.write(options.hgrm(), List.of("gateway: reception to outputs", "unit: ns"), latencies);
            out.println("percentiles: " + options.hgrm());
        }
        out.flush();
        return server.failure() == null && server.leftBehind().isEmpty();
    }

    /** Of the process; 0 where the JVM does not know it. */
    private static long cpuNs()
    {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system ?
            Math.max(0, system.getProcessCpuTime()) : 0;
    }
}
