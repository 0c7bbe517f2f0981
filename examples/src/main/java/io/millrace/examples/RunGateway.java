package io.millrace.examples;

import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.gateway.run.Gateway;
import io.millrace.gateway.run.GatewayMain;
import io.millrace.itchbook.MarketByOrderItchBook;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The gateway with the engine's order books. Without an argument it shows a first look: generated quotes by UDP on
 * loopback, the console, and a TCP client that prints what it gets. docs/gateway.md has the options.
 */
public final class RunGateway
{
    private static final int FIRST_LOOK_SECONDS = 4;
    private static final int QUOTES = 12;
    private static final int QUOTES_PER_SECOND = 5;
    private static final int CLIENT_LINES = 4;
    private static final int SYMBOLS = 3;
    /** Resting orders of a stock. */
    private static final int ORDERS = 16_384;

    private RunGateway()
    {
    }

    /**
     * Runs the gateway, and ends the JVM with its exit code if that is not 0.
     *
     * @param args options of the gateway; none for a first look.
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
        if (args.length > 0)
        {
            return GatewayMain.run((locate, symbol) -> new MarketByOrderItchBook(locate, ORDERS), null, out, err, args);
        }
        return firstLook(out, err, FIRST_LOOK_SECONDS);
    }

    static int firstLook(final PrintStream out, final PrintStream err, final int seconds)
    {
        return GatewayMain.run(null, gateway -> feed(gateway, out), out, err, "--udp", "0", "--tcp-port", "0",
            "--console", "--sequence", "--seconds", Integer.toString(seconds));
    }

    private static void feed(final Gateway gateway, final PrintStream out)
    {
        final Thread client = new Thread(() -> printLines(gateway.tcpPort(), out), "client");
        client.setDaemon(true);
        client.start();
        final Feeder feeder = new Feeder(new GeneratedFeed(SYMBOLS, QUOTES, 1),
            new InetSocketAddress("127.0.0.1", gateway.udpPort(0))).rate(QUOTES_PER_SECOND);
        final AgentRunner runner = new AgentRunner(new SleepingMillisIdleStrategy(),
            ex -> out.println("feeder: " + ex.getMessage()), null, feeder);
        AgentRunner.startOnThread(runner, task ->
        {
            final Thread thread = new Thread(task, "feeder");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static void printLines(final int port, final PrintStream out)
    {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            BufferedReader lines = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            for (int i = 0; i < CLIENT_LINES; i++)
            {
                out.println("client: " + lines.readLine());
            }
        }
        catch (final IOException ex)
        {
            out.println("client: " + ex.getMessage());
        }
    }
}
