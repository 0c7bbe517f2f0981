package io.millrace.exchange;

import io.millrace.engine.book.Side;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.itch.ItchContext;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * From socket to socket nothing allocates once warm: client, order entry with its selector, journal, engine, answers,
 * ITCH. Orders rest, trade, are replaced, cancelled, refused by the engine and by order entry, and repeated.
 */
class ExchangeAllocationTest
{
    private static final int COMMANDS = 8_000;
    /** On JDK 25 the compiler needs many of them until it removes the last temporary object. */
    private static final int MAX_WINDOWS = 60;

    @TempDir
    private Path folder;

    private final ExchangeListener listener = ignored -> count();
    private long answers;
    private long orders;

    private void count()
    {
        answers++;
    }

    private void trade(final ExchangeClient one, final ExchangeClient two) throws IOException
    {
        for (int i = 0; i < COMMANDS; i++)
        {
            final ExchangeClient client = (i & 1) == 0 ? one : two;
            final byte side = (i & 1) == 0 ? Side.ASK : Side.BID;
            switch (i % 8)
            {
                case 4:
                    client.command().cancel(ExchangeRig.SYMBOL, orders, 0);
                    break;
                case 5:
                    client.command().cancel(ExchangeRig.SYMBOL, orders - 1, 0);
                    break;
                case 6:
                    client.command().haltSymbol(ExchangeRig.SYMBOL);
                    break;
                case 7:
                    client.command().replace(ExchangeRig.SYMBOL, orders, 0, 101, 3);
                    break;
                default:
                    client.command().limit(ExchangeRig.SYMBOL, ++orders, 0, side, 100, 1 + i % 3);
                    break;
            }
            while (client.send() == 0)
            {
                one.poll(listener);
                two.poll(listener);
            }
        }
        while (one.unanswered() + two.unanswered() > 0)
        {
            one.poll(listener);
            two.poll(listener);
            Thread.yield();
        }
    }

    @Test
    void shouldAllocateNothingFromSocketToSocket() throws IOException
    {
        final ItchContext itch = new ItchContext()
            .symbol(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD"))
            .destination(new InetSocketAddress(ItchContext.DEFAULT_GROUP, ExchangeRig.freePort()), null);
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, ExchangeRig.sessions()).itch(itch)
            .journal(journal -> journal.segmentBytes(1 << 26).watermarkBytes(0)));
            ExchangeRig.Trader first = new ExchangeRig.Trader(exchange, "trader1");
            ExchangeRig.Trader second = new ExchangeRig.Trader(exchange, "trader2"))
        {
            final long[] agents =
                {ExchangeRig.threadOf("entry"), ExchangeRig.threadOf("core"), ExchangeRig.threadOf("itch")};
            trade(first.client, second.client);
            AllocationWindows.assertNothing(COMMANDS + " commands, client, entry, core, itch", MAX_WINDOWS,
                () -> trade(first.client, second.client), agents);
            assertTrue(exchange.server().counters().value("itch.messages") > COMMANDS / 8, "ITCH");
            assertNull(exchange.server().failure());
            assertTrue(answers > COMMANDS, "answers");
        }
    }
}
