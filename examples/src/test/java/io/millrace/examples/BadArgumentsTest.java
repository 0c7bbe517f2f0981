package io.millrace.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every example refuses wrong arguments in the same way: its name, why, its usage, exit code 2. */
class BadArgumentsTest
{
    /** The launcher, and processes that an example starts. */
    private static final Set<String> NOT_EXAMPLES = Set.of("Examples", "RemoteMatcher", "RemoteTrader");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private List<String> lines()
    {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private int replayFile(final Object... args) throws InterruptedException
    {
        bytes.reset();
        return ReplayFile.run(err, err, Stream.of(args).map(Object::toString).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Wrong", "helloevents", "Examples", "HelloEvents.java", ""})
    void shouldListTheExamplesForAnUnknownName(final String name) throws Exception
    {
        assertEquals(2, Examples.run(err, name));
        assertEquals("Examples: no example '" + name + "'", lines().get(0));
        assertEquals("usage: mvn -q compile exec:exec -Dexample=NAME [-Dargs=\"...\"], where NAME is one of",
            lines().get(1));
        assertTrue(lines().contains("  HelloEvents"), lines()::toString);
        assertTrue(lines().contains("  ReplayFile FILE [SPEED]"), lines()::toString);
    }

    @Test
    void shouldListTheExamplesWithoutAName() throws Exception
    {
        assertEquals(2, Examples.run(err));
        assertEquals("Examples: which example?", lines().get(0));
        assertTrue(lines().contains("  HelloEvents"), lines()::toString);
    }

    @Test
    void shouldListEveryRunnableExample() throws Exception
    {
        final Path root = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath();
        final List<String> names;
        try (Stream<Path> files = Files.list(root.resolve("examples/src/main/java/io/millrace/examples")))
        {
            names = files.filter(BadArgumentsTest::hasMain)
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .filter(name -> !NOT_EXAMPLES.contains(name)).sorted().toList();
        }
        Examples.run(err);
        assertEquals(names, lines().stream().skip(2).map(line -> line.strip().replaceAll(" .*", "")).sorted().toList());
        final String readme = Files.readString(root.resolve("README.md"));
        names.forEach(name -> assertTrue(readme.contains("`" + name + "`"), () -> "README.md does not have " + name));
    }

    private static boolean hasMain(final Path file)
    {
        try
        {
            return Files.readString(file).contains("public static void main(");
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HelloEvents", "PooledEvents", "MatchOrders", "BookAlone"})
    void shouldRefuseArgumentsWhereNoneAreTaken(final String name) throws Exception
    {
        assertEquals(2, Examples.run(err, name, "10"));
        assertEquals(List.of(name + ": one argument too many: 10", "usage: " + name), lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"JournalAndRecover", "DurableMeters", "FollowAFile", "TradeOverTcp", "WriteASink"})
    void shouldRefuseASecondArgumentWhereOneIsTaken(final String name) throws Exception
    {
        assertEquals(2, Examples.run(err, name, folder.toString(), "more"));
        assertEquals(name + ": one argument too many: more", lines().get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "65536", "-1", "123456"})
    void shouldRefuseAPortThatThereIsNot(final String port)
    {
        assertEquals(2, TradeOverTcp.run(err, err, port));
        assertEquals(List.of("TradeOverTcp: port " + port + " is not a number from 1 to 65535",
            "usage: TradeOverTcp [PORT]"), lines());
    }

    @Test
    void shouldSayThatNoExchangeRuns() throws IOException
    {
        final String port;
        try (ServerSocket free = new ServerSocket(0))
        {
            port = Integer.toString(free.getLocalPort());
        }
        assertEquals(2, TradeOverTcp.run(err, err, port));
        assertEquals(List.of("TradeOverTcp: cannot connect to /127.0.0.1:" + port +
            ": java.net.ConnectException: Connection refused; does RunExchange run?"), lines());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "'' | which file?",
        "a 2 3 | one argument too many: 3",
        "a fast | speed fast is not a number from 0.001 to 1.0E9",
        "a 0 | speed 0 is not a number from 0.001 to 1.0E9",
        "a -1 | speed -1 is not a number from 0.001 to 1.0E9",
        "a NaN | speed NaN is not a number from 0.001 to 1.0E9"})
    void shouldRefuseWrongArgumentsOfReplayFile(final String args, final String why) throws InterruptedException
    {
        assertEquals(2, replayFile(args.isEmpty() ? new Object[0] : (Object[])args.split(" ")));
        assertEquals(List.of("ReplayFile: " + why, "usage: ReplayFile FILE [SPEED]"), lines().subList(0, 2));
    }

    @Test
    void shouldReportWhyReplayFileCannotReadAFile() throws InterruptedException
    {
        assertEquals(2, replayFile(folder.resolve("none.csv")));
        assertTrue(lines().get(0).matches("ReplayFile: .*none.csv \\(No such file or directory\\)"), lines()::toString);
        assertEquals(2, replayFile(folder));
        assertTrue(lines().get(0).matches("ReplayFile: .*" + folder + " is not a regular file"), lines()::toString);
    }

    @Test
    void shouldShowTheSameUsageInTheListAndInTheExample() throws Exception
    {
        Examples.run(err);
        final List<String> listed = lines();
        assertEquals(2, replayFile());
        assertTrue(listed.contains(lines().get(1).replace("usage: ", "  ")), listed::toString);
        bytes.reset();
        assertEquals(2, ReplayOrders.run(err, err));
        assertTrue(listed.contains(lines().get(1).replace("usage: ", "  ")), listed::toString);
    }
}
