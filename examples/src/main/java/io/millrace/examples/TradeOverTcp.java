package io.millrace.examples;

import io.millrace.engine.book.Side;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.exchange.session.EndReason;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;

/**
 * Two users trade with the exchange that {@link RunExchange} runs: alice offers ten lots, bob buys four, alice cancels
 * the rest. Each answer is printed. Run it again: the order ids go on where the last run ended.
 */
public final class TradeOverTcp
{
    private static final int SYMBOL = 1;
    private static final long PAUSE_NS = 100_000;

    private TradeOverTcp()
    {
    }

    /**
     * Trade. The exit code is 0, or 2 with a message when that is not possible.
     *
     * @param args port of the exchange; default 9201.
     */
    public static void main(final String[] args)
    {
        System.exit(run(System.out, System.err, args.length > 0 ? args[0] : "9201"));
    }

    static int run(final PrintStream out, final PrintStream err, final String port)
    {
        String why = "port " + port + " is not a number from 1 to 65535\nusage: TradeOverTcp [PORT]";
        if (port.matches("[1-9]\\d{0,4}") && Integer.parseInt(port) < 1 << 16)
        {
            try (User alice = new User("alice", port, out); User bob = new User("bob", port, out))
            {
                // Request ids go on from run to run, and each places at most one order: so they do as order ids.
                final long offer = alice.client.lastRequest() + 1;
                alice.client.command().limit(SYMBOL, offer, 0, Side.ASK, 10_050, 10);
                alice.send();
                bob.client.command().immediate(SYMBOL, bob.client.lastRequest() + 1, 0, Side.BID, 10_050, 4);
                bob.send();
                alice.client.command().cancel(SYMBOL, offer, 0);
                alice.send();
                return 0;
            }
            catch (final IOException ex)
            {
                why = ex.getMessage() + "; does RunExchange run?";
            }
        }
        err.println("TradeOverTcp: " + why);
        return 2;
    }

    private static final class User implements ExchangeListener, AutoCloseable
    {
        private final String name;
        private final PrintStream out;
        private final ExchangeClient client;

        User(final String name, final String port, final PrintStream out) throws IOException
        {
            this.name = name;
            this.out = out;
            client = new ExchangeClient(name, name + "-demo", false, 64);
            client.lastAnswer(-1);
            client.connect(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)));
            while (!client.isLoggedOn())
            {
                poll();
            }
        }

        /** Sends the command and waits for its answers. */
        void send() throws IOException
        {
            client.send();
            while (client.unanswered() > 0)
            {
                poll();
            }
        }

        private void poll() throws IOException
        {
            if (client.poll(this) == 0)
            {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }

        @Override
        public void onAnswer(final Answer answer)
        {
            out.println(name + ": " + AnswerKind.name(answer.kind()) + " order " + answer.orderId() + ", " +
                answer.size() + " at " + answer.price() + ", " + answer.openSize() + " open" +
                (answer.reason() == 0 ? "" : ", " + AnswerReason.name(answer.kind(), answer.reason())));
        }

        @Override
        public void onEnd(final EndReason reason)
        {
            throw new IllegalStateException("the exchange ended the connection of " + name + ": " + reason);
        }

        @Override
        public void close() throws IOException
        {
            client.poll(this);
            client.close();
        }
    }
}
