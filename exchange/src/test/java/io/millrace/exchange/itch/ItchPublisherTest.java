package io.millrace.exchange.itch;

import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.Listing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Juncture and Nassau build the books from our multicast; they are equal to those of the engine. */
@Tag("server")
@Timeout(300)
class ItchPublisherTest
{
    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    @Test
    void shouldLetAnotherClientBuildTheBooksOf20000Commands() throws IOException
    {
        compare(20_000);
    }

    @Test
    @Tag("faults")
    void shouldLetAnotherClientBuildTheBooksOf1000000Commands() throws IOException
    {
        compare(1_000_000);
    }

    /** Loses packets, and compares the books every 1,000 commands. */
    private void compare(final int count) throws IOException
    {
        System.out.println("-Dmillrace.seed=" + seed);
        final RandomCommands random = new RandomCommands(seed, ItchRig.GOLD, ItchRig.SILVER, ItchRig.HIDDEN);
        try (ItchRig rig = new ItchRig(matching -> {});
            ItchRig.Client client = rig.new Client(1, new JunctureBooks()))
        {
            for (int given = 0; given < count; given += 20)
            {
                rig.give(random, 20);
                if (given % 280 == 0)
                {
                    client.lose();
                }
                client.poll();
                if (given % 1_000 == 980)
                {
                    client.catchUp();
                    shouldBeEqual(rig, client.books);
                    assertEquals(Map.of(1, rig.traded[0] * ItchRig.SHARES[0], 2, rig.traded[1] * ItchRig.SHARES[1]),
                        client.books.traded);
                }
            }
            assertTrue(client.requested > 0);
            assertTrue(rig.server.counters().value("itch.otherSymbols") > 0);
            assertEquals(0, rig.server.counters().value("itch.notShown"));
            assertEquals(0, rig.server.counters().value("itch.unansweredRequests"));
            assertEquals(List.of(), rig.errors);
            System.out.println(client.messages + " messages of " + count + " commands, " + client.requested +
                " requests");
        }
    }

    @Test
    void shouldBeginWithTheOrdersOfARecoveredEngineAndEndTheSession() throws IOException
    {
        System.out.println("-Dmillrace.seed=" + seed);
        final RandomCommands random = new RandomCommands(seed, ItchRig.SYMBOLS);
        final ItchRig rig = new ItchRig(matching ->
        {
            final OrderCommand command = new OrderCommand();
            for (int i = 0; i < 2_000; i++)
            {
                matching.engine().execute(random.next(command).symbol(), command);
            }
            matching.engine().haltSymbol(ItchRig.SILVER);
        });
        try (ItchRig.Client client = rig.new Client(1, new JunctureBooks()))
        {
            rig.server.invoke();
            client.catchUp();
            assertTrue(client.messages > 50);
            shouldBeEqual(rig, client.books);
            assertEquals(Map.of(1, 'T', 2, 'H'), client.books.states);
            rig.commands.publish(rig.commands.claim().resumeSymbol(ItchRig.SILVER));
            rig.commands.publish(rig.commands.claim().haltSymbol(ItchRig.GOLD));
            rig.give(random, 60);
            client.catchUp();
            shouldBeEqual(rig, client.books);
            assertEquals(Map.of(1, 'H', 2, 'T'), client.books.states);
            rig.close();
            client.poll();
            assertTrue(client.ended);
            assertEquals("OC", client.books.events.toString());
            assertEquals(List.of(), rig.errors);
        }
    }

    @Test
    void shouldEndTheSessionAtAGapOfTheEvents() throws IOException
    {
        final ItchRig rig = new ItchRig(matching -> {});
        try (ItchRig.Client client = rig.new Client(1, new JunctureBooks()))
        {
            rig.commands.publish(rig.commands.claim().limit(ItchRig.GOLD, 1, 1, Side.BID, 100, 5));
            rig.server.invoke();
            rig.matching.engine().muteMarketData(true);
            rig.matching.engine().execute(ItchRig.GOLD,
                new OrderCommand().limit(ItchRig.GOLD, 2, 1, Side.BID, 100, 5));
            rig.matching.engine().muteMarketData(false);
            rig.commands.publish(rig.commands.claim().limit(ItchRig.GOLD, 3, 1, Side.BID, 100, 5));
            rig.server.invoke();
            assertEquals("market data of symbol 7 after sequences 1 and 0 cannot be followed by ORDER_ADDED 3 " +
                "symbol 7 side 0 order 3 price 100 size 5 orders 0; its flow must lose nothing",
                rig.server.failure().getCause().getMessage());
            client.poll();
            assertTrue(client.ended);
            assertEquals(List.of("10000 x 5"), client.books.side(1, 'B'));
        }
        rig.close();
    }

    @Test
    void shouldCountOrdersThatDoNotFitItsFields() throws IOException
    {
        final long price = Listing.MAX_FIELD / ItchRig.UNITS[0];
        final long size = Listing.MAX_FIELD / ItchRig.SHARES[1];
        try (ItchRig rig = new ItchRig(matching -> {});
            ItchRig.Client client = rig.new Client(1, new JunctureBooks()))
        {
            rig.commands.publish(rig.commands.claim().limit(ItchRig.GOLD, 1, 1, Side.ASK, price, 5));
            rig.commands.publish(rig.commands.claim().limit(ItchRig.GOLD, 2, 1, Side.ASK, price + 1, 5));
            rig.commands.publish(rig.commands.claim().limit(ItchRig.SILVER, 1, 1, Side.BID, 9, size));
            rig.commands.publish(rig.commands.claim().limit(ItchRig.SILVER, 2, 1, Side.BID, 9, size + 1));
            rig.commands.publish(rig.commands.claim().reduce(ItchRig.SILVER, 2, 1, 5));
            rig.commands.publish(rig.commands.claim().cancel(ItchRig.GOLD, 2, 1));
            rig.server.invoke();
            client.catchUp();
            assertEquals(2, rig.server.counters().value("itch.notShown"));
            assertEquals(List.of(price * ItchRig.UNITS[0] + " x 5"), client.books.side(1, 'S'));
            assertEquals(List.of("9 x " + size * ItchRig.SHARES[1]), client.books.side(2, 'B'));
            assertEquals(List.of(), rig.errors);
        }
    }

    @Test
    void shouldRefuseSettingsByNameAndRange()
    {
        final ItchContext context = new ItchContext();
        final Listing gold = new Listing(ItchRig.spec(1), "GOLD");
        refuse("there are 0 symbols, not 1..65535", () -> new ItchPublisher(context));
        context.symbol(gold);
        refuse("symbol 1 \"GOLD\" is not new: there is symbol 1 \"GOLD\"", () -> context.symbol(gold));
        refuse("symbol \"NINELONG9\": length is not in 1..8", () -> new Listing(ItchRig.spec(1), "NINELONG9"));
        refuse("priceUnits 0 is not in 1..4294967295", () -> new Listing(ItchRig.spec(1), "A", 0, 1));
        refuse("sharesPerLot -1 is not in 1..4294967295", () -> new Listing(ItchRig.spec(1), "A", 1, -1));
        refuse("storedMessages 1000 is not a power of two in 1024..16777216", () -> context.storedMessages(1_000));
        refuse("session \"\" is not 1..10 characters in 33..126", () -> context.session(""));
        final InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere", 1);
        final InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
        refuse("server of requests: nowhere/<unresolved>:1 is unresolved", () -> context.servers(unknown, any));
        refuse("server of snapshots: nowhere/<unresolved>:1 is unresolved", () -> context.servers(any, unknown));
        refuse("destination /127.0.0.1:0 is unresolved, or its port is not in 1..65535",
            () -> context.destination(any, null));
    }

    private static void refuse(final String message, final Executable attempt)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class, attempt).getMessage());
    }

    static void shouldBeEqual(final ItchRig rig, final JunctureBooks books)
    {
        assertEquals(Map.of(1, "GOLD", 2, "SILVER22"), books.stocks);
        for (int i = 0; i < ItchRig.SYMBOLS.length; i++)
        {
            assertEquals(rig.bids(i), books.side(i + 1, 'B'));
            assertEquals(rig.asks(i), books.side(i + 1, 'S'));
        }
    }
}
