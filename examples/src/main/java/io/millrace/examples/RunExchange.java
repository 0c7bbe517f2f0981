package io.millrace.examples;

import io.millrace.exchange.run.ExchangeMain;

import java.io.PrintStream;

/**
 * A running exchange on loopback: two symbols, three users, its journal in {@code target/exchange}. Ctrl-C ends it.
 * While it runs, {@link TradeOverTcp} trades in another terminal. docs/exchange.md has the options.
 */
public final class RunExchange
{
    private RunExchange()
    {
    }

    /**
     * Runs the exchange, and ends the JVM with its exit code if that is not 0.
     *
     * @param args options of the exchange.
     */
    public static void main(final String[] args)
    {
        final int code = run(System.out, System.err, args);
        if (code != 0)
        {
            System.exit(code);
        }
    }

    static int run(final PrintStream out, final PrintStream err, final String... args)
    {
        return ExchangeMain.run(exchange ->
        {
            out.println("now trade, in another terminal: mvn -q compile exec:exec -Dexample=TradeOverTcp" +
                (args.length == 0 ? "" : " -Dargs=" + exchange.port()));
            out.flush();
        }, out, err, args);
    }
}
