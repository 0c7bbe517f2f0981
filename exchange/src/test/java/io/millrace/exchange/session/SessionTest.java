package io.millrace.exchange.session;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.Listing;
import io.millrace.exchange.binary.SessionRecords;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.core.ExchangeCommand;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** Sessions: logon, replay, retry, cancel on disconnect, drop copy. */
class SessionTest
{
    private static final int WINDOW = 64;

    @TempDir
    private Path folder;

    private Exchange launch(final SessionContext sessions)
    {
        return Exchange.launch(ExchangeRig.context(folder, sessions).window(WINDOW));
    }

    private Exchange launch()
    {
        return launch(ExchangeRig.sessions());
    }

    private static Trader trader(final Exchange exchange, final int number, final boolean cancels)
    {
        return new Trader(exchange, "trader" + number, ExchangeRig.TOKEN + number, cancels);
    }

    @Test
    void shouldRefuseToReplayWhatIsNoLongerKept()
    {
        try (Exchange exchange = launch(); Trader one = trader(exchange, 1, false))
        {
            for (int order = 1; order <= WINDOW + 1; order++)
            {
                one.cancel(order);
            }
            one.client.lastAnswer(0);
            one.connect();
            assertEquals(EndReason.ANSWERS_GONE, one.ended);
            one.client.lastAnswer(1);
            one.lines.clear();
            one.connect();
            assertNull(one.ended);
            one.lines(WINDOW);
            assertEquals("2 r2 REJECTED order 2 0@0 open 0 UNKNOWN_ORDER", one.lines.get(0));
            one.client.lastAnswer(WINDOW + 2);
            one.connect();
            assertEquals(EndReason.ANSWERS_AHEAD, one.ended);
        }
    }

    /** A client that waits until it is answered would wait for ever. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 2})
    void shouldNotWaitForTheAnswerOfARequestThatIsNoLongerKept(final long last) throws IOException
    {
        try (Exchange exchange = launch(); Trader one = trader(exchange, 1, false);
            Trader two = trader(exchange, 2, false))
        {
            one.limit(1, Side.ASK, 100, WINDOW);
            one.client.command().limit(ExchangeRig.SYMBOL, 2, 0, Side.ASK, 200, 1);
            one.client.send();
            one.client.flush();
            one.disconnect();
            ExchangeRig.await(() -> counter(exchange, "commands") == 2);
            for (int order = 1; order <= WINDOW; order++)
            {
                two.limit(order, Side.BID, 100, 1);
            }
            one.connect();
            assertEquals(EndReason.ANSWERS_GONE, one.ended);
            assertEquals(1, one.client.unanswered());
            one.client.lastAnswer(last);
            one.connect();
            assertNull(one.ended);
            one.lines(last < 0 ? 1 : WINDOW + 1);
            assertEquals(0, one.client.unanswered());
        }
    }

    private static void pollWhile(final ExchangeClient client, final boolean isLoggedOn) throws IOException
    {
        while (client.isLoggedOn() == isLoggedOn)
        {
            client.poll(answer -> fail(answer.toString()));
            LockSupport.parkNanos(1_000);
        }
    }

    /** The exchange was killed, or its host is gone. */
    @Test
    @Timeout(60)
    void shouldKnowThatABrokenConnectionHasEnded() throws IOException
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ExchangeClient client = new ExchangeClient("trader1", ExchangeRig.TOKEN + 1, false, 64))
        {
            client.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
            final Socket broken = server.accept();
            broken.getInputStream().readNBytes(SessionRecords.LOGON_LENGTH);
            final byte[] accepted = new byte[SessionRecords.ACCEPTED_LENGTH];
            accepted[0] = SessionRecords.LOGON_ACCEPTED;
            broken.getOutputStream().write(accepted);
            pollWhile(client, false);
            assertTrue(client.isLoggedOn());
            // Resets it.
            broken.setSoLinger(true, 0);
            broken.close();
            assertThrows(IOException.class, () -> pollWhile(client, true));
            assertFalse(client.isLoggedOn());
        }
    }

    @Test
    void shouldAnswerARepeatedRequestAsTheFirstTime()
    {
        try (Exchange exchange = launch(); Trader one = trader(exchange, 1, false);
            RawClient raw = new RawClient(exchange.port()))
        {
            one.limit(1, Side.ASK, 100, 10);
            one.limit(1, Side.ASK, 100, 10);
            one.disconnect();
            raw.logOn("trader1", ExchangeRig.TOKEN + 1, 3, 0);
            raw.readUntilLogon();
            raw.place(1, 1, Side.ASK, 100, 10);
            raw.place(2, 1, Side.ASK, 100, 10);
            raw.place(3, 1, Side.BID, 100, 3);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10 repeated",
                "2 r2 REJECTED order 1 10@100 open 0 DUPLICATE_ORDER repeated",
                "3 r3 REJECTED order 1 3@100 open 0 DUPLICATE_ORDER"), raw.answers(3));
            for (int i = 4; i < WINDOW + 4; i++)
            {
                raw.place(i, 1, Side.BID, 100, 3);
            }
            raw.answers(WINDOW);
            raw.place(1, 1, Side.ASK, 100, 10);
            raw.place(1, 1, Side.ASK, 100, 10);
            assertEquals(List.of(
                "68 r1 REJECTED order 1 10@100 open 0 REQUEST_GONE",
                "68 r1 REJECTED order 1 10@100 open 0 REQUEST_GONE repeated"), raw.answers(2));
        }
    }

    @Test
    void shouldRepeatEveryAnswerToARequest()
    {
        try (Exchange exchange = launch(); Trader one = trader(exchange, 1, false);
            RawClient raw = new RawClient(exchange.port()))
        {
            one.limit(1, Side.ASK, 100, 10);
            raw.logOn("trader2", ExchangeRig.TOKEN + 2, 0, 0);
            raw.readUntilLogon();
            raw.place(1, 1, Side.BID, 100, 4);
            raw.place(1, 1, Side.BID, 100, 4);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 4@100 open 4",
                "2 r1 EXECUTED order 1 4@100 open 0 completed trade 1",
                "1 r1 ACCEPTED order 1 4@100 open 4 repeated",
                "2 r1 EXECUTED order 1 4@100 open 0 completed repeated trade 1"), raw.answers(4));
        }
    }

    /** Its window is closed, and it has sent more than was read: a reset would drop what waits in the system. */
    @Test
    void shouldSendAllAnswersAndTheReasonToAClientThatReadsLate() throws IOException
    {
        final int requests = 2_000;
        try (Exchange exchange = ExchangeRig.launch(folder);
            RawClient client = new RawClient(ExchangeRig.lateReader(exchange)))
        {
            client.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
            for (int i = 1; i <= requests; i++)
            {
                client.place(i, 0, Side.BID, 100, 3);
            }
            ExchangeRig.await(() -> counter(exchange, "delivered") == requests);
            final byte[] garbage = new byte[60_000];
            Arrays.fill(garbage, (byte)-1);
            client.send(garbage);
            ExchangeRig.await(() -> counter(exchange, "ended.MALFORMED") == 1);
            assertEquals(requests, client.answers(requests).size());
            assertEquals(EndReason.MALFORMED, client.end());
        }
    }

    @Test
    void shouldCancelOnDisconnectOnlyIfAsked()
    {
        try (Exchange exchange = launch(); Trader keeps = trader(exchange, 1, false))
        {
            final Trader cancels = trader(exchange, 2, true);
            keeps.limit(1, Side.ASK, 100, 10);
            cancels.limit(1, Side.ASK, 101, 10);
            cancels.limit(2, Side.ASK, 102, 10);
            keeps.disconnect();
            cancels.disconnect();
            keeps.connect();
            cancels.connect();
            cancels.lines(4);
            keeps.cancel(1);
            final List<String> cancelled = cancels.lines.subList(2, 4);
            assertTrue(cancelled.contains("3 r0 CANCELLED order 1 10@101 open 0 DISCONNECTED completed") ||
                cancelled.contains("4 r0 CANCELLED order 1 10@101 open 0 DISCONNECTED completed"),
                cancelled::toString);
            assertEquals("2 r2 CANCELLED order 1 10@100 open 0 REQUESTED completed", keeps.lines.get(1));
            cancels.close();
        }
    }

    @Test
    void shouldCancelAfterAKillForASessionThatAskedForIt()
    {
        final Trader cancels;
        try (Exchange exchange = launch())
        {
            cancels = trader(exchange, 2, true);
            cancels.limit(1, Side.ASK, 101, 10);
        }
        try (Exchange exchange = launch())
        {
            cancels.connect(ExchangeRig.address(exchange));
            assertEquals("2 r0 CANCELLED order 1 10@101 open 0 DISCONNECTED completed", cancels.lines(2).get(1));
            cancels.close();
        }
    }

    @Test
    void shouldEndTheOldConnectionOfAClientThatLogsOnAgain()
    {
        try (Exchange exchange = launch(); Trader old = trader(exchange, 1, false);
            Trader now = trader(exchange, 1, false))
        {
            old.poll(() -> old.ended != null);
            assertEquals(EndReason.REPLACED, old.ended);
            now.cancel(1);
            assertEquals(1, now.lines.size());
        }
    }

    /** The first logon is answered, with a refusal, when the second one already waits for its answer. */
    @Test
    void shouldKeepTheAnswerOfAnOlderLogonFromTheNewConnection()
    {
        final AtomicBoolean isStopped = new AtomicBoolean();
        final AtomicBoolean goesOn = new AtomicBoolean();
        final EngineContext engine = ExchangeRig.engineThatStops(isStopped, goesOn);
        try (Exchange exchange = Exchange.launch(new ExchangeContext(folder, engine, ExchangeRig.sessions()).agents(2)
            .idle(() -> new SleepingIdleStrategy(1_000_000)).journal(journal -> journal.watermarkBytes(0)));
            Trader admin = new Trader(exchange, "admin");
            RawClient old = new RawClient(exchange.port()); RawClient now = new RawClient(exchange.port()))
        {
            try (RawClient wrong = new RawClient(exchange.port()))
            {
                admin.client.command().addSymbol(ExchangeRig.spec(3), null);
                admin.client.send();
                admin.poll(isStopped::get);
                old.logOn("trader1", ExchangeRig.TOKEN + 1, 99, 0);
                wrong.logOn("trader1", "wrong", 0, 0);
                assertEquals(EndReason.WRONG_TOKEN, wrong.end(), "the old logon was read before");
                now.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
                assertEquals(EndReason.REPLACED, old.end());
            }
            finally
            {
                goesOn.set(true);
            }
            now.place(1, 1, Side.ASK, 100, 10);
            assertEquals(List.of("1 r1 ACCEPTED order 1 10@100 open 10"), now.answers(1));
        }
    }

    @Test
    void shouldGiveADropCopyEverybodysAnswersAndNoCommand()
    {
        try (Exchange exchange = launch(); Trader drop = new Trader(exchange, "drop");
            Trader one = trader(exchange, 1, false); Trader two = trader(exchange, 2, false))
        {
            one.limit(5, Side.ASK, 100, 10);
            two.limit(6, Side.BID, 100, 4);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 5 10@100 open 10 user 1",
                "2 r1 ACCEPTED order 6 4@100 open 4 user 2",
                "3 r1 EXECUTED order 6 4@100 open 0 completed user 2 trade 1",
                "4 r0 EXECUTED order 5 4@100 open 6 maker user 1 trade 1"), drop.lines(4));
            drop.limit(1, Side.BID, 1, 1);
            assertEquals("5 r1 REJECTED order 1 1@1 open 0 NOT_ALLOWED", drop.lines.get(4));
            drop.client.cancelAll(ExchangeCommand.ALL_SYMBOLS);
            assertEquals("6 r2 REJECTED order 0 0@0 open 0 NOT_ALLOWED", drop.lines(6).get(5));
            assertFalse(two.lines.toString().contains("user"));
        }
    }

    @Test
    void shouldNotLetAClientUseAnothersOrdersOrUserOrCommands()
    {
        try (Exchange exchange = launch(); Trader one = trader(exchange, 1, false);
            Trader two = trader(exchange, 2, false); Trader admin = new Trader(exchange, "admin"))
        {
            one.limit(5, Side.ASK, 100, 10);
            two.cancel(5);
            two.client.command().cancel(ExchangeRig.SYMBOL, 5, 1);
            two.sendAndWait();
            two.client.command().haltSymbol(ExchangeRig.SYMBOL);
            two.sendAndWait();
            two.client.command().limit(ExchangeRig.SYMBOL, 1L << 48, 0, Side.BID, 1, 1);
            two.sendAndWait();
            two.client.command().reset();
            two.sendAndWait();
            assertEquals(List.of(
                "1 r1 REJECTED order 5 0@0 open 0 UNKNOWN_ORDER",
                "2 r2 REJECTED order 5 0@0 open 0 WRONG_USER",
                "3 r3 REJECTED order 0 0@0 open 0 NOT_ALLOWED",
                "4 r4 REJECTED order " + (1L << 48) + " 1@1 open 0 WRONG_ORDER_ID",
                "5 r5 REJECTED order 0 0@0 open 0 NOT_ALLOWED"), two.lines);
            admin.client.command().haltSymbol(ExchangeRig.SYMBOL);
            admin.sendAndWait();
            assertEquals("1 r1 DONE order 0 0@0 open 0", admin.lines.get(0));
            two.limit(1, Side.BID, 1, 1);
            assertTrue(two.lines.get(5).endsWith("SYMBOL_HALTED"), two.lines.get(5));
            // It would empty the engine, but not what the exchange knows of the clients.
            admin.client.command().reset();
            admin.sendAndWait();
            assertEquals("2 r2 REJECTED order 0 0@0 open 0 NOT_ALLOWED", admin.lines.get(1));
        }
    }

    /** -1 is the number of all symbols, in a mass cancel only. */
    @Test
    void shouldKnowNoSymbolWithTheNumberOfAllSymbols()
    {
        final int all = ExchangeCommand.ALL_SYMBOLS;
        try (Exchange exchange = launch(); Trader one = trader(exchange, 1, false);
            Trader admin = new Trader(exchange, "admin"))
        {
            one.limit(5, Side.ASK, 100, 10);
            final OrderCommand command = one.client.command();
            for (final Runnable change : List.<Runnable>of(() -> command.cancel(all, 5, 0),
                () -> command.reduce(all, 5, 0, 3), () -> command.replace(all, 5, 0, 101, 8),
                () -> command.move(all, 5, 0, 101), () -> command.limit(all, 6, 0, Side.ASK, 100, 10)))
            {
                change.run();
                one.sendAndWait();
            }
            assertEquals("1 r1 ACCEPTED order 5 10@100 open 10", one.lines.get(0));
            assertEquals(6, one.lines.size());
            one.lines.subList(1, 6).forEach(line -> assertTrue(line.contains("REJECTED") &&
                line.endsWith("open 0 UNKNOWN_SYMBOL"), line));
            admin.client.command().addSymbol(ExchangeRig.spec(all), null);
            admin.sendAndWait();
            assertEquals("1 r1 REJECTED order 0 0@0 open 0 WRONG_VALUE", admin.lines.get(0));
            one.client.cancelAll(all);
            one.poll(() -> one.client.unanswered() == 0);
            assertEquals("7 r7 CANCELLED order 5 10@100 open 0 MASS_CANCEL completed", one.lines.get(6));
        }
        final ExchangeContext context = new ExchangeContext(
            folder.resolve("other"), ExchangeRig.engine().symbol(ExchangeRig.spec(all)), ExchangeRig.sessions());
        final String thrown = assertThrows(IllegalArgumentException.class, () -> Exchange.launch(context)).getMessage();
        assertEquals("symbol -1 of the engine means all symbols in an exchange: give it another number", thrown);
        assertEquals("symbol -1 means all symbols", assertThrows(IllegalArgumentException.class,
            () -> new Listing(ExchangeRig.spec(all), "GOLD")).getMessage());
    }

    @Test
    void shouldDeliverAllAnswersToAClientThatReadsLate()
    {
        final SessionContext sessions = ExchangeRig.sessions().outputBytes(4_096);
        final ExchangeContext context = ExchangeRig.context(folder, sessions).window(16_384);
        try (Exchange exchange = Exchange.launch(context); Trader one = trader(exchange, 1, false);
            Trader two = trader(exchange, 2, false))
        {
            one.limit(1, Side.ASK, 100, 12_000);
            for (int i = 1; i <= 12_000; i++)
            {
                two.client.command().immediate(ExchangeRig.SYMBOL, i, 0, Side.BID, 100, 1);
                while (two.client.send() == 0)
                {
                    two.poll(() -> two.client.unanswered() < 1_024);
                }
            }
            two.poll(() -> two.client.unanswered() == 0);
            one.lines(12_001);
            assertEquals("12001 r0 EXECUTED order 1 1@100 open 0 completed maker trade 12000", one.lines.get(12_000));
        }
    }
}
