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
    private static final int DEFAULT_PORT = 9201;
    private static final int SYMBOL = 1;
    private static final long PAUSE_NS = 100_000;

    private final PrintStream out;

    private TradeOverTcp(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Trade.
     *
     * @param args port of the exchange; default 9201.
     * @throws IOException when the exchange does not answer.
     */
    public static void main(final String[] args) throws IOException
    {
        run(System.out, args.length > 0 ? Integer.parseInt(args[0]) : DEFAULT_PORT);
    }

    static void run(final PrintStream out, final int port) throws IOException
    {
        new TradeOverTcp(out).trade(new InetSocketAddress("127.0.0.1", port));
    }

    private void trade(final InetSocketAddress address) throws IOException
    {
        try (User alice = new User("alice", address); User bob = new User("bob", address))
        {
            final long offer = alice.nextOrder();
            alice.client.command().limit(SYMBOL, offer, 0, Side.ASK, 10_050, 10);
            alice.send();
            bob.client.command().immediate(SYMBOL, bob.nextOrder(), 0, Side.BID, 10_050, 4);
            bob.send();
            alice.client.command().cancel(SYMBOL, offer, 0);
            alice.send();
        }
    }

    private final class User implements ExchangeListener, AutoCloseable
    {
        private final String name;
        private final ExchangeClient client;

        User(final String name, final InetSocketAddress address) throws IOException
        {
            this.name = name;
            client = new ExchangeClient(name, name + "-demo", false, 64);
            client.lastAnswer(-1);
            client.connect(address);
            while (!client.isLoggedOn())
            {
                poll();
            }
        }

        /** Request ids go on from run to run, and each places at most one order: so they do as order ids. */
        long nextOrder()
        {
            return client.lastRequest() + 1;
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
