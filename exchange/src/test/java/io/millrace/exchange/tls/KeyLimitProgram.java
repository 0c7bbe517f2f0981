package io.millrace.exchange.tls;

import io.millrace.engine.book.Side;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;

import java.nio.file.Files;
import java.nio.file.Path;

/** Order entry over TLS in a process with a limit of bytes for each key. */
final class KeyLimitProgram
{
    /** More than a window of requests, so that both directions are full of records. */
    private static final int ORDERS = 3_000;
    /** Their answers need some 7 keys. */
    private static final int MAX_UNANSWERED = 128;

    private KeyLimitProgram()
    {
    }

    /** @param args directory of the exchange. Prints the number of answers, and then of those that came again. */
    public static void main(final String[] args) throws Exception
    {
        final Path folder = Path.of(args[0]);
        final Certificate certificate = new Certificate(Files.createDirectories(folder.resolve("keys")));
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder.resolve("exchange"),
            ExchangeRig.sessions().tls(certificate.server())));
            Trader one = new Trader(exchange, "trader1", ExchangeRig.TOKEN + 1, false, certificate.client());
            Trader two = new Trader(exchange, "trader2", ExchangeRig.TOKEN + 2, false, certificate.client()))
        {
            two.limit(1, Side.ASK, 100, ORDERS);
            for (int i = 1; i <= ORDERS; i++)
            {
                // From a client that only reads come changes of keys alone, and 32 in a row end the connection.
                one.poll(() -> one.client.unanswered() < MAX_UNANSWERED);
                two.client.heartbeat();
                two.poll(() -> true);
                one.client.command().immediate(ExchangeRig.SYMBOL, i, 0, Side.BID, 100, 1);
                one.client.send();
            }
            final int each = one.lines(2 * ORDERS).size();
            System.out.println(each + " " + two.lines(1 + ORDERS).size() + " " + exchange.server().failure());
        }
    }
}
