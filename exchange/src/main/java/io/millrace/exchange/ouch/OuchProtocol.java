package io.millrace.exchange.ouch;

import io.millrace.exchange.Listing;
import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.Protocol;
import io.millrace.exchange.session.ProtocolSession;
import io.millrace.exchange.soup.SoupDescriptor;
import io.millrace.exchange.soup.SoupEncoder;
import io.millrace.gateway.Symbols;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.List;

/**
 * Order entry by a subset of OUCH 5.0 in SoupBinTCP packets: {@code docs/protocols/ouch.md}. A client that logs on by
 * it has a name of at most {@value SoupDescriptor#USER_LENGTH} characters and a token of at most {@value
 * SoupDescriptor#TOKEN_LENGTH}; longer ones do not fit the login request, so they never match.
 */
public final class OuchProtocol implements Protocol
{
    final byte[] session;
    final boolean cancelsOnDisconnect;
    final long priceUnits;
    final long sharesPerLot;
    private final Int2ObjectHashMap<Listing> bySymbol = new Int2ObjectHashMap<>();
    private final Long2ObjectHashMap<Listing> byStock = new Long2ObjectHashMap<>();

    /**
     * A protocol.
     *
     * @param session             name of the SoupBinTCP session, 1 to 10 printable ASCII characters. Keep it as long as
     *                            the journal: the sequences of the answers go on.
     * @param listings            symbols that can be traded, 1 or more. All have the same units, because a replace or
     *                            cancel does not say its symbol.
     * @param cancelsOnDisconnect whether a client's orders are cancelled when its connection ends.
     * @throws IllegalArgumentException if a value is out of range, a symbol is there twice, or units differ.
     */
    public OuchProtocol(final String session, final List<Listing> listings, final boolean cancelsOnDisconnect)
    {
        if (session.isEmpty() || listings.isEmpty())
        {
            throw new IllegalArgumentException("session \"" + session + "\" and " + listings.size() +
                " listings: neither may be empty");
        }
        this.session = SoupEncoder.padLeft(session, SoupDescriptor.SESSION_LENGTH);
        this.cancelsOnDisconnect = cancelsOnDisconnect;
        priceUnits = listings.get(0).priceUnits();
        sharesPerLot = listings.get(0).sharesPerLot();
        for (final Listing listing : listings)
        {
            if (listing.priceUnits() != priceUnits || listing.sharesPerLot() != sharesPerLot)
            {
                throw new IllegalArgumentException("listing " + listing.stock() + " has units " +
                    listing.priceUnits() + " and " + listing.sharesPerLot() + ", not " + priceUnits + " and " +
                    sharesPerLot);
            }
            if (bySymbol.put(listing.spec().symbol(), listing) != null ||
                byStock.put(Symbols.of(listing.stock()), listing) != null)
            {
                throw new IllegalArgumentException("listing " + listing.stock() + " of symbol " +
                    listing.spec().symbol() + " is there twice");
            }
        }
    }

    /** The listing of a symbol; null for none. */
    Listing ofSymbol(final int symbol)
    {
        return bySymbol.get(symbol);
    }

    /** The listing of a stock; null for none. */
    Listing ofStock(final long stock)
    {
        return byStock.get(stock);
    }

    @Override
    public String name()
    {
        return "ouch";
    }

    @Override
    public ProtocolSession connect(final Connection connection)
    {
        return new OuchSession(this, connection);
    }
}
