package io.millrace.gateway.run;

import io.millrace.gateway.RealTime;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.udp.UdpEndpoint;
import io.millrace.server.agent.CpuPlacement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line. Values are texts until they are asked for, so that each error names the option, its value and the
 * allowed range. {@link #check()} asks for all.
 */
@Command(name = "gateway", sortOptions = false, usageHelpWidth = 100,
    description = "Market data in, market data out. Needs one input. Options can also be in a file: @FILE.")
final class GatewayOptions
{
    private static final int MAX_QUEUE = 1 << 20;
    private static final int MAX_SECONDS = 31_536_000;

    @Option(names = "--udp", paramLabel = "PORT", arity = "0..1", fallbackValue = "" + BboPacketDescriptor.DEFAULT_PORT,
        description = "input: BBO packets to this port; without one ${FALLBACK-VALUE}; 0: a free one")
    private String udp;
    @Option(names = "--multicast", paramLabel = "GROUP", description = "with --udp: join this group")
    private String multicast;
    @Option(names = "--interface", paramLabel = "NIC", description = "with --udp: network interface; default loopback")
    private String nic;
    @Option(names = "--udp-b", paramLabel = "PORT",
        description = "with --udp: port of a second line with copies; packets then need a sequence")
    private String udpB;
    @Option(names = "--multicast-b", paramLabel = "GROUP", description = "with --udp-b: join this group")
    private String multicastB;
    @Option(names = "--interface-b", paramLabel = "NIC",
        description = "with --udp-b: network interface; default loopback")
    private String nicB;
    @Option(names = "--serial", paramLabel = "DEVICE", description = "input: lines of a serial device or a file")
    private String serial;
    @Option(names = "--itch", paramLabel = "FILE", description = "input: ITCH 5.0 file, plain or gzip")
    private String itch;
    @Option(names = "--pcap", paramLabel = "FILE", description = "input: recording of MoldUDP64 packets with ITCH 5.0")
    private String pcap;
    @Option(names = "--speed", paramLabel = "FACTOR",
        description = "with --itch or --pcap: recorded pace times this, 0.001 to 1e9; default: as fast as possible")
    private String speed;
    @Option(names = "--symbol", paramLabel = "SYMBOL", split = ",",
        description = "only these symbols; not with --serial")
    private List<String> symbols = new ArrayList<>();
    @Option(names = "--tcp-address", paramLabel = "ADDRESS", description = "where to listen; default loopback")
    private String tcpAddress;
    @Option(names = "--tcp-port", paramLabel = "PORT", description = "default 9999; 0: a free one")
    private String tcpPort = "9999";
    @Option(names = "--mqtt-broker", paramLabel = "HOST:PORT", description = "publish to an MQTT broker")
    private String mqttBroker;
    @Option(names = "--mqtt-topic", paramLabel = "TOPIC", description = "default bbo_messages")
    private String mqttTopic = "bbo_messages";
    @Option(names = "--mqtt-version", paramLabel = "VERSION", description = "3 (for 3.1.1) or 5; default 5")
    private String mqttVersion = "5";
    @Option(names = "--mqtt-qos", paramLabel = "LEVEL", description = "0 or 1; default 0")
    private String mqttQos = "0";
    @Option(names = "--mqtt-user", paramLabel = "NAME", description = "with --mqtt-broker: log in")
    private String mqttUser;
    @Option(names = "--mqtt-password", paramLabel = "PASSWORD",
        description = "with --mqtt-user; in an @FILE no other user can see it")
    private String mqttPassword;
    @Option(names = "--mqtt-tls", description = "with --mqtt-broker: TLS with the JVM's trust store")
    private boolean mqttTls;
    @Option(names = "--kafka-broker", paramLabel = "HOST:PORT", description = "publish to Kafka; more with commas")
    private String kafkaBroker;
    @Option(names = "--kafka-topic", paramLabel = "TOPIC", description = "default bbo_messages")
    private String kafkaTopic = "bbo_messages";
    @Option(names = "--csv-file", paramLabel = "FILE", description = "append rows to a file")
    private String csvFile;
    @Option(names = "--console", description = "print each change")
    private boolean console;
    @Option(names = "--disable-tcp", description = "no TCP server, which otherwise always runs")
    private boolean disableTcp;
    @Option(names = "--disable-mqtt", description = "no MQTT, whatever else is said; also of the following")
    private boolean disableMqtt;
    @Option(names = "--disable-kafka", description = "no Kafka")
    private boolean disableKafka;
    @Option(names = "--disable-csv", description = "no CSV file")
    private boolean disableCsv;
    @Option(names = "--disable-console", description = "no changes on the console")
    private boolean disableConsole;
    @Option(names = "--sequence", description = "JSON objects end with the sequence")
    private boolean sequence;
    @Option(names = "--queue", paramLabel = "EVENTS", description = "conflate nothing: each output has a queue of a " +
        "power of two events and drops new ones when it is full; a slow TCP client is disconnected")
    private String queue;
    @Option(names = "--rt", paramLabel = "PRIORITY",
        description = "with --udp or --serial: SCHED_FIFO for the receiving thread, 1 to 99")
    private String realTime;
    @Option(names = "--cpu", paramLabel = "N", description = "pin the receiving thread")
    private String cpu;
    @Option(names = "--seconds", paramLabel = "N", description = "stop after so long; 1 to 31536000")
    private String seconds;
    @Option(names = "--admin-port", paramLabel = "PORT",
        description = "admin console on loopback: counters, health; off without it; 0: a free port")
    private String adminPort;
    @Option(names = "--quiet", description = "print only the final report")
    private boolean quiet;
    @Option(names = "--benchmark", description = "no outputs; the receiving thread spins and handles the events itself")
    private boolean benchmark;
    @Option(names = "--hgrm", paramLabel = "FILE", description = "write the percentiles of the latency")
    private String hgrm;
    @Option(names = "--help", usageHelp = true, description = "print this and end")
    private boolean help;

    /** Asks for every value once. */
    void check()
    {
        final String inputs = Stream.of(udp == null ? null : "--udp", serial == null ? null : "--serial",
            itch == null ? null : "--itch", pcap == null ? null : "--pcap")
            .filter(name -> name != null).collect(Collectors.joining(", "));
        if (inputs.isEmpty() || inputs.contains(","))
        {
            throw new IllegalArgumentException(
                (inputs.isEmpty() ? "no input" : inputs) + ": need one of --udp, --serial, --itch, --pcap");
        }
        need(multicast, "--multicast", udp, "--udp");
        need(nic, "--interface", udp, "--udp");
        need(udpB, "--udp-b", udp, "--udp");
        need(multicastB, "--multicast-b", udpB, "--udp-b");
        need(nicB, "--interface-b", udpB, "--udp-b");
        need(mqttUser, "--mqtt-user", mqttBroker, "--mqtt-broker");
        need(mqttTls ? "" : null, "--mqtt-tls", mqttBroker, "--mqtt-broker");
        if ((mqttUser == null) != (mqttPassword == null))
        {
            // Without the value: it is a secret.
            throw new IllegalArgumentException(mqttUser == null ? "--mqtt-password: only with --mqtt-user" :
                "--mqtt-user " + mqttUser + ": only with --mqtt-password");
        }
        need(speed, "--speed", itch == null ? pcap : itch, "--itch or --pcap");
        need(realTime, "--rt", udp == null ? serial : udp, "--udp or --serial");
        if (serial != null && !symbols.isEmpty())
        {
            throw new IllegalArgumentException("--symbol " + symbols.get(0) + ": not with --serial");
        }
        endpoints();
        symbols();
        speed();
        tcpAddress();
        tcpPort();
        mqttBroker();
        mqttVersion();
        mqttQos();
        OptionValues.topic("--mqtt-topic", mqttTopic, "._/-");
        kafkaBroker();
        OptionValues.topic("--kafka-topic", kafkaTopic, "._-");
        queue();
        realTime();
        cpu();
        seconds();
        adminPort();
        input();
        csvFile();
        checkHgrm();
    }

    /** The file is written at the end, in folders that may be missing until then. */
    private void checkHgrm()
    {
        Path found = hgrm() == null ? null : hgrm().toAbsolutePath();
        while (found != null && !Files.exists(found))
        {
            found = found.getParent();
        }
        if (found != null &&
            (!Files.isWritable(found) || Files.isDirectory(found) == found.equals(hgrm().toAbsolutePath())))
        {
            throw new IllegalArgumentException("--hgrm " + hgrm + " is no file that can be written");
        }
    }

    private static void need(final String value, final String name, final String other, final String otherName)
    {
        if (value != null && other == null)
        {
            throw new IllegalArgumentException(
                name + (value.isEmpty() ? "" : " " + value) + ": only with " + otherName);
        }
    }

    /** One for each line; none without UDP. */
    List<UdpEndpoint> endpoints()
    {
        final List<UdpEndpoint> endpoints = new ArrayList<>();
        if (udp != null)
        {
            endpoints.add(endpoint("", udp, multicast, nic));
        }
        if (udpB != null)
        {
            endpoints.add(endpoint("-b", udpB, multicastB, nicB));
        }
        return endpoints;
    }

    /** For the message of the start. */
    String groupText(final int line)
    {
        final String group = line == 0 ? multicast : multicastB;
        return group == null ? "" : " of " + group;
    }

    private static UdpEndpoint endpoint(final String line, final String port, final String group, final String nic)
    {
        final int number = OptionValues.number("--udp" + line, port, 0, OptionValues.MAX_PORT);
        if (group != null)
        {
            final InetAddress address = OptionValues.address("--multicast" + line, group);
            if (!address.isMulticastAddress())
            {
                throw new IllegalArgumentException(
                    "--multicast" + line + " " + group + " is not in 224.0.0.0..239.255.255.255");
            }
            return UdpEndpoint.multicast(address, number, OptionValues.networkInterface("--interface" + line, nic));
        }
        if (nic == null)
        {
            return UdpEndpoint.loopback(number);
        }
        final InetAddress address = OptionValues.networkInterface("--interface" + line, nic).inetAddresses()
            .filter(each -> each.getAddress().length == 4).findFirst().orElseThrow(() ->
                new IllegalArgumentException("--interface" + line + " " + nic + " has no IPv4 address"));
        return UdpEndpoint.unicast(address, number);
    }

    boolean isSerial()
    {
        return serial != null;
    }

    boolean isPcap()
    {
        return pcap != null;
    }

    boolean isItch()
    {
        return itch != null || pcap != null;
    }

    /** Device or file; null for UDP. */
    Path input()
    {
        if (udp != null)
        {
            return null;
        }
        final String name = serial != null ? "--serial" : itch != null ? "--itch" : "--pcap";
        final Path path = OptionValues.path(name, serial != null ? serial : itch != null ? itch : pcap);
        if (!Files.isReadable(path) || Files.isDirectory(path))
        {
            throw new IllegalArgumentException(name + " " + path + " is no file that can be read");
        }
        return path;
    }

    long[] symbols()
    {
        try
        {
            return symbols.stream().mapToLong(Symbols::of).toArray();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException("--symbol: " + ex.getMessage(), ex);
        }
    }

    /** 0: as fast as possible. */
    double speed()
    {
        try
        {
            final double factor = speed == null ? 1 : Double.parseDouble(speed);
            // Written so that NaN is refused as well.
            if (factor >= 1e-3 && factor <= 1e9)
            {
                return speed == null ? 0 : factor;
            }
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException("--speed " + speed + " is not a number in 0.001..1000000000", ex);
        }
        throw new IllegalArgumentException("--speed " + speed + " is not a number in 0.001..1000000000");
    }

    boolean isTcp()
    {
        return !disableTcp && !benchmark;
    }

    InetAddress tcpAddress()
    {
        return tcpAddress == null ? InetAddress.getLoopbackAddress() :
            OptionValues.address("--tcp-address", tcpAddress);
    }

    int tcpPort()
    {
        return OptionValues.number("--tcp-port", tcpPort, 0, OptionValues.MAX_PORT);
    }

    /** Null: no MQTT. */
    OptionValues.HostPort mqttBroker()
    {
        final OptionValues.HostPort broker = mqttBroker == null ? null :
            OptionValues.hostPort("--mqtt-broker", mqttBroker);
        return disableMqtt || benchmark ? null : broker;
    }

    String mqttTopic()
    {
        return mqttTopic;
    }

    int mqttVersion()
    {
        final int version = OptionValues.number("--mqtt-version", mqttVersion, 3, 5);
        if (version == 4)
        {
            throw new IllegalArgumentException("--mqtt-version 4 is neither 3 (for 3.1.1) nor 5");
        }
        return version;
    }

    /** Null: no login. */
    String mqttUser()
    {
        return mqttUser;
    }

    String mqttPassword()
    {
        return mqttPassword;
    }

    boolean isMqttTls()
    {
        return mqttTls;
    }

    int mqttQos()
    {
        return OptionValues.number("--mqtt-qos", mqttQos, 0, 1);
    }

    /** Null: no Kafka. */
    String kafkaBroker()
    {
        if (kafkaBroker != null)
        {
            for (final String each : kafkaBroker.split(",", -1))
            {
                OptionValues.hostPort("--kafka-broker", each);
            }
        }
        return disableKafka || benchmark ? null : kafkaBroker;
    }

    String kafkaTopic()
    {
        return kafkaTopic;
    }

    /** Null: no file. */
    Path csvFile()
    {
        return csvFile == null || disableCsv || benchmark ? null : OptionValues.path("--csv-file", csvFile);
    }

    boolean isConsole()
    {
        return console && !disableConsole && !benchmark && !quiet;
    }

    boolean isSequence()
    {
        return sequence;
    }

    /** 0: conflate. */
    int queue()
    {
        if (queue == null)
        {
            return 0;
        }
        final int events = OptionValues.number("--queue", queue, 1, MAX_QUEUE);
        if (Integer.bitCount(events) != 1)
        {
            throw new IllegalArgumentException("--queue " + events + " is not a power of two in 1.." + MAX_QUEUE);
        }
        return events;
    }

    /** 0: as it is. */
    int realTime()
    {
        return realTime == null ? 0 :
            OptionValues.number("--rt", realTime, RealTime.MIN_PRIORITY, RealTime.MAX_PRIORITY);
    }

    /** -1: any. */
    int cpu()
    {
        if (cpu == null)
        {
            return -1;
        }
        final int value = OptionValues.number("--cpu", cpu, 0, 65_535);
        CpuPlacement.check("--cpu", value);
        return value;
    }

    /** 0: until it is stopped. */
    int seconds()
    {
        return seconds == null ? 0 : OptionValues.number("--seconds", seconds, 1, MAX_SECONDS);
    }

    /** -1: no admin console. */
    int adminPort()
    {
        return adminPort == null ? -1 : OptionValues.number("--admin-port", adminPort, 0, OptionValues.MAX_PORT);
    }

    boolean isQuiet()
    {
        return quiet;
    }

    boolean isBenchmark()
    {
        return benchmark;
    }

    /** Null: none. */
    Path hgrm()
    {
        return hgrm == null ? null : OptionValues.path("--hgrm", hgrm);
    }
}
