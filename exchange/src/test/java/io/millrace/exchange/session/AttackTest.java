package io.millrace.exchange.session;

import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.binary.SessionRecords;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** T2 to T4 and A1 of the faults: hostile peers harm themselves only. */
class AttackTest
{
    private static final String TOKEN_1 = ExchangeRig.TOKEN + 1;

    @TempDir
    private Path folder;

    private Exchange launch(final SessionContext sessions)
    {
        return Exchange.launch(ExchangeRig.context(folder, sessions));
    }

    private static int openFiles()
    {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd")))
        {
            return (int)files.count();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** A logon, five orders that rest, a logout. */
    private static byte[] stream()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(RawClient.logon("trader1", TOKEN_1, 0, 0));
        final OrderCommand command = new OrderCommand();
        for (int i = 1; i <= 5; i++)
        {
            bytes.writeBytes(RawClient.place(command, 0, i, Side.BID, 10 + i, i));
        }
        return bytes.toByteArray();
    }

    private void split(final int step, final long seed)
    {
        final byte[] bytes = stream();
        final Random random = new Random(seed);
        try (Exchange exchange = launch(ExchangeRig.sessions()))
        {
            for (int split = 1 + random.nextInt(step); split < bytes.length; split += step)
            {
                try (RawClient client = new RawClient(exchange.port()))
                {
                    client.send(Arrays.copyOf(bytes, split));
                    // The agent sleeps for a millisecond when it is idle.
                    TimeUnit.MILLISECONDS.sleep(2);
                    client.send(Arrays.copyOfRange(bytes, split, bytes.length));
                    final List<String> answers = client.answers(5);
                    for (int i = 0; i < 5; i++)
                    {
                        final String kind = split <= step ? "ACCEPTED" : "REJECTED";
                        assertTrue(answers.get(i).contains(kind + " order " + (i + 1) + " "), () -> "" + answers);
                    }
                }
                catch (final InterruptedException ex)
                {
                    throw new AssertionError(ex);
                }
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldReadTheSameForSplitsOfTheStream()
    {
        split(16, 1);
    }

    @Tag("faults")
    @Test
    void shouldReadTheSameForEverySplitOfTheStream()
    {
        split(1, 1);
    }

    @Test
    void shouldReadTheSameByteByByte()
    {
        try (Exchange exchange = launch(ExchangeRig.sessions());
            RawClient client = new RawClient(exchange.port()))
        {
            for (final byte each : stream())
            {
                client.send(new byte[] {each});
            }
            assertEquals(5, client.answers(5).size());
        }
    }

    private void garbage(final int connections, final long seed)
    {
        final Random random = new Random(seed);
        try (Exchange exchange = launch(ExchangeRig.sessions()); Trader two = new Trader(exchange, "trader2"))
        {
            for (int i = 1; i <= connections; i++)
            {
                final boolean logsOn = i % 2 == 0;
                final byte[] bytes = new byte[1 + random.nextInt(300)];
                random.nextBytes(bytes);
                // No record has this type, so the connection must end.
                bytes[0] = (byte)(100 + random.nextInt(100));
                try (RawClient client = new RawClient(exchange.port()))
                {
                    if (logsOn)
                    {
                        client.logOn("trader1", TOKEN_1, 0, 0);
                        client.readUntilLogon();
                    }
                    client.send(bytes);
                    final EndReason reason = client.end();
                    assertTrue(reason == EndReason.MALFORMED || reason == EndReason.CLOSED, () -> "" + reason);
                }
                if (i % 10 == 0)
                {
                    two.cancel(i);
                }
            }
            ExchangeRig.await(() -> counter(exchange, "connections") == 1 &&
                counter(exchange, "ended.MALFORMED") >= connections);
            assertEquals(connections, counter(exchange, "ended.MALFORMED"), "seed " + seed);
            assertEquals(connections / 10, two.lines.size());
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldEndConnectionsThatSendGarbage()
    {
        garbage(40, System.nanoTime());
    }

    @Tag("faults")
    @Test
    void shouldEndManyConnectionsThatSendGarbage()
    {
        garbage(5_000, System.nanoTime());
    }

    @Test
    void shouldEndAConnectionOnALogoutWithAWrongByte()
    {
        try (Exchange exchange = launch(ExchangeRig.sessions()); RawClient client = new RawClient(exchange.port()))
        {
            client.logOn("trader1", TOKEN_1, 0, 0);
            client.readUntilLogon();
            client.send(new byte[] {SessionRecords.LOGOUT, SessionRecords.VERSION, 0, 0, 0, 0, 0, 9});
            assertEquals(EndReason.MALFORMED, client.end());
        }
    }

    @Test
    void shouldRefuseCommandsWithWrongFieldsAndGoOn()
    {
        final OrderCommand command = new OrderCommand();
        try (Exchange exchange = launch(ExchangeRig.sessions()); RawClient client = new RawClient(exchange.port()))
        {
            client.logOn("trader1", TOKEN_1, 0, 0);
            client.readUntilLogon();
            final byte[] reserved = RawClient.place(command, 1, 7, Side.BID, 1, 1);
            reserved[6] = 1;
            client.send(reserved);
            final byte[] rust = new byte[40];
            rust[0] = 1;
            rust[8] = 9;
            rust[16] = 2;
            client.send(rust);
            client.send(RawClient.place(command, -5, 8, Side.BID, 1, 1));
            client.send(RawClient.place(command, Long.MAX_VALUE, 8, Side.BID, 1, 1));
            client.send(RawClient.place(command, Connection.MAX_REQUEST_ID + 1, 8, Side.BID, 1, 1));
            client.send(RawClient.place(command, 2, 8, (byte)7, 1, 1));
            assertEquals(List.of(
                "1 r1 REJECTED order 7 0@0 open 0 WRONG_VALUE",
                "2 r0 REJECTED order 9 0@0 open 0 WRONG_USER",
                "3 r0 REJECTED order 8 1@1 open 0 WRONG_VALUE",
                "4 r0 REJECTED order 8 1@1 open 0 WRONG_VALUE",
                "5 r0 REJECTED order 8 1@1 open 0 WRONG_VALUE",
                "6 r2 REJECTED order 8 1@1 open 0 WRONG_SIDE"), client.answers(6));
            client.logOn("trader1", TOKEN_1, 0, 0);
            assertEquals(EndReason.MALFORMED, client.end());
        }
    }

    private void connects(final int count)
    {
        try (Exchange exchange = launch(ExchangeRig.sessions().connectsPerSecond(100_000));
            Trader two = new Trader(exchange, "trader2"))
        {
            final int before = openFiles();
            for (int i = 0; i < count; i++)
            {
                try (RawClient client = new RawClient(exchange.port()))
                {
                    if (i % 3 == 1)
                    {
                        client.send(Arrays.copyOf(stream(), 85));
                    }
                    else if (i % 3 == 2)
                    {
                        client.socket.setOption(StandardSocketOptions.SO_LINGER, 0);
                    }
                }
                catch (final IOException | UncheckedIOException ex)
                {
                    throw new AssertionError("connection " + i, ex);
                }
                if (i % 32 == 0)
                {
                    two.cancel(i + 1);
                }
            }
            ExchangeRig.await(() -> counter(exchange, "connections") == 1);
            // Segments of the journal come and go.
            ExchangeRig.await(() -> openFiles() <= before + 8);
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldReleaseConnectionsThatCloseOrReset()
    {
        connects(200);
    }

    @Tag("faults")
    @Test
    void shouldReleaseTenThousandConnections()
    {
        connects(10_000);
    }

    @Test
    void shouldCloseConnectionsBeyondTheGreatestNumberAndServeTheOthers()
    {
        final AtomicLong skippedNs = new AtomicLong();
        final SessionContext sessions = ExchangeRig.sessions().maxConnections(8)
            .logonTimeoutNs(TimeUnit.MINUTES.toNanos(1)).clock(() -> System.nanoTime() + skippedNs.get());
        final List<RawClient> flood = new ArrayList<>();
        try (Exchange exchange = launch(sessions); Trader two = new Trader(exchange, "trader2"))
        {
            for (int i = 0; i < 30; i++)
            {
                flood.add(new RawClient(exchange.port()));
                two.cancel(i + 1);
            }
            ExchangeRig.await(() -> counter(exchange, "overLimit") == 30 - 7);
            skippedNs.set(TimeUnit.MINUTES.toNanos(1));
            ExchangeRig.await(() -> counter(exchange, "ended.LOGON_TIMEOUT") == 7);
            ExchangeRig.await(() -> counter(exchange, "connections") == 1);
            assertEquals(30, two.lines.size());
            // Also those that were never served are closed.
            assertEquals(30 - 7, flood.stream().filter(each -> each.end() == EndReason.CLOSED).count());
        }
        finally
        {
            flood.forEach(RawClient::close);
        }
    }

    @Test
    void shouldRefuseEveryWrongTokenInTheSameWay()
    {
        try (Exchange exchange = launch(ExchangeRig.sessions()); Trader two = new Trader(exchange, "trader2"))
        {
            final List<byte[]> logons = new ArrayList<>();
            for (int i = 0; i < 20; i++)
            {
                logons.add(RawClient.logon("trader2", TOKEN_1.substring(0, i % TOKEN_1.length()), 0, 0));
                logons.add(RawClient.logon("nobody" + i, TOKEN_1, 0, 0));
            }
            logons.add(RawClient.logon("", "", 0, 0));
            logons.add(RawClient.logon("trader2 ", ExchangeRig.TOKEN + 2, 0, 0));
            for (final byte[] logon : logons)
            {
                try (RawClient client = new RawClient(exchange.port()))
                {
                    client.send(logon);
                    assertEquals(EndReason.WRONG_TOKEN, client.end());
                }
            }
            two.cancel(1);
            assertEquals(1, two.lines.size());
            assertEquals(logons.size(), counter(exchange, "ended.WRONG_TOKEN"));
        }
    }

    @Test
    void shouldRefuseAnyOtherRecordBeforeTheLogon()
    {
        try (Exchange exchange = launch(ExchangeRig.sessions()))
        {
            for (final int type : new int[] {1, 2, 4, 5, 7, 8, SessionRecords.LOGOUT, SessionRecords.HEARTBEAT,
                SessionRecords.CANCEL_ALL, SessionRecords.LOGON_ACCEPTED, 22, 0, -1})
            {
                try (RawClient client = new RawClient(exchange.port()))
                {
                    final byte[] bytes = new byte[200];
                    bytes[0] = (byte)type;
                    bytes[1] = 1;
                    client.send(bytes);
                    final EndReason reason = client.end();
                    assertTrue(reason == EndReason.MALFORMED || reason == EndReason.CLOSED, () -> "" + reason);
                }
            }
            ExchangeRig.await(() -> counter(exchange, "ended.MALFORMED") == 13);
        }
    }

    @Tag("faults")
    @Test
    void shouldEndAClientThatNeverReadsServeTheOthersAndReplay() throws IOException
    {
        // 12 MB, three times what Linux queues for a socket by default.
        final int enough = 120_000;
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().outputBytes(4_096)
            .stallTimeoutNs(TimeUnit.SECONDS.toNanos(3))
            .client(new ClientAccount(1, "trader1", TOKEN_1, Role.TRADER))
            .client(new ClientAccount(91, "drop", ExchangeRig.TOKEN + "drop", Role.DROP_COPY));
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, sessions).window(1 << 17));
            Trader one = new Trader(exchange, "trader1"))
        {
            try (RawClient stalled = new RawClient(ExchangeRig.lateReader(exchange)))
            {
                stalled.logOn("drop", ExchangeRig.TOKEN + "drop", 1, 0);
                ExchangeRig.await(() -> counter(exchange, "connections") == 2);
                // It gets a copy of each answer, until no buffer of the system takes more.
                one.poll(() ->
                {
                    for (boolean sent = true; sent && one.client.lastRequest() < enough;)
                    {
                        one.client.command().cancel(ExchangeRig.SYMBOL, one.client.lastRequest() + 1, 0);
                        sent = one.client.send() != 0;
                    }
                    return counter(exchange, "ended.SLOW") == 1;
                });
            }
            one.poll(() -> one.client.unanswered() == 0);
            final int answers = one.lines.size();
            try (Trader drop = new Trader(exchange, "drop"))
            {
                assertEquals(one.lines.get(answers - 1) + " user 1", drop.lines(answers).get(answers - 1));
                assertEquals(one.lines.get(0) + " user 1", drop.lines.get(0));
            }
            assertEquals(1, counter(exchange, "ended.SLOW"));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldSpeakTheShortForm()
    {
        try (Exchange exchange = launch(ExchangeRig.sessions()); Trader two = new Trader(exchange, "trader2");
            RawClient client = new RawClient(exchange.port()))
        {
            client.logOn("trader1", TOKEN_1, 0, SessionRecords.SHORT_REPORTS);
            final byte[] order = new byte[40];
            order[0] = 1;
            order[1] = 1;
            order[8] = 77;
            order[16] = 1;
            order[24] = 100;
            order[32] = 10;
            client.send(order);
            ExchangeRig.await(() -> counter(exchange, "delivered") >= 1);
            two.limit(1, Side.BID, 100, 4);
            final byte[] report = client.read();
            assertEquals(48, report.length);
            assertEquals(3, report[0]);
            assertEquals(1, report[4]);
            assertEquals(77, report[16], "the maker is this client's order");
            assertEquals(100, report[24]);
            assertEquals(4, report[32]);
            final byte[] cancel = new byte[16];
            cancel[0] = 2;
            cancel[8] = 77;
            client.send(cancel);
            ExchangeRig.await(() -> counter(exchange, "delivered") >= 4);
            two.limit(2, Side.BID, 100, 4);
            assertTrue(two.lines.get(2).contains("ACCEPTED order 2 4@100 open 4"), two.lines::toString);
        }
    }
}
