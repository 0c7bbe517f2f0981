package io.millrace.exchange;

import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.journal.Durability;
import io.millrace.pool.testkit.ChildJvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** Kills an exchange under the load of eight clients, again and again on one journal, and compares what they saw. */
final class CrashRun
{
    static final int WINDOW = 1_024;
    /** A minute or more. Looks are counted, not time: a machine may stop the test and the exchange for minutes. */
    private static final int MAX_LOOKS = 30_000;
    /** A killed process loses nothing committed under any policy; forcing every event is too slow for a load. */
    private static final Durability[] POLICIES = {Durability.EVERY_BATCH, Durability.OS_CACHE, Durability.INTERVAL};
    private static final int CLIENTS = 8;
    private static final int LEAST_ANSWERS = 300;
    private static final int MORE_ANSWERS = 1_500;

    private final Path folder;
    private final long seed;
    private final Random random;
    private final Map<String, String> trades = new HashMap<>();
    private final List<RandomTrader> traders = new ArrayList<>();
    private int starts;
    private Process process;
    private InetSocketAddress address;
    private String where = "";

    CrashRun(final Path folder, final long seed)
    {
        this.folder = folder;
        this.seed = seed;
        random = new Random(seed);
        for (int number = 1; number <= CLIENTS; number++)
        {
            traders.add(new RandomTrader("trader" + number, ExchangeRig.TOKEN + number, seed + number, trades));
        }
    }

    /** Returns the number of answers that the clients got. */
    long run(final int kills) throws IOException, InterruptedException
    {
        try
        {
            for (int kill = 0; kill < kills; kill++)
            {
                where = "seed " + seed + " kill " + kill;
                start(POLICIES[kill % POLICIES.length]);
                final long enough = answers() + LEAST_ANSWERS + random.nextInt(MORE_ANSWERS);
                load(() -> answers() >= enough, true);
                process.destroyForcibly().waitFor();
            }
            where = "seed " + seed + " at the end";
            start(Durability.EVERY_BATCH);
            load(() -> traders.stream().allMatch(each -> each.isUpToDate() && each.client.unanswered() == 0),
                false);
            checkState();
            checkAnswers();
            return answers();
        }
        catch (final AssertionError | RuntimeException ex)
        {
            throw new AssertionError(where + ": " + ex.getMessage() + "\n" + output(), ex);
        }
        finally
        {
            process.destroyForcibly().waitFor();
            traders.forEach(each -> each.client.close());
        }
    }

    private String output() throws IOException
    {
        return Files.readString(folder.resolve("output"));
    }

    private long answers()
    {
        return traders.stream().mapToLong(each -> each.client.lastAnswer()).sum();
    }

    private void start(final Durability durability) throws IOException
    {
        final Path portFile = folder.resolve("port");
        Files.deleteIfExists(portFile);
        process = new ChildJvm().flags("-XX:TieredStopAtLevel=1", "-Xmx192m").start(folder.resolve("output"),
            CrashProgram.class, folder.resolve("x"), portFile, durability.name(), 1 + starts++ % 2);
        for (int looks = 0; !Files.exists(portFile); looks++)
        {
            if (!process.isAlive() || looks > MAX_LOOKS)
            {
                fail(process.isAlive() ? "no start" : "ended at its start with code " + process.exitValue());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(Files.readString(portFile)));
        for (final RandomTrader each : traders)
        {
            assertTrue(each.connect(address), "no connection");
        }
    }

    /** Polls all clients, which send if wanted, until a condition is true. */
    private void load(final BooleanSupplier end, final boolean sends)
    {
        int idle = 0;
        while (!end.getAsBoolean())
        {
            final long before = answers();
            for (final RandomTrader each : traders)
            {
                if (sends)
                {
                    each.step();
                }
                each.poll();
            }
            if (!process.isAlive() || idle > MAX_LOOKS)
            {
                fail("the exchange has ended, or hangs after " + answers() + " answers");
            }
            if (before != answers())
            {
                idle = 0;
            }
            else
            {
                // Shortly at first.
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(++idle < 1_000 ? 50 : 2_000));
            }
        }
    }

    /** The exchange has exactly the orders that the answers left open; every trade had two sides. */
    private void checkState()
    {
        for (final RandomTrader each : traders)
        {
            assertTrue(each.client.cancelAll(ExchangeCommand.ALL_SYMBOLS) > 0, "not sent");
            load(() -> each.client.unanswered() == 0, false);
        }
        // An order that a client did not know would have been cancelled, too, and found by the client.
        load(() -> traders.stream().allMatch(each -> each.open.isEmpty()), false);
        final List<String> single = new ArrayList<>();
        trades.forEach((id, sides) ->
        {
            if (!sides.equals("both"))
            {
                single.add(id + ": " + sides);
            }
        });
        assertEquals(List.of(), single, "trades that one side only has seen");
    }

    /** The answers that are kept are those that the clients got. */
    private void checkAnswers()
    {
        for (int number = 1; number <= CLIENTS; number++)
        {
            final RandomTrader before = traders.get(number - 1);
            final List<String> known = before.answers;
            assertEquals(before.client.lastAnswer(), known.size());
            final int from = Math.max(0, known.size() - WINDOW);
            final List<String> again = new ArrayList<>();
            before.client.close();
            try (ExchangeClient client = new ExchangeClient(
                "trader" + number, ExchangeRig.TOKEN + number, false, 64))
            {
                client.lastAnswer(from);
                client.connect(address);
                ExchangeRig.await(() ->
                {
                    try
                    {
                        client.poll(answer -> again.add(ExchangeRig.text(answer)));
                    }
                    catch (final IOException ex)
                    {
                        throw new AssertionError(ex);
                    }
                    return again.size() >= known.size() - from;
                });
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
            assertEquals(known.subList(from, known.size()), again);
        }
    }
}
