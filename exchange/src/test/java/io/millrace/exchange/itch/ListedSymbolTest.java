package io.millrace.exchange.itch;

import io.millrace.engine.book.Side;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.Listing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An admin changes the symbols of an exchange that publishes ITCH. */
@Tag("server")
@Timeout(120)
class ListedSymbolTest
{
    @TempDir
    private Path folder;

    private ExchangeContext context() throws IOException
    {
        return ExchangeRig.context(folder, ExchangeRig.sessions()).itch(new ItchContext()
            .symbol(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD"))
            .destination(new InetSocketAddress(ItchContext.DEFAULT_GROUP, ExchangeRig.freePort()), null));
    }

    private Exchange launch() throws IOException
    {
        return Exchange.launch(context());
    }

    @Test
    void shouldSayThatAContextIsForOneLaunch() throws IOException
    {
        final ExchangeContext context = context();
        Exchange.launch(context).close();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Exchange.launch(context)).getMessage()
            .endsWith("that of an earlier launch; take a new context for each launch"));
        launch().close();
    }

    /** Without it the next start would fail; added again, its sequences would begin at 1. */
    @Test
    void shouldNotBeRemovedByAnAdmin() throws IOException
    {
        try (Exchange exchange = launch(); Trader admin = new Trader(exchange, "admin");
            Trader one = new Trader(exchange, "trader1"))
        {
            one.limit(1, Side.BID, 10, 5);
            one.cancel(1);
            for (final int symbol : new int[] {ExchangeRig.SYMBOL, ExchangeRig.SECOND_SYMBOL})
            {
                admin.client.command().removeSymbol(symbol);
                admin.sendAndWait();
                admin.client.command().addSymbol(ExchangeRig.spec(symbol), null);
                admin.sendAndWait();
            }
            assertEquals(List.of("1 r1 REJECTED order 0 0@0 open 0 NOT_ALLOWED",
                "2 r2 REJECTED order 0 0@0 open 0 SYMBOL_EXISTS", "3 r3 DONE order 0 0@0 open 0",
                "4 r4 DONE order 0 0@0 open 0"), admin.lines);
            one.limit(2, Side.BID, 10, 5);
            ExchangeRig.await(() -> exchange.server().counters().value("itch.messages") >= 6);
            assertNull(exchange.server().failure());
        }
        try (Exchange exchange = launch())
        {
            assertNull(exchange.server().failure());
        }
    }
}
