package io.millrace.exchange.run;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@link ExchangeMain}. */
@Command(name = "exchange", sortOptions = false, usageHelpWidth = 100,
    description = "A running exchange: orders over TCP, durable answers, market data. Without --config: a demo.")
final class ExchangeOptions
{
    @Option(names = "--config", paramLabel = "FILE", description = "YAML file with symbols, clients and limits")
    private String config;
    @Option(names = "--directory", paramLabel = "DIR", description = "journal and keys; default target/exchange")
    private String directory;
    @Option(names = "--address", paramLabel = "ADDRESS", description = "where to listen; default 127.0.0.1")
    private String address;
    @Option(names = "--port", paramLabel = "PORT", description = "binary protocol; default 9201; 0: a free one")
    private String port;
    @Option(names = "--ouch-port", paramLabel = "PORT", description = "OUCH; demo: 9202, otherwise off")
    private String ouchPort;
    @Option(names = "--fix-port", paramLabel = "PORT", description = "FIX; demo: 9203, otherwise off")
    private String fixPort;
    @Option(names = "--itch", paramLabel = "GROUP:PORT",
        description = "ITCH to this multicast group; demo: 239.255.77.1:26400, otherwise off")
    private String itch;
    @Option(names = "--itch-request-port", paramLabel = "PORT", description = "missed ITCH messages; demo: 9204")
    private String itchRequestPort;
    @Option(names = "--itch-snapshot-port", paramLabel = "PORT", description = "ITCH snapshots; demo: 9205")
    private String itchSnapshotPort;
    @Option(names = "--tls-keystore", paramLabel = "FILE",
        description = "TLS on all ports of order entry, with the key and certificate of this PKCS12 or JKS file")
    private String tlsKeystore;
    @Option(names = "--tls-password", paramLabel = "PASSWORD",
        description = "of the keystore; in an @FILE the password is in no list of processes")
    private String tlsPassword;
    @Option(names = "--durability", paramLabel = "POLICY",
        description = "every-batch (default), every-event, interval or os-cache")
    private String durability;
    @Option(names = "--admin-port", paramLabel = "PORT",
        description = "admin console on loopback: counters, health; off without it; 0: a free port")
    private String adminPort;
    @Option(names = "--seconds", paramLabel = "N", description = "end after N seconds")
    private Integer seconds;
    @Option(names = "--help", usageHelp = true, description = "this text")
    private boolean help;

    /** The settings of the file, changed by the options. */
    ExchangeSettings settings()
    {
        final ExchangeSettings settings = config == null ? ExchangeSettings.demo() :
            ExchangeSettings.read(ExchangeSettings.path(YamlNode.option("--config", config)));
        set(settings, "directory", directory);
        set(settings, "address", address);
        set(settings, "port", port);
        set(settings, "durability", durability);
        set(settings, "ouch-port", ouchPort);
        set(settings, "fix-port", fixPort);
        set(settings, "tls-keystore", tlsKeystore);
        set(settings, "tls-password", tlsPassword);
        set(settings, "admin-port", adminPort);
        set(settings, "itch", itch);
        set(settings, "itch-request-port", itchRequestPort);
        set(settings, "itch-snapshot-port", itchSnapshotPort);
        if (seconds != null && seconds < 1)
        {
            throw new SettingsException("--seconds " + seconds + " is below 1");
        }
        return settings;
    }

    private static void set(final ExchangeSettings settings, final String key, final String value)
    {
        if (value != null)
        {
            settings.set(key, YamlNode.option("--" + key, value));
        }
    }

    /** Seconds to run; null for ever. */
    Integer seconds()
    {
        return seconds;
    }
}
