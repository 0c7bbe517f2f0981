package io.millrace.exchange.session;

import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.binary.SessionRecords;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerCodec;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a session keeps over reconnects and snapshots, and what a connection does not keep. */
@Timeout(120)
class KeptStateTest
{
    private static final int WINDOW = 1_024;

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

    private static RawClient raw(final Exchange exchange, final String name, final String token, final long first)
    {
        final RawClient client = new RawClient(exchange.port());
        client.logOn(name, ExchangeRig.TOKEN + token, first, 0);
        assertEquals(SessionRecords.LOGON_ACCEPTED, client.read()[0]);
        return client;
    }

    @Test
    void shouldContinueEachSessionFromASnapshot() throws Exception
    {
        try (Exchange exchange = launch(); Trader one = new Trader(exchange, "trader1");
            Trader drop = new Trader(exchange, "drop"))
        {
            one.limit(1, Side.ASK, 100, 10);
            one.limit(1, Side.ASK, 100, 10);
            drop.lines(2);
            assertTrue(exchange.journal().requestSnapshot().get(60, TimeUnit.SECONDS) > 0);
        }
        try (Exchange exchange = launch(); RawClient one = raw(exchange, "trader1", "1", 0);
            RawClient drop = raw(exchange, "drop", "drop", 3))
        {
            assertTrue(exchange.recovered().snapshot() > 0, "it started without the snapshot");
            one.place(1, 1, Side.ASK, 100, 10);
            one.place(3, 2, Side.ASK, 101, 10);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10 repeated",
                "3 r3 ACCEPTED order 2 10@101 open 10"), one.answers(2));
            assertEquals(List.of("3 r3 ACCEPTED order 2 10@101 open 10 user 1"), drop.answers(1));
        }
    }

    @Test
    void shouldGiveADropCopyEachAnswerOnceAlsoAfterItsReconnect()
    {
        try (Exchange exchange = launch(); Trader drop = new Trader(exchange, "drop");
            Trader one = new Trader(exchange, "trader1"))
        {
            one.limit(1, Side.ASK, 100, 10);
            drop.lines(1);
            drop.disconnect();
            drop.connect();
            one.limit(2, Side.ASK, 100, 10);
            one.limit(3, Side.ASK, 100, 10);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10 user 1",
                "2 r2 ACCEPTED order 2 10@100 open 10 user 1",
                "3 r3 ACCEPTED order 3 10@100 open 10 user 1"), drop.lines(3));
        }
    }

    /** The role is a setting: it holds from the next logon on. */
    @Test
    void shouldGiveNoCopiesToAClientThatIsNoDropCopyAnyMore()
    {
        try (Exchange exchange = launch(); Trader drop = new Trader(exchange, "drop");
            Trader one = new Trader(exchange, "trader1"))
        {
            one.limit(1, Side.ASK, 100, 10);
            drop.lines(1);
        }
        final SessionContext sessions = ExchangeRig.withoutTimeLimits()
            .client(new ClientAccount(1, "trader1", ExchangeRig.TOKEN + 1, Role.TRADER))
            .client(new ClientAccount(91, "drop", ExchangeRig.TOKEN + "drop", Role.TRADER));
        try (Exchange exchange = launch(sessions); Trader drop = new Trader(exchange, "drop");
            Trader one = new Trader(exchange, "trader1"))
        {
            one.limit(2, Side.ASK, 100, 10);
            drop.cancel(7);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10 user 1",
                "2 r1 REJECTED order 7 0@0 open 0 UNKNOWN_ORDER"), drop.lines(2));
        }
    }

    /** A copy has the number of another client's request. */
    @Test
    void shouldRepeatForADropCopyOnlyWhatItHasAskedFor()
    {
        try (Exchange exchange = launch(); RawClient drop = raw(exchange, "drop", "drop", 0);
            Trader one = new Trader(exchange, "trader1"))
        {
            one.limit(5, Side.ASK, 100, 10);
            assertEquals(List.of("1 r1 ACCEPTED order 5 10@100 open 10 user 1"), drop.answers(1));
            drop.place(1, 1, Side.BID, 1, 1);
            drop.place(1, 1, Side.BID, 1, 1);
            assertEquals(List.of(
                "2 r1 REJECTED order 1 1@1 open 0 NOT_ALLOWED",
                "2 r1 REJECTED order 1 1@1 open 0 NOT_ALLOWED repeated"), drop.answers(2));
        }
    }

    /** Answers are sent again in parts; each part asks for the next one, and no further command is needed. */
    @Test
    void shouldReplayInPartsUntilTheEnd()
    {
        final int answers = 300;
        try (Exchange exchange = launch(); Trader one = new Trader(exchange, "trader1"))
        {
            for (int order = 1; order <= answers; order++)
            {
                one.cancel(order);
            }
            final List<String> first = List.copyOf(one.lines);
            one.client.lastAnswer(0);
            one.lines.clear();
            one.connect();
            assertEquals(first, one.lines(answers));
            one.cancel(1);
            assertEquals(2, counter(exchange, "resends"));
        }
    }

    /** The old session ends before the new one begins: its wish holds for its orders, and not for those after it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheOldSessionBeforeTheNewOneBegins(final boolean cancels)
    {
        final String name = "trader1";
        final String token = ExchangeRig.TOKEN + 1;
        try (Exchange exchange = launch(); Trader old = new Trader(exchange, name, token, cancels))
        {
            old.limit(1, Side.ASK, 100, 10);
            try (Trader now = new Trader(exchange, name, token, !cancels))
            {
                now.cancel(1);
                final String first = "1 r1 ACCEPTED order 1 10@100 open 10";
                final List<String> expected = cancels ? List.of(first,
                    "2 r0 CANCELLED order 1 10@100 open 0 DISCONNECTED completed",
                    "3 r2 REJECTED order 1 0@0 open 0 UNKNOWN_ORDER") :
                    List.of(first, "2 r2 CANCELLED order 1 10@100 open 0 REQUESTED completed");
                assertEquals(expected, now.lines(expected.size()));
            }
        }
    }

    @Test
    void shouldNotGoBackWithTheClock()
    {
        final AtomicLong clock = new AtomicLong(2_000);
        final List<Long> times = new ArrayList<>();
        final Answer answer = new Answer();
        try (Exchange exchange = launch(ExchangeRig.sessions().epochClock(clock::get));
            RawClient one = raw(exchange, "trader1", "1", 0))
        {
            for (final long now : new long[]{2_000, 1_500, 2_001})
            {
                clock.set(now);
                one.place(times.size() + 1, 1, Side.ASK, 100, 10);
                final byte[] record = one.read();
                new AnswerCodec().decode(new ByteView(record), 0, record.length, answer);
                times.add(answer.timeNs());
            }
            assertEquals(List.of(2_000L, 2_000L, 2_001L), times);
        }
    }

    /** Logs on, and reads no answer until the socket takes none any more. */
    private static void blockSocket(final Exchange exchange, final RawClient stalled) throws IOException
    {
        stalled.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
        final OrderCommand command = new OrderCommand();
        long request = 0;
        while (isDelivered(exchange, request))
        {
            final ByteArrayOutputStream many = new ByteArrayOutputStream();
            for (int i = 0; i < 500; i++)
            {
                many.write(RawClient.place(command, ++request, 0, Side.BID, 100, 3));
            }
            stalled.send(many.toByteArray());
        }
    }

    /** Whether so many answers have left the exchange, or will soon. If not, its output was full: it skipped some. */
    private static boolean isDelivered(final Exchange exchange, final long count)
    {
        for (int i = 0; counter(exchange, "delivered") < count && (i < 1_000 || counter(exchange, "skipped") == 0); i++)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return counter(exchange, "delivered") >= count;
    }

    /** Its socket took nothing when the exchange ended it. The next connection but one gets the same object. */
    @Test
    @Tag("slow")
    void shouldWriteToTheNextOneAfterAConnectionWhoseSocketWasFull() throws IOException
    {
        try (Exchange exchange = launch(ExchangeRig.sessions().outputBytes(4_096)))
        {
            try (RawClient stalled = new RawClient(ExchangeRig.lateReader(exchange)))
            {
                blockSocket(exchange, stalled);
                try (RawClient now = raw(exchange, "trader1", "1", 0))
                {
                    ExchangeRig.await(() -> counter(exchange, "ended.REPLACED") == 1);
                    try (RawClient next = raw(exchange, "trader2", "2", 0))
                    {
                        next.place(1, 1, Side.ASK, 100, 10);
                        assertEquals(List.of("1 r1 ACCEPTED order 1 10@100 open 10"), next.answers(1));
                    }
                    assertTrue(now.socket.isConnected());
                }
            }
            assertNull(exchange.server().failure());
        }
    }

    private static byte[] cancelAll(final long request)
    {
        final byte[] record = new byte[SessionRecords.CANCEL_ALL_LENGTH];
        final ByteView bytes = new ByteView(record);
        bytes.putByte(0, SessionRecords.CANCEL_ALL);
        bytes.putByte(SessionRecords.VERSION_OFFSET, SessionRecords.VERSION);
        bytes.putInt(SessionRecords.CANCEL_ALL_SYMBOL_OFFSET, ExchangeCommand.ALL_SYMBOLS);
        bytes.putLong(SessionRecords.CANCEL_ALL_REQUEST_OFFSET, request);
        return record;
    }

    /** All of them would delay the answers of other clients, for 16 bytes of the one that repeats it. */
    @Test
    void shouldRepeatTheLastAnswersOfARequestThatHasMany() throws IOException
    {
        final int orders = 300;
        try (Exchange exchange = launch(); RawClient one = raw(exchange, "trader1", "1", 0))
        {
            for (int i = 1; i <= orders; i++)
            {
                one.place(i, i, Side.ASK, 100, 10);
            }
            one.answers(orders);
            one.send(cancelAll(orders + 1));
            final List<String> first = one.answers(orders + 1);
            one.send(cancelAll(orders + 1));
            one.place(orders + 2, 1, Side.ASK, 100, 10);
            final List<String> again = one.answers(129);
            for (int i = 0; i < 128; i++)
            {
                assertEquals(first.get(orders + 1 - 128 + i) + " repeated", again.get(i));
            }
            assertTrue(again.get(127).contains(" DONE "), again.get(127));
            assertTrue(again.get(128).contains(" ACCEPTED "), again.get(128));
        }
    }

    /** Nobody would ask for them again. */
    @Test
    void shouldLoseNoRepeatedAnswerWithoutAWord() throws IOException
    {
        try (Exchange exchange = launch(ExchangeRig.sessions().outputBytes(4_096)))
        {
            try (RawClient stalled = new RawClient(ExchangeRig.lateReader(exchange)))
            {
                stalled.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
                final ByteArrayOutputStream many = new ByteArrayOutputStream();
                for (int i = 0; i < 1_000; i++)
                {
                    many.write(RawClient.place(new OrderCommand(), 1, 1, Side.ASK, 100, 3));
                }
                // More answers than both sockets hold, and none is read.
                ExchangeRig.await(() ->
                {
                    try
                    {
                        stalled.send(many.toByteArray());
                    }
                    catch (final UncheckedIOException ex)
                    {
                        // It has ended.
                        return counter(exchange, "ended.SLOW") == 1;
                    }
                    return counter(exchange, "ended.SLOW") == 1;
                });
            }
            try (RawClient next = raw(exchange, "trader1", "1", 1))
            {
                next.place(1, 1, Side.ASK, 100, 3);
                assertEquals(List.of("1 r1 ACCEPTED order 1 3@100 open 3",
                    "1 r1 ACCEPTED order 1 3@100 open 3 repeated"), next.answers(2));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldGiveTheCancelsOfAnEndedConnectionTheTimeOfItsEnd()
    {
        final AtomicLong clock = new AtomicLong(2_000);
        final Answer answer = new Answer();
        try (Exchange exchange = launch(ExchangeRig.sessions().epochClock(clock::get)))
        {
            try (Trader one = new Trader(exchange, "trader1", ExchangeRig.TOKEN + 1, true))
            {
                one.limit(1, Side.ASK, 100, 10);
                clock.set(3_000);
            }
            try (RawClient one = raw(exchange, "trader1", "1", 2))
            {
                final byte[] record = one.read();
                new AnswerCodec().decode(new ByteView(record), 0, record.length, answer);
                assertEquals("2 r0 CANCELLED order 1 10@100 open 0 DISCONNECTED completed", ExchangeRig.text(answer));
                assertEquals(3_000, answer.timeNs());
            }
        }
    }

    /** It was behind, with answers in its output. The next connection gets the same object. */
    @Test
    void shouldKeepNothingOfAConnectionForTheNextOne() throws IOException
    {
        try (Exchange exchange = launch(ExchangeRig.sessions().outputBytes(4_096)))
        {
            try (RawClient stalled = new RawClient(ExchangeRig.lateReader(exchange)))
            {
                stalled.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
                final OrderCommand command = new OrderCommand();
                long request = 0;
                // No answer is read.
                while (counter(exchange, "skipped") == 0)
                {
                    final ByteArrayOutputStream many = new ByteArrayOutputStream();
                    for (int i = 0; i < 500; i++)
                    {
                        many.write(RawClient.place(command, ++request, 0, Side.BID, 100, 3));
                    }
                    stalled.send(many.toByteArray());
                }
            }
            ExchangeRig.await(() -> counter(exchange, "connections") == 0);
            try (RawClient silent = new RawClient(exchange.port()))
            {
                ExchangeRig.await(() -> counter(exchange, "connections") == 1);
                assertTrue(silent.socket.isConnected());
            }
            ExchangeRig.await(() -> counter(exchange, "connections") == 0);
            try (RawClient next = raw(exchange, "trader2", "2", 0))
            {
                next.place(1, 1, Side.ASK, 100, 10);
                assertEquals(List.of("1 r1 ACCEPTED order 1 10@100 open 10"), next.answers(1));
            }
            assertNull(exchange.server().failure());
        }
    }
}
