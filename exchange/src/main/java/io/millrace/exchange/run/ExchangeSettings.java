package io.millrace.exchange.run;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.Listing;
import io.millrace.exchange.core.ExchangeCore;
import io.millrace.exchange.core.OrderIds;
import io.millrace.exchange.itch.ItchContext;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import io.millrace.journal.JournalContext;
import io.millrace.journal.SegmentDescriptor;
import io.millrace.server.Server;
import io.millrace.server.monitor.AdminConsole;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Settings of the program: the defaults, then a file, then the command line. Everything is checked before anything
 * starts.
 */
final class ExchangeSettings
{
    static final int DEFAULT_PORT = 9201;
    static final String DEFAULT_DIRECTORY = "target/exchange";

    /** A price step of the demo is a cent. */
    private static final int DEMO_PRICE_UNITS = 100;
    /** Some hundred records, so that a segment is no file of a few. */
    private static final int MIN_SEGMENT = 1 << 16;
    private static final int MAX_WINDOW = 1 << 20;
    private static final int MAX_RING = 1 << 20;
    private static final int MAX_SYMBOLS = 1_024;
    private static final int MAX_SECONDS = 86_400;
    private static final List<String> KEYS = joined(ProtocolSettings.KEYS, "directory", "address", "port", "admin-port",
        TlsSettings.KEYSTORE, TlsSettings.PASSWORD, "durability", "segment-bytes", "watermark-bytes", "window",
        "ring", "snapshot-every", "idle", "agents", "max-connections", "connects-per-second",
        "logon-timeout-seconds", "heartbeat-seconds", "idle-timeout-seconds", "symbols", "clients");
    private static final List<String> SYMBOL_KEYS = joined(ProtocolSettings.LISTING_KEYS, "id", "type", "min-price",
        "max-price", "order-capacity", "window-ticks");
    private static final List<String> CLIENT_KEYS =
        List.of("number", "name", "token", "role", "commands-per-second", "max-open-orders");

    private Path directory = Path.of(DEFAULT_DIRECTORY);
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port = DEFAULT_PORT;
    private Durability durability = Durability.EVERY_BATCH;
    private int segmentBytes = JournalContext.DEFAULT_SEGMENT_BYTES;
    private long watermarkBytes = JournalContext.DEFAULT_WATERMARK_BYTES;
    private int window = ExchangeCore.DEFAULT_WINDOW;
    private int ring = ExchangeContext.DEFAULT_RING;
    private long snapshotEvery = 1_000_000;
    private IdleKind idle = IdleKind.BACKOFF;
    private int agents = 1;
    private final SessionContext sessions = new SessionContext();
    private final EngineContext engine = new EngineContext();
    private final TlsSettings tls = new TlsSettings();
    private final ProtocolSettings protocols = new ProtocolSettings();
    /** Null: none. */
    private AdminConsole console;
    private boolean isDemo;

    private ExchangeSettings()
    {
    }

    private static List<String> joined(final List<String> some, final String... others)
    {
        return Stream.concat(Stream.of(others), some.stream()).toList();
    }

    /**
     * Two symbols and three users, whose tokens everybody knows: only for loopback. OUCH, FIX and ITCH are on. The
     * names and tokens fit the fields of OUCH.
     */
    static ExchangeSettings demo()
    {
        final ExchangeSettings settings = new ExchangeSettings();
        settings.isDemo = true;
        settings.addDemoSymbol(SymbolSpec.future(1).withPrices(1, 1_000_000), "GOLD");
        settings.addDemoSymbol(SymbolSpec.future(2).withPrices(1, 1_000_000), "SILVER");
        settings.sessions.client(new ClientAccount(1, "alice", "alice-demo", Role.TRADER))
            .client(new ClientAccount(2, "bob", "bob-demo", Role.TRADER))
            .client(new ClientAccount(3, "watch", "watch-demo", Role.DROP_COPY));
        Map.of("ouch-port", "9202", "fix-port", "9203", "itch-request-port", "9204", "itch-snapshot-port", "9205",
            "itch", ItchContext.DEFAULT_GROUP + ":" + ItchContext.DEFAULT_PORT)
            .forEach((key, value) -> settings.set(key, YamlNode.option(key, value)));
        return settings;
    }

    private void addDemoSymbol(final SymbolSpec spec, final String stock)
    {
        engine.symbol(spec);
        protocols.addListing(new Listing(spec, stock, DEMO_PRICE_UNITS, 1));
    }

    static ExchangeSettings read(final Path file)
    {
        return of(YamlNode.read(file));
    }

    static ExchangeSettings of(final YamlNode root)
    {
        final ExchangeSettings settings = new ExchangeSettings();
        final Map<String, YamlNode> fields = root.fields(KEYS);
        fields.forEach(settings::set);
        settings.checkWatermark(fields);
        settings.addSymbols(root.field("symbols"));
        settings.addClients(root.field("clients"));
        return settings;
    }

    /** Sets a value of the file, or of an option with the same name. */
    void set(final String key, final YamlNode value)
    {
        switch (key)
        {
            case "directory":
                directory = path(value);
                break;
            case "address":
                address = value.address();
                break;
            case "port":
                port = (int)value.number(0, ProtocolSettings.MAX_PORT);
                break;
            case "admin-port":
                console = new AdminConsole((int)value.number(0, ProtocolSettings.MAX_PORT));
                break;
            case "durability":
                durability = value.choice(Durability.class);
                break;
            case "segment-bytes":
                segmentBytes = value.powerOfTwo(MIN_SEGMENT, SegmentDescriptor.MAX_LENGTH);
                break;
            case "watermark-bytes":
                watermarkBytes = value.number(0, Long.MAX_VALUE);
                break;
            case "window":
                window = value.powerOfTwo(ExchangeCore.MIN_WINDOW, MAX_WINDOW);
                break;
            case "ring":
                ring = value.powerOfTwo(64, MAX_RING);
                break;
            case "snapshot-every":
                snapshotEvery = value.number(0, Long.MAX_VALUE);
                break;
            case "idle":
                idle = value.choice(IdleKind.class);
                break;
            case "agents":
                agents = (int)value.number(1, 2);
                break;
            default:
                setSession(key, value);
                break;
        }
    }

    /** The preparation of a segment would fail before the disk is low, and leave no space for cancels. */
    private void checkWatermark(final Map<String, YamlNode> fields)
    {
        if (watermarkBytes > 0 && watermarkBytes < segmentBytes)
        {
            throw fields.getOrDefault("watermark-bytes", fields.get("segment-bytes")).error("watermark-bytes " +
                watermarkBytes + " is less than segment-bytes " + segmentBytes + "; 0 for no watermark");
        }
    }

    private void setSession(final String key, final YamlNode value)
    {
        switch (key)
        {
            case "max-connections":
                checked(value, () -> sessions.maxConnections((int)value.number(1, Integer.MAX_VALUE)));
                break;
            case "connects-per-second":
                checked(value, () -> sessions.connectsPerSecond((int)value.number(1, Integer.MAX_VALUE)));
                break;
            case "logon-timeout-seconds":
                sessions.logonTimeoutNs(seconds(value));
                break;
            case "heartbeat-seconds":
                sessions.heartbeatNs(seconds(value));
                break;
            case "idle-timeout-seconds":
                sessions.idleTimeoutNs(seconds(value));
                break;
            case TlsSettings.KEYSTORE, TlsSettings.PASSWORD:
                tls.set(key, value);
                break;
            case "symbols":
            case "clients":
                break;
            default:
                protocols.set(key, value);
                break;
        }
    }

    private static long seconds(final YamlNode value)
    {
        return TimeUnit.SECONDS.toNanos(value.number(1, MAX_SECONDS));
    }

    /** Gives an error of a setting its place. */
    static <T> T checked(final YamlNode value, final Supplier<T> action)
    {
        try
        {
            return action.get();
        }
        catch (final IllegalArgumentException ex)
        {
            throw value.error(ex.getMessage());
        }
    }

    private void addSymbols(final YamlNode list)
    {
        if (list.items().isEmpty() || list.items().size() > MAX_SYMBOLS)
        {
            throw list.error(list.items().size() + " symbols are not in 1.." + MAX_SYMBOLS);
        }
        for (final YamlNode item : list.items())
        {
            final Map<String, YamlNode> fields = item.fields(SYMBOL_KEYS);
            final int id = (int)item.field("id").number(0, Integer.MAX_VALUE);
            final YamlNode type = fields.get("type");
            final SymbolSpec plain = type != null && type.choice(SymbolType.class) == SymbolType.SPOT ?
                SymbolSpec.spot(id) : SymbolSpec.future(id);
            final SymbolSpec spec = checked(item, () -> changed(plain, item, fields));
            checked(item, () -> engine.symbol(spec));
            protocols.addListing(item, spec);
        }
    }

    private static SymbolSpec changed(
        final SymbolSpec plain, final YamlNode item, final Map<String, YamlNode> fields)
    {
        SymbolSpec spec = plain.withPrices(item.field("min-price").number(0, SymbolSpec.MAX_PRICE),
            item.field("max-price").number(0, SymbolSpec.MAX_PRICE));
        if (fields.containsKey("order-capacity"))
        {
            spec = spec.withOrderCapacity(
                (int)fields.get("order-capacity").number(1, SymbolSpec.MAX_ORDER_CAPACITY));
        }
        if (fields.containsKey("window-ticks"))
        {
            spec = spec.withWindowTicks((int)fields.get("window-ticks").number(1, SymbolSpec.MAX_WINDOW_TICKS));
        }
        return spec;
    }

    private void addClients(final YamlNode list)
    {
        if (list.items().isEmpty())
        {
            throw list.error("at least one client is needed");
        }
        for (final YamlNode item : list.items())
        {
            final Map<String, YamlNode> fields = item.fields(CLIENT_KEYS);
            final int rate = fields.containsKey("commands-per-second") ?
                (int)fields.get("commands-per-second").number(0, ClientAccount.MAX_RATE) : ClientAccount.NO_RATE_LIMIT;
            final int orders = fields.containsKey("max-open-orders") ?
                (int)fields.get("max-open-orders").number(0, Integer.MAX_VALUE) :
                ClientAccount.DEFAULT_MAX_OPEN_ORDERS;
            final Role role = fields.containsKey("role") ? fields.get("role").choice(Role.class) : Role.TRADER;
            checked(item, () -> sessions.client(new ClientAccount(
                (int)item.field("number").number(1, OrderIds.MAX_CLIENT), item.field("name").text(),
                item.field("token").text(), role, rate, orders)));
            protocols.addClient(item.field("name").text(), item.field("token").text());
        }
    }

    static Path path(final YamlNode value)
    {
        if (value.text().isEmpty())
        {
            // For example of a variable that is not set. The folder would be that of the shell.
            throw value.error("the path is empty");
        }
        try
        {
            return Path.of(value.text());
        }
        catch (final InvalidPathException ex)
        {
            throw value.error("'" + value.text().replace('\0', '?') + "' is no path: " + ex.getReason() +
                "; the encoding of file names is " + System.getProperty("sun.jnu.encoding"));
        }
    }

    /** Whether order entry speaks TLS. */
    boolean isTls()
    {
        return tls.isOn();
    }

    ProtocolSettings protocols()
    {
        return protocols;
    }

    /** The console of an operator; null without its port. */
    AdminConsole console()
    {
        return console;
    }

    /** What the program adds to the server of the exchange. */
    void addTo(final Server.Context server, final Consumer<Throwable> onError)
    {
        server.errorHandler(onError::accept);
        if (console != null)
        {
            server.service(console);
        }
    }

    Path directory()
    {
        return directory;
    }

    /**
     * The context of the exchange.
     *
     * @throws SettingsException when the demo would be open to others, or a protocol lacks a setting.
     */
    ExchangeContext context()
    {
        if (isDemo && !address.isLoopbackAddress())
        {
            throw new SettingsException("address " + address.getHostAddress() + " is not loopback: the users of the " +
                "demo have tokens that everybody knows. Use --config with your own clients");
        }
        final ExchangeContext context = new ExchangeContext(directory, engine, sessions.tls(tls.context()))
            .binaryAddress(new InetSocketAddress(address, port)).window(window).ringCapacity(ring)
            .snapshotEvery(snapshotEvery).idle(idle::create).agents(agents)
            .journal(journal -> journal.durability(durability).segmentBytes(segmentBytes)
                .watermarkBytes(watermarkBytes));
        protocols.addTo(context, address);
        return context;
    }
}
