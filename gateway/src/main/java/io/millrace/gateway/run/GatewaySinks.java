package io.millrace.gateway.run;

import io.millrace.gateway.sink.ConsoleSink;
import io.millrace.gateway.sink.CsvSink;
import io.millrace.gateway.sink.KafkaSink;
import io.millrace.gateway.sink.MqttContext;
import io.millrace.gateway.sink.MqttSink;
import io.millrace.gateway.sink.ReconnectBackoff;
import io.millrace.gateway.sink.Sink;
import io.millrace.gateway.sink.SinkFanOut;
import io.millrace.gateway.sink.SinkHealth;
import io.millrace.gateway.sink.SinkQueue;
import io.millrace.gateway.sink.SinkStatus;
import io.millrace.gateway.sink.TcpContext;
import io.millrace.gateway.sink.TcpPolicy;
import io.millrace.gateway.sink.TcpSink;
import org.agrona.concurrent.SystemNanoClock;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The outputs that the options ask for. The clients of brokers are loaded only if one is asked for. */
final class GatewaySinks
{
    static final int MAX_SYMBOLS = 16_384;
    /** For a client without conflation: some 50,000 JSON lines. */
    private static final int LOSSLESS_CLIENT_BYTES = 1 << 23;
    /** A broker that restarts is away for less. */
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final class Output
    {
        final String name;
        final SinkStatus status;
        long upNs = System.nanoTime();
        boolean isReported;

        Output(final String name, final SinkStatus status)
        {
            this.name = name;
            this.status = status;
        }

        void reportDown(final PrintStream err, final long nowNs)
        {
            if (status.health() != SinkHealth.DOWN)
            {
                upNs = nowNs;
                isReported = false;
            }
            else if (!isReported && nowNs - upNs >= REPORT_NS)
            {
                isReported = true;
                err.println("gateway: output " + name + " is " + status.describe());
            }
        }
    }

    private final GatewayOptions options;
    private final SinkFanOut fanOut = new SinkFanOut("sinks");
    private final List<Output> outputs = new ArrayList<>();
    /** Only the name at an MQTT broker and the pauses between attempts to connect are random. */
    private final SplittableRandom random = new SplittableRandom();
    private TcpSink tcp;

    GatewaySinks(final GatewayOptions options, final PrintStream out)
    {
        this.options = options;
        if (options.isTcp())
        {
            tcp = new TcpSink(tcpContext());
            add("tcp", tcp);
        }
        if (options.mqttBroker() != null)
        {
            require("--mqtt-broker", "com.hivemq.client.mqtt.MqttClient", "com.hivemq:hivemq-mqtt-client");
            add("mqtt", mqtt());
        }
        if (options.kafkaBroker() != null)
        {
            require("--kafka-broker", "org.apache.kafka.clients.producer.KafkaProducer",
                "org.apache.kafka:kafka-clients");
            add("kafka", kafka());
        }
        if (options.csvFile() != null)
        {
            add("csv", new CsvSink(options.csvFile(), backoff(), SystemNanoClock.INSTANCE));
        }
        if (options.isConsole())
        {
            add("console", new ConsoleSink(out, MAX_SYMBOLS, backoff(), SystemNanoClock.INSTANCE));
        }
    }

    private TcpContext tcpContext()
    {
        final TcpContext context = new TcpContext().bindAddress(options.tcpAddress()).port(options.tcpPort());
        if (options.isSequence())
        {
            context.withSequence();
        }
        if (options.queue() > 0)
        {
            context.policy(TcpPolicy.DISCONNECT).clientQueueBytes(LOSSLESS_CLIENT_BYTES);
        }
        return context;
    }

    private Sink mqtt()
    {
        final OptionValues.HostPort broker = options.mqttBroker();
        final MqttContext context = new MqttContext(broker.host(), broker.port())
            .version(options.mqttVersion()).qos(options.mqttQos()).topic(options.mqttTopic())
            // A broker disconnects the older one of two clients with one name: two gateways would fight for ever. MQTT
            // 3.1.1 promises 23 letters and digits.
            .clientId("millrace" + Long.toString(random.nextLong() >>> 1, Character.MAX_RADIX));
        if (options.mqttUser() != null)
        {
            context.user(options.mqttUser(), options.mqttPassword());
        }
        if (options.isMqttTls())
        {
            context.tls();
        }
        return new MqttSink(options.isSequence() ? context.withSequence() : context, backoff());
    }

    private Sink kafka()
    {
        return new KafkaSink(KafkaSink.properties(options.kafkaBroker()), options.kafkaTopic(), options.isSequence(),
            KafkaSink.DEFAULT_MAX_PENDING, backoff(), SystemNanoClock.INSTANCE);
    }

    private static void require(final String option, final String type, final String artifact)
    {
        try
        {
            Class.forName(type, false, GatewaySinks.class.getClassLoader());
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalArgumentException(option + ": its client library is missing; add " + artifact +
                " to the class path", ex);
        }
    }

    private ReconnectBackoff backoff()
    {
        return new ReconnectBackoff(
            ReconnectBackoff.DEFAULT_MIN_NS, ReconnectBackoff.DEFAULT_MAX_NS, random.split());
    }

    private void add(final String name, final Sink sink)
    {
        outputs.add(new Output(name, sink.status()));
        fanOut.add(name, sink,
            options.queue() > 0 ? SinkQueue.dropNewest(options.queue()) : SinkQueue.conflate(MAX_SYMBOLS));
    }

    SinkFanOut fanOut()
    {
        return fanOut;
    }

    boolean hasOutput(final String name)
    {
        return outputs.stream().anyMatch(output -> output.name.equals(name));
    }

    /** Prints once in each outage why an output is DOWN: the counters have no reasons. */
    void reportDown(final PrintStream err, final long nowNs)
    {
        outputs.forEach(output -> output.reportDown(err, nowNs));
    }

    /** Null without it. */
    TcpSink tcp()
    {
        return tcp;
    }
}
