package io.millrace.exchange.fix;

import io.millrace.exchange.Listing;
import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.Protocol;
import io.millrace.exchange.session.ProtocolSession;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Order entry by FIX 4.4: {@code docs/protocols/fix.md}. Messages are read and written by Philadelphia; sequences,
 * gaps and resends are ours.
 */
public final class FixProtocol implements Protocol
{
    /** Longest CompID of an exchange, in characters. */
    public static final int MAX_COMP_ID_LENGTH = 32;

    final String compId;
    final boolean cancelsOnDisconnect;
    final EpochClock clock = SystemEpochClock.INSTANCE;
    private final Int2ObjectHashMap<Listing> bySymbol = new Int2ObjectHashMap<>();
    private final Listing[] listings;
    private final Map<String, FixState> states = new HashMap<>();

    /**
     * A protocol.
     *
     * @param compId              our CompID, see {@link #checkCompId}.
     * @param listings            symbols that can be traded, 1 or more.
     * @param cancelsOnDisconnect whether a client's orders are cancelled when its connection ends.
     * @throws IllegalArgumentException if a value is out of range, or a symbol or stock is there twice.
     */
    public FixProtocol(final String compId, final List<Listing> listings, final boolean cancelsOnDisconnect)
    {
        if (listings.isEmpty())
        {
            throw new IllegalArgumentException("0 listings: there must be 1 or more");
        }
        this.compId = checkCompId(compId);
        this.cancelsOnDisconnect = cancelsOnDisconnect;
        this.listings = listings.toArray(new Listing[0]);
        final Set<String> stocks = new HashSet<>();
        for (final Listing listing : listings)
        {
            if (bySymbol.put(listing.spec().symbol(), listing) != null || !stocks.add(listing.stock()))
            {
                throw new IllegalArgumentException("listing " + listing.stock() + " of symbol " +
                    listing.spec().symbol() + " is there twice");
            }
        }
    }

    /**
     * Checks a CompID.
     *
     * @param compId 1 to {@value #MAX_COMP_ID_LENGTH} printable ASCII characters; no space and no '='.
     * @return the CompID.
     * @throws IllegalArgumentException if it is another text.
     */
    public static String checkCompId(final String compId)
    {
        if (compId.isEmpty() || compId.length() > MAX_COMP_ID_LENGTH ||
            !compId.chars().allMatch(c -> c > ' ' && c < 127 && c != '='))
        {
            throw new IllegalArgumentException("CompID '" + compId + "' is not 1 to " + MAX_COMP_ID_LENGTH +
                " printable ASCII characters without space and '='");
        }
        return compId;
    }

    /** The listing of a symbol; null for none. */
    Listing ofSymbol(final int symbol)
    {
        return bySymbol.get(symbol);
    }

    /** All listings, to be compared with a field's text. */
    Listing[] listings()
    {
        return listings;
    }

    /** The state of a client that has logged on before; null for none. */
    FixState state(final String client)
    {
        return states.get(client);
    }

    /** The state of a client that has logged on. */
    FixState stateOf(final String client)
    {
        return states.computeIfAbsent(client, name -> new FixState());
    }

    @Override
    public String name()
    {
        return "fix";
    }

    @Override
    public ProtocolSession connect(final Connection connection)
    {
        return new FixSession(this, connection);
    }
}
