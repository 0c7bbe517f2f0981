package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Orders through a whole exchange: an order that rests, then its cancel, and so on. One answer each. Several clients
 * send alternately.
 */
final class OrderPath extends EntryPath
{
    static final SymbolSpec SYMBOL = SymbolSpec.future(1).withPrices(1, 1_000);
    private static final int SEGMENT = 1 << 24;

    private final Path directory;
    final Exchange exchange;
    private final Load[] loads;

    /** One client: its own requests are numbered from 1. */
    private final class Load implements ExchangeListener
    {
        private final int index;
        private final ExchangeClient client;
        private long next = 1;

        Load(final int index)
        {
            this.index = index;
            client = new ExchangeClient("load" + index, token(index), false, MAX_UNANSWERED / loads.length);
        }

        boolean send(final long own)
        {
            final long order = (own + 1) / 2;
            if ((own & 1) == 1)
            {
                client.command().limit(SYMBOL.symbol(), order, 0, Side.BID, 1 + order % 500, 1 + order % 9);
            }
            else
            {
                client.command().cancel(SYMBOL.symbol(), order, 0);
            }
            return client.send() != 0;
        }

        @Override
        public void onAnswer(final Answer answer)
        {
            final byte kind = (next & 1) == 1 ? AnswerKind.ACCEPTED : AnswerKind.CANCELLED;
            if (answer.requestId() != next || answer.kind() != kind || answer.orderId() != (next + 1) / 2)
            {
                throw new WrongAnswerException("request " + next + " of client " + index + " got " + answer);
            }
            OrderPath.this.onAnswer((next - 1) * loads.length + index + 1);
            next++;
        }
    }

    /**
     * An exchange with its clients.
     *
     * @param directory of its journal; deleted at the end.
     * @param clients   a power of two.
     * @param sessions  further clients.
     */
    OrderPath(
        final String name,
        final Path directory,
        final Durability durability,
        final int agents,
        final int clients,
        final SessionContext sessions) throws IOException
    {
        super(name);
        this.directory = directory;
        for (int i = 0; i < clients; i++)
        {
            sessions.client(new ClientAccount(1 + i, "load" + i, token(i), Role.TRADER));
        }
        exchange = Exchange.launch(context(directory, durability, sessions).agents(agents));
        loads = new Load[clients];
        Arrays.setAll(loads, Load::new);
        for (final Load load : loads)
        {
            load.client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), exchange.port()));
            while (!load.client.isLoggedOn())
            {
                load.client.poll(load);
            }
        }
    }

    private static String token(final int index)
    {
        return "load-token" + index;
    }

    static ExchangeContext context(final Path directory, final Durability durability, final SessionContext sessions)
    {
        return new ExchangeContext(directory, new EngineContext().symbol(SYMBOL), sessions)
            .idle(YieldingIdleStrategy::new).snapshotEvery(0).server(server -> server.stallTimeoutNs(0))
            .journal(journal -> journal.durability(durability).segmentBytes(SEGMENT).watermarkBytes(0));
    }

    @Override
    boolean send(final long number)
    {
        return loads[(int)((number - 1) % loads.length)].send((number - 1) / loads.length + 1);
    }

    @Override
    void poll() throws IOException
    {
        for (final Load load : loads)
        {
            load.client.poll(load);
        }
    }

    @Override
    public void close()
    {
        for (final Load load : loads)
        {
            load.client.close();
        }
        CloseHelper.close(exchange);
        IoUtil.delete(directory.toFile(), true);
    }
}
