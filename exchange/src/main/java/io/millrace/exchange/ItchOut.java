package io.millrace.exchange;

import io.millrace.engine.EngineContext;
import io.millrace.engine.service.MarketDataEvent;
import io.millrace.engine.service.MarketDataPublisher;
import io.millrace.exchange.core.ExchangeCore;
import io.millrace.exchange.itch.ItchContext;
import io.millrace.exchange.itch.ItchPublisher;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.io.IOException;
import java.io.UncheckedIOException;

/** ITCH of an exchange: the engine's market data, a flow that loses nothing, the publisher on an agent of its own. */
final class ItchOut
{
    private static final String NAME = "itch";

    final ItchPublisher publisher;
    private final InVmSource<MarketDataEvent> changes;
    private final MarketDataPublisher marketData;

    ItchOut(final ItchContext context, final EngineContext engine, final int ringCapacity)
    {
        if (engine.hasMarketData())
        {
            throw new IllegalArgumentException("the engine's context has a listener of market data, where ITCH needs " +
                "its own: the application's, or that of an earlier launch; take a new context for each launch");
        }
        try
        {
            publisher = new ItchPublisher(context);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot publish ITCH: " + ex.getMessage(), ex);
        }
        changes = new InVmSource<>(MarketDataEvent::new, ringCapacity);
        marketData = new MarketDataPublisher(MarketDataPublisher.DEFAULT_NAME, changes, true, false).withTape();
        engine.marketData(marketData);
    }

    void beginAfterRecovery(final ExchangeCore core)
    {
        core.onRecovered(publisher::begin);
    }

    void addTo(final Server.Context server)
    {
        server.service(marketData)
            .flow("changes", f -> f.from(changes).onFull(BackPressure.BLOCK).to(NAME, publisher))
            .agent(NAME, a -> a.hosts(NAME));
    }

    void countOn(final Server server)
    {
        publisher.addTo(server.counters(), NAME);
    }
}
