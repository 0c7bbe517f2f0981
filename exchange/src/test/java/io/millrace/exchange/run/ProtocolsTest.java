package io.millrace.exchange.run;

import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.fix.FixClient;
import io.millrace.exchange.itch.JunctureBooks;
import io.millrace.exchange.ouch.OuchClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import quickfix.field.Side;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** A file switches on OUCH, FIX and ITCH: clients of other projects trade with each other and see it. */
@Tag("server")
@Timeout(180)
class ProtocolsTest
{
    private static final String GROUP = "239.255.77.2";
    private static final String TOKEN = "abcdefgh";

    @TempDir
    private Path folder;

    private ExchangeSettings settings(final int agents, final int groupPort)
    {
        return ExchangeSettings.of(YamlNode.parse("x.yaml", String.join("\n", "directory: " + folder.resolve("x"),
            "port: 0", "ouch-port: 0", "ouch-session: S1", "fix-port: 0", "fix-comp-id: MILL",
            "cancel-on-disconnect: false", "itch: " + GROUP + ":" + groupPort, "itch-request-port: 0",
            "itch-snapshot-port: 0", "itch-stored-messages: 1024", "durability: os-cache", "agents: " + agents,
            "symbols:", "- id: 7", "  min-price: 1", "  max-price: 100000", "  order-capacity: 1024",
            "  stock: GOLD", "  price-units: 100", "  shares-per-lot: 1", "clients:",
            "- number: 1", "  name: alice", "  token: " + TOKEN,
            "- number: 2", "  name: bob", "  token: " + TOKEN,
            "- number: 3", "  name: charles", "  token: " + TOKEN).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldTradeBetweenOuchAndFixAndPublishItOnOneAgent() throws Exception
    {
        shouldTradeAndPublish(1);
    }

    @Test
    void shouldTradeBetweenOuchAndFixAndPublishItOnTwoAgents() throws Exception
    {
        shouldTradeAndPublish(2);
    }

    private void shouldTradeAndPublish(final int agents) throws Exception
    {
        try (DatagramChannel group = join())
        {
            final int groupPort = ((InetSocketAddress)group.getLocalAddress()).getPort();
            final JunctureBooks first = new JunctureBooks();
            try (Exchange exchange = launch(agents, groupPort);
                OuchClient bob = new OuchClient(exchange.port(0), "bob", TOKEN, 0);
                FixClient alice = new FixClient(exchange.port(1), "alice", TOKEN))
            {
                alice.start();
                bob.enter(1, 'B', 5, "GOLD", 1_000_000, '0');
                assertEquals(List.of("A 1 B 5 GOLD @1000000"), bob.lines(1));
                alice.enter(1, Side.SELL, "GOLD", 3, 101);
                alice.enter(2, Side.SELL, "GOLD", 2, 100);
                assertEquals("E 1 2 @1000000 A 1", bob.lines(2).get(1));
                assertEquals("8 150=0 39=0 11=1 14=0 151=3 6=0.0000", alice.lines(1).get(0));
                shouldSee(group, first);
                assertNull(exchange.server().failure());
                assertEquals(0, exchange.server().counters().value("market-data.lost"));
            }
            ExchangeRig.await(() -> receive(group, first) && first.events.toString().equals("OC"));
            assertEquals(Map.of(1, 2L), first.traded);
            // The next session begins with the recovered orders.
            final Exchange exchange = launch(agents, groupPort);
            try (exchange)
            {
                shouldSee(group, new JunctureBooks());
                assertNull(exchange.server().failure());
            }
        }
    }

    private Exchange launch(final int agents, final int groupPort) throws IOException
    {
        final ExchangeSettings settings = settings(agents, groupPort);
        final Exchange exchange = Exchange.launch(settings.context());
        assertEquals(List.of(
            "OUCH on port " + exchange.port(0) +
                "; not for charles: a name of at most 6 and a token of at most 10 characters can log on",
            "FIX on port " + exchange.port(1),
            "ITCH to " + GROUP + ":" + groupPort + ", requests to port " + exchange.itch().requestServer().getPort() +
                ", snapshots from port " + exchange.itch().snapshotServer().getPort()),
            settings.protocols().report(exchange));
        return exchange;
    }

    private static void shouldSee(final DatagramChannel group, final JunctureBooks books)
    {
        ExchangeRig.await(() -> receive(group, books) && books.side(1, 'B').equals(List.of("1000000 x 3")) &&
            books.side(1, 'S').equals(List.of("1010000 x 3")));
    }

    private static DatagramChannel join() throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(new InetSocketAddress(GROUP, 0));
        channel.join(InetAddress.getByName(GROUP),
            NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
        channel.configureBlocking(false);
        return channel;
    }

    /** Reads what is there: MoldUDP64 has a header of 20 bytes with the number of messages, each behind its length. */
    private static boolean receive(final DatagramChannel group, final JunctureBooks books)
    {
        final ByteBuffer packet = ByteBuffer.allocate(2_048);
        try
        {
            while (group.receive(packet.clear()) != null)
            {
                final int count = packet.flip().getShort(18);
                packet.position(20);
                for (int i = 0; i < count; i++)
                {
                    final int length = packet.getShort();
                    books.read(packet.slice(packet.position(), length));
                    packet.position(packet.position() + length);
                }
            }
            return true;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
