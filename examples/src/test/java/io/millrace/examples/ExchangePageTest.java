package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.Listing;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.ouch.OuchProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** The program of docs/exchange.md: an exchange inside of an application. */
class ExchangePageTest
{
    private static final int SYMBOL = 1;

    private static Exchange launch(final Path directory)
    {
        final InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        final SymbolSpec gold = SymbolSpec.future(SYMBOL).withPrices(1, 1_000_000);
        final SessionContext sessions = new SessionContext()
            .client(new ClientAccount(1, "alice", "alice-demo", Role.TRADER));
        return Exchange.launch(new ExchangeContext(directory, new EngineContext().symbol(gold), sessions)
            .binaryAddress(anyPort)
            .protocol(new OuchProtocol("MILLRACE", List.of(new Listing(gold, "GOLD")), false), anyPort));
    }

    private static String order(final InetSocketAddress address) throws IOException
    {
        final List<String> answers = new ArrayList<>();
        try (ExchangeClient alice = new ExchangeClient("alice", "alice-demo", false, 64))
        {
            alice.connect(address);
            while (answers.isEmpty())
            {
                if (alice.isLoggedOn() && alice.unanswered() == 0)
                {
                    alice.command().limit(SYMBOL, 1, 0, Side.BID, 100, 10);
                    alice.send();
                }
                if (alice.poll(answer -> answers.add(AnswerKind.name(answer.kind()))) == 0)
                {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
        return answers.get(0);
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldAnswerAnOrder(@TempDir final Path directory) throws IOException
    {
        try (Exchange exchange = launch(directory.resolve("exchange")))
        {
            final InetAddress host = InetAddress.getLoopbackAddress();
            assertEquals("ACCEPTED", order(new InetSocketAddress(host, exchange.port())));
            assertNotEquals(exchange.port(), exchange.port(0));
            new Socket(host, exchange.port(0)).close();
            assertNull(exchange.server().failure());
        }
    }
}
