package io.millrace.exchange.run;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.Listing;
import io.millrace.exchange.fix.FixProtocol;
import io.millrace.exchange.itch.ItchContext;
import io.millrace.exchange.ouch.OuchProtocol;
import io.millrace.exchange.soup.SoupDescriptor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** OUCH, FIX and ITCH of the program. Each is off without its key: ouch-port, fix-port, itch. */
final class ProtocolSettings
{
    static final List<String> KEYS = List.of("ouch-port", "ouch-session", "fix-port", "fix-comp-id",
        "cancel-on-disconnect", "itch", "itch-network", "itch-request-port", "itch-snapshot-port",
        "itch-stored-messages");
    /** Of a symbol. */
    static final List<String> LISTING_KEYS = List.of("stock", "price-units", "shares-per-lot");

    static final int MAX_PORT = 65_535;
    private static final String DEFAULT_NAME = "MILLRACE";
    private static final int MAX_STORED = 1 << 24;
    private static final int MIN_STORED = 1_024;

    /** What was given, each with its place. */
    private final Map<String, YamlNode> given = new HashMap<>();
    private final List<Listing> listings = new ArrayList<>();
    private final Set<String> stocks = new HashSet<>();
    private final List<String> notForOuch = new ArrayList<>();
    /** The first symbol without a stock. */
    private YamlNode unlisted;

    void set(final String key, final YamlNode value)
    {
        switch (key)
        {
            case "ouch-port", "fix-port", "itch-request-port", "itch-snapshot-port" -> value.number(0, MAX_PORT);
            case "ouch-session" -> name(value, SoupDescriptor.SESSION_LENGTH);
            case "fix-comp-id" -> checked(value, () -> FixProtocol.checkCompId(value.text()));
            case "cancel-on-disconnect" -> flag(value);
            case "itch" -> destination(value);
            case "itch-stored-messages" -> value.powerOfTwo(MIN_STORED, MAX_STORED);
            default -> network(value);
        }
        given.put(key, value);
    }

    void addListing(final YamlNode item, final SymbolSpec spec)
    {
        final Map<String, YamlNode> fields = item.fields();
        if (fields.containsKey("stock") || fields.containsKey("price-units") || fields.containsKey("shares-per-lot"))
        {
            final YamlNode stock = item.field("stock");
            add(checked(stock, () -> new Listing(spec, stock.text(), units(fields.get("price-units")),
                units(fields.get("shares-per-lot")))), stock);
        }
        else if (unlisted == null)
        {
            unlisted = item;
        }
    }

    private static long units(final YamlNode value)
    {
        return value == null ? 1 : value.number(1, Listing.MAX_FIELD);
    }

    private void add(final Listing listing, final YamlNode place)
    {
        if (!stocks.add(listing.stock()))
        {
            throw place.error("stock '" + listing.stock() + "' is there twice");
        }
        listings.add(listing);
    }

    /** For the demo. */
    void addListing(final Listing listing)
    {
        listings.add(listing);
    }

    void addClient(final String name, final String token)
    {
        if (name.length() > SoupDescriptor.USER_LENGTH || token.length() > SoupDescriptor.TOKEN_LENGTH)
        {
            notForOuch.add(name);
        }
    }

    private static void name(final YamlNode value, final int length)
    {
        final String text = value.text();
        if (text.isEmpty() || text.length() > length || !text.chars().allMatch(c -> c > ' ' && c < 127))
        {
            throw value.error("'" + text + "' is not 1 to " + length + " printable ASCII characters");
        }
    }

    private static boolean flag(final YamlNode value)
    {
        final String text = value.text();
        if (!text.equals("true") && !text.equals("false"))
        {
            throw value.error("'" + text + "' is not true or false");
        }
        return text.equals("true");
    }

    private static void network(final YamlNode value)
    {
        try
        {
            if (NetworkInterface.getByName(value.text()) == null)
            {
                throw value.error("there is no network interface '" + value.text() + "'");
            }
        }
        catch (final SocketException ex)
        {
            throw value.error("network interface '" + value.text() + "': " + ex.getMessage());
        }
    }

    private static InetSocketAddress destination(final YamlNode value)
    {
        final int colon = value.text().lastIndexOf(':');
        if (colon < 1)
        {
            throw value.error("'" + value.text() + "' is not GROUP:PORT, for example " + ItchContext.DEFAULT_GROUP +
                ":" + ItchContext.DEFAULT_PORT);
        }
        return new InetSocketAddress(value.part(0, colon).address(),
            (int)value.part(colon + 1, value.text().length()).number(1, MAX_PORT));
    }

    private static <T> T checked(final YamlNode value, final Supplier<T> action)
    {
        return ExchangeSettings.checked(value, action);
    }

    /** Adds what is switched on. */
    void addTo(final ExchangeContext context, final InetAddress bind)
    {
        if (given.containsKey("cancel-on-disconnect") && !given.containsKey("ouch-port") &&
            !given.containsKey("fix-port"))
        {
            // A client of the binary protocol asks for it in its logon.
            throw given.get("cancel-on-disconnect").error("'cancel-on-disconnect' needs 'ouch-port' or 'fix-port'");
        }
        needs("ouch-session", "ouch-port");
        needs("fix-comp-id", "fix-port");
        List.of("itch-network", "itch-request-port", "itch-snapshot-port", "itch-stored-messages")
            .forEach(key -> needs(key, "itch"));
        final boolean cancels = given.containsKey("cancel-on-disconnect") && flag(given.get("cancel-on-disconnect"));
        if (isOn("ouch-port"))
        {
            context.protocol(checked(given.get("ouch-port"),
                () -> new OuchProtocol(text("ouch-session"), listings, cancels)), at(bind, "ouch-port"));
        }
        if (isOn("fix-port"))
        {
            context.protocol(checked(given.get("fix-port"),
                () -> new FixProtocol(text("fix-comp-id"), listings, cancels)), at(bind, "fix-port"));
        }
        if (isOn("itch"))
        {
            context.itch(checked(given.get("itch"), () -> itch(bind)));
        }
    }

    private boolean isOn(final String key)
    {
        if (given.containsKey(key) && unlisted != null)
        {
            throw unlisted.error("'stock' is missing: '" + key + "' needs the name of each symbol");
        }
        return given.containsKey(key);
    }

    private void needs(final String key, final String other)
    {
        if (given.containsKey(key) && !given.containsKey(other))
        {
            throw given.get(key).error("'" + key + "' needs '" + other + "'");
        }
    }

    private String text(final String key)
    {
        return given.containsKey(key) ? given.get(key).text() : DEFAULT_NAME;
    }

    private InetSocketAddress at(final InetAddress bind, final String key)
    {
        return new InetSocketAddress(bind, given.containsKey(key) ? (int)given.get(key).number(0, MAX_PORT) : 0);
    }

    private ItchContext itch(final InetAddress bind)
    {
        final ItchContext itch = new ItchContext().destination(destination(given.get("itch")),
            given.containsKey("itch-network") ? given.get("itch-network").text() : null)
            .servers(at(bind, "itch-request-port"), at(bind, "itch-snapshot-port"));
        if (given.containsKey("itch-stored-messages"))
        {
            itch.storedMessages((int)given.get("itch-stored-messages").number(MIN_STORED, MAX_STORED));
        }
        listings.forEach(itch::symbol);
        return itch;
    }

    /** A line for each protocol that is on. */
    List<String> report(final Exchange exchange)
    {
        final List<String> lines = new ArrayList<>();
        if (given.containsKey("ouch-port"))
        {
            lines.add("OUCH on port " + exchange.port(0) + (notForOuch.isEmpty() ? "" :
                "; not for " + String.join(", ", notForOuch) + ": a name of at most " + SoupDescriptor.USER_LENGTH +
                " and a token of at most " + SoupDescriptor.TOKEN_LENGTH + " characters can log on"));
        }
        if (given.containsKey("fix-port"))
        {
            lines.add("FIX on port " + exchange.port(lines.size()));
        }
        if (given.containsKey("itch"))
        {
            try
            {
                lines.add("ITCH to " + given.get("itch").text() + ", requests to port " +
                    exchange.itch().requestServer().getPort() + ", snapshots from port " +
                    exchange.itch().snapshotServer().getPort());
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
        return lines;
    }
}
