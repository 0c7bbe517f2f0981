package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.run.Gateway;
import org.agrona.concurrent.AgentTerminationException;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The recorded hour by UDP to a gateway, and what its outputs should have. */
public final class HourFeed
{
    /** Changes of a best bid or offer in the hour. */
    public static final int CHANGES = 23_456;

    /** A thread for each task: on two CPUs the common pool of JDK 25 has one thread. */
    public static final Executor THREADS = task -> new Thread(task, "test").start();

    /** Packets on their way: fewer than the smallest socket buffer has. */
    private static final long MAX_IN_FLIGHT = 64;

    private HourFeed()
    {
    }

    /** The file; without it the test is skipped. */
    public static Path file()
    {
        return SharedData.file(SharedData.HOUR);
    }

    private static ItchBboFeed feed(final ItchFile input)
    {
        return new ItchBboFeed(input, new ItchBooks((locate, symbol) -> new MapBook()));
    }

    /** The part of a JSON object that is about the quote and its number. */
    public static String quote(final String json)
    {
        return json.replaceAll("^.*(\"bid\":.*),\"spread\":.*(,\"sequence\":.*)$", "$1$2");
    }

    /** The quotes that a consumer should get. */
    public static List<String> quotes(final Path file) throws IOException
    {
        final List<String> quotes = new ArrayList<>();
        try (ItchFile input = new ItchFile(file))
        {
            final ItchBboFeed feed = feed(input);
            final BboEvent event = new BboEvent();
            while (feed.next(event))
            {
                quotes.add("\"bid\":{\"price\":" + dollars(event.bidPrice()) + ",\"shares\":" + event.bidShares() +
                    "},\"ask\":{\"price\":" + dollars(event.askPrice()) + ",\"shares\":" + event.askShares() +
                    "},\"sequence\":" + (quotes.size() + 1) + "}");
            }
        }
        assertEquals(CHANGES, quotes.size());
        return quotes;
    }

    private static String dollars(final long price)
    {
        return String.format(Locale.ROOT, "%d.%04d", price / 10_000, price % 10_000);
    }

    /** Sends the file's changes, no faster than the gateway receives them. */
    public static void send(final Path file, final Gateway gateway)
    {
        send(file, gateway, Feeder.MAX_RATE);
    }

    /** Sends the file's changes at a rate, and no faster than the gateway receives them. */
    public static void send(final Path file, final Gateway gateway, final double packetsPerSecond)
    {
        try (ItchFile input = new ItchFile(file))
        {
            final Feeder feeder = new Feeder(
                feed(input),
                new InetSocketAddress("127.0.0.1", gateway.udpPort(0))).rate(packetsPerSecond);
            feeder.onStart();
            try
            {
                while (feeder.doWork() >= 0)
                {
                    while (feeder.sent() - gateway.server().counters().value("bbo-source.received") > MAX_IN_FLIGHT)
                    {
                        Thread.sleep(0, 100_000);
                    }
                }
            }
            catch (final AgentTerminationException expected)
            {
                assertEquals(CHANGES, feeder.sent());
            }
            feeder.onClose();
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }
}
