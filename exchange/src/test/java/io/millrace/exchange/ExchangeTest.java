package io.millrace.exchange;

import io.millrace.engine.book.Side;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.binary.SessionRecords;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerDescriptor;
import io.millrace.exchange.session.EndReason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A whole exchange, through its sockets. */
@Tag("server")
class ExchangeTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldAnswerEveryCommand()
    {
        try (Exchange exchange = ExchangeRig.launch(folder);
            Trader one = new Trader(exchange, "trader1");
            Trader two = new Trader(exchange, "trader2"))
        {
            one.limit(7, Side.ASK, 100, 10);
            two.limit(7, Side.BID, 101, 4);
            two.cancel(8);
            one.lines(2);
            one.cancel(7);
            one.client.command().limit(99, 8, 0, Side.BID, 1, 1);
            one.sendAndWait();
            assertEquals(List.of(
                "1 r1 ACCEPTED order 7 10@100 open 10",
                "2 r0 EXECUTED order 7 4@100 open 6 maker trade 1",
                "3 r2 CANCELLED order 7 6@100 open 0 REQUESTED completed",
                "4 r3 REJECTED order 8 1@1 open 0 UNKNOWN_SYMBOL"), one.lines);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 7 4@101 open 4",
                "2 r1 EXECUTED order 7 4@100 open 0 completed trade 1",
                "3 r2 REJECTED order 8 0@0 open 0 UNKNOWN_ORDER"), two.lines);
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldNameTheAddressThatTheClientCannotConnectTo() throws IOException
    {
        final InetSocketAddress closed;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            closed = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        }
        try (ExchangeClient client = new ExchangeClient("trader1", ExchangeRig.TOKEN + "1", false, 64))
        {
            for (final InetSocketAddress bad : List.of(closed, InetSocketAddress.createUnresolved("nowhere", 9201)))
            {
                final String message = assertThrows(IOException.class, () -> client.connect(bad)).getMessage();
                assertTrue(message.startsWith("cannot connect to " + bad + ": "), message);
            }
        }
    }

    @Test
    void shouldAnswerAReplacementWithTheWholeSizeAndWhatIsOpen()
    {
        try (Exchange exchange = ExchangeRig.launch(folder); Trader one = new Trader(exchange, "trader1");
            Trader two = new Trader(exchange, "trader2"))
        {
            one.limit(1, Side.ASK, 100, 10);
            two.limit(1, Side.BID, 100, 3);
            one.lines(2);
            one.client.command().replace(ExchangeRig.SYMBOL, 1, 0, 101, 8);
            one.sendAndWait();
            assertEquals("3 r2 REPLACED order 1 8@101 open 5", one.lines.get(2));
        }
    }

    /** What a trigger leaves of an order counts for its command only. */
    @Test
    void shouldForgetATriggeredOrderAfterItsCommand()
    {
        try (Exchange exchange = ExchangeRig.launch(folder);
            Trader one = new Trader(exchange, "trader1");
            Trader two = new Trader(exchange, "trader2"))
        {
            one.client.command().stopLimit(ExchangeRig.SYMBOL, 1, 0, Side.BID, 100, 100, 10);
            one.sendAndWait();
            two.limit(1, Side.ASK, 100, 5);
            two.limit(2, Side.BID, 100, 1);
            one.lines(3);
            two.limit(3, Side.ASK, 100, 2);
            one.lines(4);
            one.cancel(1);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10",
                "2 r0 TRIGGERED order 1 0@100 open 10",
                "3 r0 EXECUTED order 1 4@100 open 6 trade 2",
                "4 r0 EXECUTED order 1 2@100 open 4 maker trade 3",
                "5 r2 CANCELLED order 1 4@100 open 0 REQUESTED completed"), one.lines(5));
        }
    }

    /** A stop whose price the last trade has reached triggers at once, and may trade. */
    @Test
    void shouldAcceptAStopBeforeItTriggers()
    {
        try (Exchange exchange = ExchangeRig.launch(folder);
            Trader one = new Trader(exchange, "trader1");
            Trader two = new Trader(exchange, "trader2"))
        {
            two.limit(1, Side.ASK, 100, 5);
            two.limit(2, Side.BID, 100, 1);
            one.client.command().stopLimit(ExchangeRig.SYMBOL, 1, 0, Side.BID, 100, 100, 10);
            one.sendAndWait();
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10",
                "2 r0 TRIGGERED order 1 0@100 open 10",
                "3 r1 EXECUTED order 1 4@100 open 6 trade 2"), one.lines(3));
        }
    }

    @Test
    void shouldAnswerAMassCancelThatIsRefused()
    {
        try (Exchange exchange = ExchangeRig.launch(folder); Trader one = new Trader(exchange, "trader1"))
        {
            one.client.cancelAll(8);
            one.limit(1, Side.BID, 100, 1);
            assertEquals(List.of("1 r1 REJECTED order 0 0@0 open 0 UNKNOWN_SYMBOL",
                "2 r2 ACCEPTED order 1 1@100 open 1"), one.lines);
        }
    }

    @Test
    void shouldTradeOnOneAgent()
    {
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, ExchangeRig.sessions()).agents(1));
            Trader one = new Trader(exchange, "trader1"); Trader two = new Trader(exchange, "trader2"))
        {
            one.limit(1, Side.ASK, 100, 3_000);
            for (int i = 1; i <= 3_000; i++)
            {
                two.client.command().limit(ExchangeRig.SYMBOL, i, 0, Side.BID, 100, 1);
                while (two.client.send() == 0)
                {
                    two.poll(() -> two.client.unanswered() < 1_024);
                }
            }
            two.lines(6_000);
            assertEquals("3001 r0 EXECUTED order 1 1@100 open 0 completed maker trade 3000",
                one.lines(3_001).get(3_000));
            assertNull(exchange.server().failure());
        }
    }

    /** No later answer and no further command reminds the exchange of it. */
    @Test
    void shouldDeliverTheLastAnswerOfACommandWhoseAnswersFillTheOutput()
    {
        final int outputBytes = 4_096;
        final int fits = outputBytes / AnswerDescriptor.LENGTH;
        try (Exchange exchange = Exchange.launch(
            ExchangeRig.context(folder, ExchangeRig.sessions().outputBytes(outputBytes)).agents(1));
            Trader one = new Trader(exchange, "trader1"); Trader two = new Trader(exchange, "trader2"))
        {
            for (int i = 1; i <= fits; i++)
            {
                one.limit(i, Side.ASK, 100, 1);
            }
            two.limit(1, Side.BID, 100, fits);
            assertEquals(fits + 1 + " r1 EXECUTED order 1 1@100 open 0 completed trade " + fits,
                two.lines(fits + 1).get(fits));
            // The socket took the output in between.
            assertEquals(0, counter(exchange, "resends"));
        }
    }

    @Test
    void shouldGoOnWhenASnapshotCannotBeWritten() throws IOException
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        final ExchangeContext context = ExchangeRig.context(folder, ExchangeRig.sessions()).agents(1).snapshotEvery(20)
            .server(server -> server.stallTimeoutNs(0).errorHandler(errors::add));
        try (Exchange exchange = Exchange.launch(context); Trader one = new Trader(exchange, "trader1"))
        {
            for (int record = 1; record <= 300; record++)
            {
                Files.createDirectories(folder.resolve(
                    String.format(Locale.ROOT, "journal/snapshot-%019d.tmp/full", record)));
            }
            for (int id = 1; id <= 100; id++)
            {
                one.limit(id, Side.ASK, 100, 1);
            }
            one.lines(100);
            assertNull(exchange.server().failure());
            final long failures = exchange.server().counters().value("journal.snapshotFailures");
            assertTrue(failures > 0, failures + " failures");
            ExchangeRig.await(() -> errors.size() >= failures);
            final String why = errors.get(0).getCause().getMessage();
            assertTrue(why.contains("could be written: "), why);
        }
    }

    @Test
    void shouldConnectAgainWhenToldThatTheConnectionHasEnded() throws IOException
    {
        try (Exchange exchange = ExchangeRig.launch(folder);
            ExchangeClient client = new ExchangeClient("trader1", ExchangeRig.TOKEN + "1", false, 64))
        {
            final List<String> events = new ArrayList<>();
            final ExchangeListener listener = new ExchangeListener()
            {
                @Override
                public void onAnswer(final Answer answer)
                {
                    events.add(answer.toString());
                }

                @Override
                public void onLogon(final long firstAnswer, final long nextAnswer, final long lastRequest)
                {
                    events.add("logon from " + firstAnswer);
                    if (events.size() == 1)
                    {
                        client.command().limit(ExchangeRig.SYMBOL, 1, 0, Side.ASK, 100, 10);
                        client.send();
                        client.logOut();
                    }
                }

                @Override
                public void onEnd(final EndReason reason)
                {
                    events.add("ended " + reason);
                    try
                    {
                        client.connect(ExchangeRig.address(exchange));
                    }
                    catch (final IOException ex)
                    {
                        throw new UncheckedIOException(ex);
                    }
                }
            };
            client.connect(ExchangeRig.address(exchange));
            ExchangeRig.await(() ->
            {
                try
                {
                    client.poll(listener);
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
                return events.size() >= 4 && client.unanswered() == 0;
            });
            assertEquals(List.of("ended LOGOUT", "logon from 1"), events.stream()
                .filter(event -> event.startsWith("ended") || event.startsWith("logon")).skip(1).toList());
            assertEquals(1, client.lastAnswer());
        }
    }

    @Test
    void shouldDeliverAnAnswerOnceWhenTheListenerThrows() throws IOException
    {
        try (Exchange exchange = ExchangeRig.launch(folder);
            ExchangeClient client = new ExchangeClient("trader1", ExchangeRig.TOKEN + "1", false, 64))
        {
            final List<String> events = new ArrayList<>();
            client.connect(ExchangeRig.address(exchange));
            ExchangeRig.await(() ->
            {
                try
                {
                    client.poll(answer ->
                    {
                        events.add("answer " + answer.sequence());
                        throw new IllegalStateException("planted");
                    });
                    if (client.isLoggedOn() && client.lastRequest() == 0)
                    {
                        client.command().limit(ExchangeRig.SYMBOL, 1, 0, Side.ASK, 100, 10);
                        client.send();
                        client.cancelAll(ExchangeRig.SYMBOL);
                    }
                }
                catch (final IllegalStateException | IOException ex)
                {
                    events.add(ex.getMessage());
                }
                return events.size() >= 6;
            });
            assertEquals(List.of("answer 1", "planted", "answer 2", "planted", "answer 3", "planted"), events);
        }
    }

    @Test
    void shouldNameAProtocolThatWasNotAdded()
    {
        try (Exchange exchange = ExchangeRig.launch(folder))
        {
            for (final int index : new int[]{-1, 0})
            {
                final IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> exchange.port(index));
                assertTrue(refused.getMessage().startsWith("protocol " + index + " was not added: there are 0"),
                    refused.getMessage());
            }
        }
    }

    @Test
    void shouldReplayMissedAnswersAfterARestart()
    {
        final Trader one;
        try (Exchange exchange = ExchangeRig.launch(folder); Trader two = new Trader(exchange, "trader2"))
        {
            one = new Trader(exchange, "trader1");
            one.limit(1, Side.ASK, 100, 10);
            one.close();
            two.limit(1, Side.BID, 100, 3);
            two.lines(2);
        }
        try (Exchange exchange = ExchangeRig.launch(folder))
        {
            one.connect(ExchangeRig.address(exchange));
            one.lines(2);
            one.cancel(1);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10",
                "2 r0 EXECUTED order 1 3@100 open 7 maker trade 1",
                "3 r2 CANCELLED order 1 7@100 open 0 REQUESTED completed"), one.lines);
            one.close();
        }
    }

    @Test
    void shouldEndAConnectionThatHasNoRightToken()
    {
        try (Exchange exchange = ExchangeRig.launch(folder);
            Trader wrong = new Trader(exchange, "trader1", "not the token", false);
            Trader unknown = new Trader(exchange, "nobody", "no-token-at-all", false))
        {
            assertEquals(EndReason.WRONG_TOKEN, wrong.ended);
            assertEquals(EndReason.WRONG_TOKEN, unknown.ended);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {13, 255})
    void shouldReportAnEndWithAReasonThatTheClientDoesNotKnow(final int reason) throws IOException
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ExchangeClient client = new ExchangeClient("trader1", "any-token", false, 1))
        {
            client.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
            try (Socket socket = server.accept())
            {
                final byte[] end = new byte[SessionRecords.SHORT_LENGTH];
                end[0] = SessionRecords.SESSION_END;
                end[SessionRecords.VERSION_OFFSET] = SessionRecords.VERSION;
                end[SessionRecords.END_REASON_OFFSET] = (byte)reason;
                socket.getOutputStream().write(end);
                final IOException failure = assertThrows(IOException.class, () ->
                {
                    while (true)
                    {
                        client.poll(new SilentListener());
                    }
                });
                assertEquals("the exchange ended the session for reason " + reason, failure.getMessage());
            }
        }
    }

    private static final class SilentListener implements ExchangeListener
    {
        @Override
        public void onAnswer(final Answer answer)
        {
            throw new AssertionError(answer);
        }

        @Override
        public void onLogon(final long firstAnswer, final long nextAnswer, final long lastRequest)
        {
            throw new AssertionError("no logon");
        }

        @Override
        public void onEnd(final EndReason reason)
        {
            throw new AssertionError(reason);
        }
    }
}
