package io.millrace.examples;

import io.millrace.pool.testkit.ChildJvm;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs each example and checks its output. */
class ExamplesTest
{
    private static final Path ROOT = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    private static final int MAX_EXAMPLE_LINES = 125;
    private static final int MAX_README_LINES = 120;
    private static final int MAX_FIRST_PROGRAM_LINES = 20;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private List<String> lines()
    {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void shouldGreetEveryEvent()
    {
        final PrintStream before = System.out;
        System.setOut(out);
        try
        {
            HelloEvents.main(new String[0]);
        }
        finally
        {
            System.setOut(before);
        }
        assertEquals(List.of("hello 1", "hello 2", "hello 3"),
            lines().stream().filter(line -> line.startsWith("hello")).toList());
        assertTrue(lines().contains("3 published"));
        assertEquals(4, lines().size());
    }

    @Test
    void shouldPublishPricesFromAPipe() throws IOException
    {
        WriteASource.run(out);
        assertEquals(List.of("AAPL bid 1495000", "AAPL bid 1495100", "1 malformed"), lines());
    }

    @Test
    void shouldWriteFramesToAFile() throws IOException
    {
        WriteASink.run(out, folder.resolve("frames"));
        assertEquals(List.of("2 delivered, 112 bytes"), lines());
    }

    @Test
    void shouldShowAGateway()
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final List<String> starts = List.of("client: {\"type\":\"bbo\"", "S00001    bid ", "samples ");
        // Longer if a busy host leaves the threads too little of the time.
        for (int seconds = 2; seconds < 60 && !haveLinesOf(starts); seconds *= 3)
        {
            assertEquals(0, RunGateway.firstLook(out, new PrintStream(err, true, StandardCharsets.UTF_8), seconds));
            assertEquals("", err.toString(StandardCharsets.UTF_8));
        }
        assertTrue(haveLinesOf(starts), lines()::toString);
    }

    private boolean haveLinesOf(final List<String> starts)
    {
        return starts.stream().allMatch(start -> lines().stream().anyMatch(line -> line.startsWith(start)));
    }

    @Test
    void shouldTradeWithARunningExchange() throws IOException, InterruptedException
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final Thread exchange = new Thread(() -> RunExchange.run(out, new PrintStream(err, true,
            StandardCharsets.UTF_8), "--port", "0", "--ouch-port", "0", "--fix-port", "0",
            "--itch-request-port", "0", "--itch-snapshot-port", "0", "--directory", folder.resolve("x").toString(),
            "--seconds", "60"));
        exchange.start();
        try
        {
            final Pattern port = Pattern.compile("listening on port (\\d+)");
            while (exchange.isAlive() && !port.matcher(bytes.toString(StandardCharsets.UTF_8)).find())
            {
                Thread.sleep(5);
            }
            final Matcher found = port.matcher(bytes.toString(StandardCharsets.UTF_8));
            assertTrue(found.find(), err.toString(StandardCharsets.UTF_8));
            assertEquals(0, TradeOverTcp.run(out, out, found.group(1)));
        }
        finally
        {
            // Ends it before its time.
            exchange.interrupt();
            exchange.join();
        }
        // A busy disk may hold an agent in a force for longer than the time that is reported.
        assertEquals(List.of(), err.toString(StandardCharsets.UTF_8).lines()
            .filter(line -> !line.contains(" has been in one duty cycle for ")).toList());
        final List<String> lines = lines();
        for (final String line : List.of("alice: ACCEPTED order 1, 10 at 10050, 10 open",
            "bob: EXECUTED order 1, 4 at 10050, 0 open", "alice: CANCELLED order 1, 6 at 10050, 0 open, REQUESTED",
            "exchange: ended"))
        {
            assertTrue(lines.contains(line), lines::toString);
        }
    }

    @Test
    void shouldCountPooledEventsLineByLine()
    {
        PooledEvents.run(out, 400_000, 5, 10_000, new BackoffIdleStrategy());
        final List<String> lines = lines();
        assertEquals("50,000 events at 400,000 a second", lines.get(0));
        for (int i = 1; i <= 5; i++)
        {
            final String line = lines.get(i + 1);
            assertTrue(line.matches(String.format(Locale.ROOT, " *%d0,000 +[0-9,]+ +[0-9,]+ +[0-9]+", i)), line);
        }
        assertTrue(lines.get(7).endsWith(" times the publisher had to wait for capacity"), lines.get(7));
        assertTrue(lines.get(8).startsWith("rate kept: ") || lines.get(8).startsWith("this host could not"),
            lines.get(8));
        assertEquals(9, lines.size());
    }

    @Test
    void shouldReportARateThatWasNotReached()
    {
        // Ten events in a nanosecond: no host can do that.
        PooledEvents.run(out, 10_000_000_000L, 1, 10_000, new BackoffIdleStrategy());
        assertTrue(lines().get(4).startsWith("this host could not keep the rate: "), lines().get(4));
    }

    @Test
    void shouldFindThePluginByTheServiceLoader()
    {
        PluginService.run(out);
        assertEquals(List.of("ticks handled: 3", "highest price: 10075 cents"), lines());
    }

    @Test
    void shouldRunInsideAnApplication() throws InterruptedException
    {
        EmbedInYourApp.run(out);
        final List<String> lines = lines();
        assertTrue(lines.contains("skipped event 500 of stage watch: sensor 500 is broken"), lines::toString);
        assertEquals(10, lines.stream().filter(line -> line.endsWith(" is at 99 degrees")).count());
        assertEquals(List.of("watch.handled = 1000", "sound.handled = 100", "server.deadLetters = 1",
            "every event is back in its pool"), lines.subList(lines.size() - 4, lines.size()));
    }

    @Test
    void shouldReplayAFileOfMessages() throws IOException, InterruptedException
    {
        final StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 5_000; i++)
        {
            rows.append("34200.").append(String.format(Locale.ROOT, "%09d", i * 1_000)).append(',').append(1 + i % 5)
                .append(",1612").append(i).append(",18,5853300,").append(i % 2 == 0 ? 1 : -1).append('\n');
        }
        final Path plain = Files.writeString(folder.resolve("messages.csv"), rows);
        final Path gzip = folder.resolve("messages.csv.gz");
        try (OutputStream compressed = new GZIPOutputStream(Files.newOutputStream(gzip)))
        {
            compressed.write(Files.readAllBytes(plain));
        }
        for (final Path file : List.of(plain, gzip))
        {
            bytes.reset();
            assertEquals(0, ReplayFile.run(out, out, file.toString(), "10.0"));
            assertEquals(List.of("add 1,000", "partial cancel 1,000", "delete 1,000", "execution 1,000",
                "hidden execution 1,000", "cross 0", "halt 0", "rows 5,000"),
                lines().stream().map(line -> line.replaceAll(" +", " ")).toList());
        }
    }

    @Test
    void shouldReportWhereAFileCannotBeReplayed() throws IOException, InterruptedException
    {
        final Path file = Files.writeString(folder.resolve("messages.csv"), "34200.1,1,2,3,4,1\n34200.2,8,2,3,4,1\n");
        assertEquals(2, ReplayFile.run(out, out, file.toString()));
        assertTrue(lines().get(0).endsWith(file + ":2: column 2 '8' is not a type in 1..7"), lines().get(0));
    }

    @Test
    void shouldCallASecondProcess() throws Exception
    {
        SharedMemoryPingPong.run(out, 1_000);
        assertTrue(lines().get(0).matches("1000 calls of 64 bytes from process \\d+ to process \\d+, wrong answers: 0"),
            lines().get(0));
        assertTrue(lines().get(1).matches("round trip: p50 \\d+ ns, p99 \\d+ ns"), lines().get(1));
    }

    @Test
    void shouldMatchOrdersOfAProcessThatIsKilledAndStartedAgain() throws Exception
    {
        final Path exchanges = Files.createTempDirectory(folder, "m");
        MatchBetweenProcesses.run(out, exchanges);
        assertEquals(List.of("first life: orders 5, trades 0", "second life: orders 5, trades 5"), lines());
        assertFalse(Files.exists(exchanges), "files are left");
    }

    @Test
    void shouldMatchNineOrdersInTwentyLines()
    {
        MatchOrders.run(out);
        assertEquals(List.of(
            "order 1: SUCCESS",
            "order 2: SUCCESS",
            "order 3: SUCCESS",
            "the book, orders: 3",
            "    ASK 5 at 101",
            "    ASK 10 at 102",
            "    BID 8 at 99",
            "order 4: TRADE 5 at 101 with order 2, which is filled",
            "order 4: SUCCESS",
            "order 5: REJECT 4 at 100",
            "order 5: TRADE 2 at 101 with order 4, which is filled",
            "order 5: SUCCESS",
            "order 1: refused, DUPLICATE_ORDER (7)",
            "order 2: refused, UNKNOWN_ORDER (8)",
            "order 3: REDUCE 3 at 99",
            "order 3: SUCCESS",
            "order 1: TRADE 5 at 99 with order 3, which is filled",
            "order 1: SUCCESS",
            "the book, orders: 1",
            "    ASK 5 at 99"), lines());
    }

    @Test
    void shouldAnswerFourThreadsThatAskTheEngine() throws InterruptedException
    {
        new AskTheEngine().run(out);
        // Two threads buy 2,000 contracts at the price at which two others sell as many.
        assertEquals(List.of("4000 orders, 4000 answers", "2000 contracts filled, 0 orders rest"),
            lines());
    }

    @Test
    void shouldTradeInShards()
    {
        TradeInShards.run(out);
        assertEquals(List.of(
            "shard 0: 4000 commands, 2000 trades",
            "shard 1: 4000 commands, 2000 trades",
            "state"), lines().stream().map(line -> line.replaceAll("state .*", "state")).toList());
    }

    @Test
    void shouldTradeWithTheMoneyOfUsers()
    {
        TradeWithUsers.run(out);
        assertEquals(List.of(
            "alice opens an account",
            "    done",
            "bob opens an account",
            "    done",
            "alice brings 30,000 of gold",
            "    done",
            "bob brings 25,000 of money",
            "    done",
            "alice sells 20 lots at 100, 8 of them shown",
            "    level 1: ASK 100 8 of 1",
            "    done",
            "bob wants 30 lots at 101, which need 30 * (101 * 10 + 3) = 30,390",
            "    refused, RISK_NSF (38)",
            "bob wants 12 lots at 101, which need 12,156",
            "    TRADE 8 at 100 with order 10",
            "    TRADE 4 at 100 with order 10",
            "    level 2: ASK 100 4 of 1",
            "    done",
            "alice spends what she was paid",
            "    level 3: BID 99 12 of 1",
            "    done",
            "what alice has",
            // 12 * (100 * 10 - 2) were paid, 12 * (99 * 10 + 3) are reserved.
            "    money 60, reserved 11916",
            "    gold 10000, reserved 8000",
            "    order 10: ASK 8 at 100",
            "    order 11: BID 12 at 99",
            "    done",
            "what bob has",
            "    gold 12000, reserved 0",
            "    money 12964, reserved 0",
            "    done"), lines());
    }

    @Test
    void shouldRunABookWithoutAServer()
    {
        BookAlone.run(out, 10_000);
        // A few lines of Python computed the first line and the figures of the second.
        assertEquals(List.of("3,528 trades of 6,528 lots, 16,763 lots cancelled",
            "best bid 1001, best ask 1007, 61 orders rest, state 3aa7ecbc68e2d32c"), lines());
    }

    @Test
    void shouldRecoverTheSameBook() throws InterruptedException
    {
        final Path directory = folder.resolve("journal");
        JournalAndRecover.run(out, directory, 300, 0);
        final List<String> first = lines();
        assertEquals("record 0: 0 orders, best bid -1, best ask -1", first.get(1).replaceAll(", state .*", ""));
        assertTrue(first.get(4).startsWith("record 300: "), first::toString);
        bytes.reset();
        JournalAndRecover.run(out, directory, 100, 0);
        final List<String> second = lines();
        assertTrue(second.get(0).startsWith("recovered to record 300 at "), second::toString);
        assertEquals(first.get(4), second.get(1));
        assertTrue(second.get(2).startsWith("record 400: "), second::toString);
    }

    @Test
    void shouldRecoverAnOwnHandler()
    {
        DurableMeters.run(out, folder.resolve("meters"));
        DurableMeters.run(out, folder.resolve("meters"));
        assertEquals(
            List.of("0 readings recovered", "meter 0: 5 Wh", "100 readings recovered", "meter 0: 10 Wh"), lines());
    }

    /** The second run may not write behind the first pages of a file, as on a full disk. */
    @Test
    void shouldNotEndAsIfAllIsWellWhenTheJournalFailed() throws Exception
    {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell here");
        DurableMeters.run(out, folder.resolve("meters"));
        final ChildJvm child = new ChildJvm().under("/bin/sh", "-c", "ulimit -f 8 && exec \"$0\" \"$@\"")
            .flags("-XX:-UsePerfData").run(DurableMeters.class, folder.resolve("meters"));
        assertEquals(List.of("100 readings recovered"), child.out);
        assertEquals(1, child.exitCode, child::toString);
        assertTrue(child.toString().contains("the journal failed"), child::toString);
    }

    @Test
    void shouldFollowAFileFromTheCommittedPosition() throws IOException, InterruptedException
    {
        FollowAFile.run(out, folder.resolve("follow"));
        FollowAFile.run(out, folder.resolve("follow"));
        assertEquals(List.of("started", "héllo 0", "started", "héllo 17"), lines());
        assertEquals(lines(), Files.readAllLines(folder.resolve("follow/copy.log")));
    }

    @Test
    void shouldKeepEveryExampleShort() throws IOException
    {
        final List<Path> files;
        try (Stream<Path> found = Files.list(ROOT.resolve("examples/src/main/java/io/millrace/examples")))
        {
            files = found.toList();
        }
        assertFalse(files.isEmpty());
        for (final Path file : files)
        {
            final int lines = Files.readAllLines(file).size();
            assertTrue(lines <= MAX_EXAMPLE_LINES, file + " has " + lines + " lines");
        }
    }

    @Test
    void shouldShowAFirstProgramOfTwentyLinesInAShortReadme() throws IOException
    {
        final String readme = Files.readString(ROOT.resolve("README.md"));
        assertTrue(readme.lines().count() <= MAX_README_LINES, readme.lines().count() + " lines");
        final Matcher program = Pattern.compile("(?s)```java\\n(.*?)```").matcher(readme);
        assertTrue(program.find(), "no program in README.md");
        assertTrue(program.group(1).lines().count() <= MAX_FIRST_PROGRAM_LINES, program.group(1));
    }
}
