package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.engine.book.Side;
import io.millrace.exchange.binary.SessionRecords;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** What one attacker does to an exchange, every millisecond, and the counter that shows that it has arrived. */
enum Attack
{
    GARBAGE("garbage, 1,000 connections a second", "commands-source.ended.MALFORMED", true),
    TOKENS("wrong tokens, 1,000 a second", "commands-source.ended.WRONG_TOKEN", true),
    CONNECTS("1,000 connects a second", "commands-source.accepted", true),
    SLOW("50 connections, a byte each in 50 ms", "commands-source.accepted", false),
    FLOOD("a client with all it can send, limit 5,000/s", "commands-source.throttled", false);

    private static final String ACCOUNT_TOKEN = "attacker-token";
    /** The account of the flood. */
    static final ClientAccount ACCOUNT =
        new ClientAccount(1_000, "attacker", ACCOUNT_TOKEN, Role.TRADER, 5_000, 1_000);

    private static final int OPEN = 16;
    private static final int SLOW_CONNECTIONS = 50;
    private static final int GARBAGE_BYTES = 300;
    private static final long PAUSE_NS = 1_000_000;
    private static final int MAX_UNANSWERED = 1 << 12;
    private static final ExchangeListener IGNORE = ignored ->
    {
    };

    final String label;
    final String counter;
    /** Whether each act is a new connection, whatever the server does. */
    final boolean connects;

    Attack(final String label, final String counter, final boolean connects)
    {
        this.label = label;
        this.counter = counter;
        this.connects = connects;
    }

    /** An attacker on a thread of its own, from the start to the close. */
    static final class Attacker implements AutoCloseable
    {
        private final Attack attack;
        private final InetSocketAddress address;
        private final Random random = new Random(1);
        private final SocketChannel[] channels = new SocketChannel[SLOW_CONNECTIONS];
        private final ExchangeClient client = new ExchangeClient(ACCOUNT.name(), ACCOUNT_TOKEN, true, MAX_UNANSWERED);
        private Thread thread;
        private volatile boolean closed;
        private volatile IOException failure;

        Attacker(final Attack attack, final int port)
        {
            this.attack = attack;
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        void start()
        {
            thread = Daemon.start("attacker", this::run);
        }

        private void run()
        {
            try
            {
                final long beginNs = System.nanoTime();
                for (int i = 0; !closed; i++)
                {
                    act(i);
                    // A late one is not left out.
                    LockSupport.parkNanos(beginNs + (i + 1) * PAUSE_NS - System.nanoTime());
                }
            }
            catch (final IOException ex)
            {
                failure = ex;
            }
            CloseHelper.closeAll(channels);
            client.close();
        }

        private void act(final int number) throws IOException
        {
            switch (attack)
            {
                case GARBAGE ->
                {
                    final byte[] bytes = new byte[GARBAGE_BYTES];
                    random.nextBytes(bytes);
                    // No record has this type.
                    bytes[0] = 100;
                    connect(number % OPEN);
                    send(number % OPEN, bytes);
                }
                case TOKENS ->
                {
                    // No name and no token.
                    connect(number % OPEN);
                    send(number % OPEN, logon());
                }
                case CONNECTS -> connect(number % OPEN);
                case SLOW ->
                    slow(number % SLOW_CONNECTIONS, number / SLOW_CONNECTIONS % SessionRecords.LOGON_LENGTH);
                default -> flood();
            }
        }

        private static byte[] logon()
        {
            final byte[] logon = new byte[SessionRecords.LOGON_LENGTH];
            logon[0] = SessionRecords.LOGON;
            logon[SessionRecords.VERSION_OFFSET] = SessionRecords.VERSION;
            return logon;
        }

        /** Does not wait: a full backlog takes no connection. */
        private void connect(final int index) throws IOException
        {
            CloseHelper.close(channels[index]);
            channels[index] = SocketChannel.open();
            channels[index].configureBlocking(false);
            // The close resets the connection, so that the system does not keep the port.
            channels[index].setOption(StandardSocketOptions.SO_LINGER, 0);
            channels[index].connect(address);
        }

        private void send(final int index, final byte[] bytes)
        {
            try
            {
                if (channels[index].isConnected() || channels[index].finishConnect())
                {
                    channels[index].write(ByteBuffer.wrap(bytes));
                }
            }
            catch (final IOException ex)
            {
                // The exchange has ended it.
                CloseHelper.quietClose(channels[index]);
            }
        }

        /** A logon that is never complete, byte by byte. */
        private void slow(final int index, final int offset) throws IOException
        {
            if (offset == 0 || !channels[index].isOpen())
            {
                connect(index);
            }
            send(index, new byte[] {logon()[offset]});
        }

        private void flood() throws IOException
        {
            if (!client.isLoggedOn() && client.lastRequest() == 0)
            {
                // The answers to the attack before are gone.
                client.lastAnswer(-1);
                client.connect(address);
            }
            while (!client.isLoggedOn() && !closed)
            {
                client.poll(IGNORE);
            }
            long sent = 1;
            while (sent != 0 && !closed)
            {
                client.command().limit(OrderPath.SYMBOL.symbol(), client.lastRequest() + 1, 0, Side.BID, 1, 1);
                sent = client.send();
            }
            client.poll(IGNORE);
        }

        /** Ends the attack and the attacker's connections. */
        @Override
        public void close() throws IOException
        {
            closed = true;
            Daemon.join(thread);
            if (failure != null)
            {
                throw new IOException(attack.label, failure);
            }
        }
    }
}
