package io.millrace.exchange.run;

import io.millrace.engine.book.Side;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.core.Answer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An exchange that gets an order. */
final class FullDiskProgram
{
    private FullDiskProgram()
    {
    }

    /** @param args settings of the exchange. */
    public static void main(final String[] args)
    {
        System.exit(ExchangeMain.run(FullDiskProgram::order, System.out, System.err, "--config", args[0]));
    }

    /** Sends an order, and waits until the exchange has failed. */
    static void order(final Exchange exchange)
    {
        try (ExchangeClient alice = new ExchangeClient("alice", "alice-demo", false, 64))
        {
            alice.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), exchange.port()));
            while (exchange.server().failure() == null)
            {
                if (alice.isLoggedOn() && alice.unanswered() == 0)
                {
                    alice.command().limit(1, 1, 0, Side.BID, 100, 10);
                    alice.send();
                }
                alice.poll(Answer::kind);
                Thread.onSpinWait();
            }
        }
        catch (final IOException ex)
        {
            // The exchange that fails closes the connection.
            if (exchange.journal().failure() == null)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
