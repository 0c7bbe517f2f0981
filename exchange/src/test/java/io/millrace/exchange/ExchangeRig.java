package io.millrace.exchange;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.EndReason;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.agrona.concurrent.SleepingIdleStrategy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;

import static org.junit.jupiter.api.Assertions.fail;

/** Exchanges and clients for tests. */
public final class ExchangeRig
{
    public static final int SYMBOL = 1;
    public static final int SECOND_SYMBOL = 2;
    public static final String TOKEN = "secret-token-of-";
    /**
     * A minute and a half or more: a force of the disk may take 15 seconds. Looks are counted, not time: a machine may
     * stop the test for minutes.
     */
    private static final int MAX_LOOKS = 450_000;
    private static final int SEGMENT = 1 << 20;
    /** By a park: on JDK 25, Thread.sleep allocates an event of the flight recorder until C2 has compiled it. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private ExchangeRig()
    {
    }

    /** No client yet. A host that stops a thread for seconds ends no session. */
    public static SessionContext withoutTimeLimits()
    {
        final long hourNs = TimeUnit.HOURS.toNanos(1);
        return new SessionContext().logonTimeoutNs(hourNs).idleTimeoutNs(hourNs).stallTimeoutNs(hourNs);
    }

    /** Eight traders, numbers 1 to 8; an admin, 90; a drop copy, 91. */
    public static SessionContext sessions()
    {
        final SessionContext sessions = withoutTimeLimits();
        for (int number = 1; number <= 8; number++)
        {
            sessions.client(new ClientAccount(number, "trader" + number, TOKEN + number, Role.TRADER));
        }
        return sessions.client(new ClientAccount(90, "admin", TOKEN + "admin", Role.ADMIN))
            .client(new ClientAccount(91, "drop", TOKEN + "drop", Role.DROP_COPY));
    }

    /** Its thread stops where symbol 3 is added, until it may go on. */
    public static EngineContext engineThatStops(final AtomicBoolean isStopped, final AtomicBoolean goesOn)
    {
        return engine().marketData(symbol ->
        {
            isStopped.set(symbol == 3);
            await(() -> symbol != 3 || goesOn.get());
            return null;
        });
    }

    public static EngineContext engine()
    {
        return new EngineContext().symbolCapacity(8).symbol(spec(SYMBOL)).symbol(spec(SECOND_SYMBOL));
    }

    public static SymbolSpec spec(final int symbol)
    {
        return SymbolSpec.future(symbol).withPrices(1, 1_000).withOrderCapacity(8_192).withWindowTicks(1_024);
    }

    public static ExchangeContext context(final Path directory, final SessionContext sessions)
    {
        return new ExchangeContext(directory, engine(), sessions).idle(() -> new SleepingIdleStrategy(IDLE_NS))
            .journal(journal -> journal.segmentBytes(SEGMENT).watermarkBytes(0)).ringCapacity(1_024).agents(2);
    }

    public static Exchange launch(final Path directory)
    {
        return Exchange.launch(context(directory, sessions()));
    }

    public static InetSocketAddress address(final Exchange exchange)
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), exchange.port());
    }

    /** A connected socket of a client that reads late: its system takes few bytes more. */
    public static Socket lateReader(final Exchange exchange) throws IOException
    {
        final Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(address(exchange));
        return socket;
    }

    /** A counter of order entry. */
    public static long counter(final Exchange exchange, final String name)
    {
        return exchange.server().counters().value("commands-source." + name);
    }

    /** A free UDP port. */
    public static int freePort() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            return socket.getLocalPort();
        }
    }

    static long threadOf(final String agent)
    {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().endsWith(agent)).findFirst()
            .orElseThrow().getId();
    }

    /** Waits for something that other threads do. */
    public static void await(final BooleanSupplier condition)
    {
        for (int looks = 0; !condition.getAsBoolean(); looks++)
        {
            if (looks > MAX_LOOKS)
            {
                fail("waited too long");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    /** A client that writes its answers down. */
    public static final class Trader implements ExchangeListener, AutoCloseable
    {
        public final ExchangeClient client;
        public final List<String> lines = new ArrayList<>();
        public EndReason ended;
        public long logons;
        private final InetSocketAddress address;

        public Trader(final Exchange exchange, final String name)
        {
            this(exchange, name, TOKEN + name.replace("trader", ""), false);
        }

        public Trader(
            final Exchange exchange, final String name, final String token, final boolean cancelsOnDisconnect)
        {
            this(exchange, name, token, cancelsOnDisconnect, null);
        }

        /** @param tls null for none; then the name of the exchange is "localhost". */
        public Trader(
            final Exchange exchange,
            final String name,
            final String token,
            final boolean cancelsOnDisconnect,
            final SSLContext tls)
        {
            client = new ExchangeClient(name, token, cancelsOnDisconnect, 1_024);
            client.tls(tls);
            address = tls == null ? address(exchange) : new InetSocketAddress("localhost", exchange.port());
            connect(address);
        }

        public void connect(final InetSocketAddress to)
        {
            final long before = logons;
            ended = null;
            try
            {
                client.connect(to);
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
            poll(() -> logons > before || ended != null);
        }

        public void connect()
        {
            connect(address);
        }

        /** Polls until a condition is true. */
        public void poll(final BooleanSupplier condition)
        {
            await(() ->
            {
                try
                {
                    client.poll(this);
                    return condition.getAsBoolean();
                }
                catch (final IOException ex)
                {
                    ended = EndReason.CLOSED;
                    client.close();
                    return condition.getAsBoolean();
                }
            });
        }

        /** Sends the client's command and waits until it is answered. */
        public void sendAndWait()
        {
            final long request = client.send();
            if (request == 0)
            {
                fail("not sent");
            }
            poll(() -> client.unanswered() == 0);
        }

        /** Waits for a number of lines in all. */
        public List<String> lines(final int count)
        {
            poll(() -> lines.size() >= count);
            return lines;
        }

        public void limit(final long orderId, final byte side, final long price, final long size)
        {
            client.command().limit(SYMBOL, orderId, 0, side, price, size);
            sendAndWait();
        }

        public void cancel(final long orderId)
        {
            client.command().cancel(SYMBOL, orderId, 0);
            sendAndWait();
        }

        @Override
        public void onAnswer(final Answer answer)
        {
            lines.add(text(answer));
        }

        @Override
        public void onLogon(final long firstAnswer, final long nextAnswer, final long lastRequest)
        {
            logons++;
        }

        @Override
        public void onEnd(final EndReason reason)
        {
            ended = reason;
        }

        /** Ends the connection; {@link #connect} goes on. */
        public void disconnect()
        {
            client.close();
        }

        @Override
        public void close()
        {
            client.close();
        }
    }

    /** One line for each answer. */
    public static String text(final Answer answer)
    {
        return answer.sequence() + " r" + answer.requestId() + " " + AnswerKind.name(answer.kind()) +
            " order " + answer.orderId() + " " + answer.size() + "@" + answer.price() + " open " + answer.openSize() +
            (answer.reason() == 0 ? "" : " " + AnswerReason.name(answer.kind(), answer.reason())) +
            (answer.isCompleted() ? " completed" : "") + (answer.isMaker() ? " maker" : "") +
            (answer.isRepeated() ? " repeated" : "") + (answer.user() == 0 ? "" : " user " + answer.user()) +
            (answer.tradeId() == 0 ? "" : " trade " + answer.tradeId());
    }
}
