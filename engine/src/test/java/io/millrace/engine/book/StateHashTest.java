package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The same commands give the same state hash and the same executions in every JVM: on each JDK of this machine, with
 * compiled and with interpreted code, in a run today and in a run tomorrow.
 */
@Tag("normal")
class StateHashTest
{
    private static final long WAIT_S = 300;
    private static final int MILLION = 1_000_000;
    /** So many that the recorded streams take part. */
    private static final int MANY = 200_000;
    /** So many an interpreter does in a second or two. */
    private static final int FEW = 100_000;

    private static List<Path> javas() throws IOException
    {
        final Path current = Path.of(System.getProperty("java.home")).toRealPath();
        final List<Path> javas = new ArrayList<>(List.of(current.resolve("bin/java")));
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(current.getParent()))
        {
            for (final Path sibling : siblings)
            {
                final Path java = sibling.resolve("bin/java");
                final Path release = sibling.resolve("release");
                if (Files.isExecutable(java) && Files.isReadable(release) && !javas.contains(java.toRealPath()) &&
                    Files.readString(release).matches("(?s).*JAVA_VERSION=\"(1[7-9]|[2-9]\\d).*"))
                {
                    javas.add(java.toRealPath());
                }
            }
        }
        return javas;
    }

    /** What a child JVM prints. */
    private static List<String> run(final Path java, final List<String> flags, final int commands) throws Exception
    {
        final List<String> line = new ArrayList<>(List.of(java.toString()));
        line.addAll(flags);
        line.addAll(List.of("-Dmillrace.shared=" + System.getProperty("millrace.shared", "../../shared"), "-cp",
            System.getProperty("java.class.path"), HashedRun.class.getName(), "" + commands));
        final Path out = Files.createTempFile("hashes", ".out");
        final Path err = Files.createTempFile("hashes", ".err");
        try
        {
            final ProcessBuilder builder =
                new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
            // Each of these adds flags, and two of them print that they do.
            builder.environment().keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
            final Process process = builder.start();
            if (!process.waitFor(WAIT_S, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new AssertionError("does not end: " + line);
            }
            assertEquals("", Files.readString(err), () -> "stderr of " + line);
            assertEquals(0, process.exitValue());
            return Files.readAllLines(out);
        }
        finally
        {
            Files.delete(out);
            Files.delete(err);
        }
    }

    @Test
    void shouldBeEqualOnAnotherJdkAndInterpreted() throws Exception
    {
        final List<Path> javas = javas();
        // The test itself runs on the first of them.
        shouldBeEqual(javas.subList(javas.size() - 1, javas.size()), List.of(), MANY);
        shouldBeEqual(javas.subList(0, 1), List.of("-Xint"), FEW);
    }

    @Test
    @Tag("faults")
    void shouldBeEqualOnEveryJdkOverAMillionInterpretedCommands() throws Exception
    {
        shouldBeEqual(javas(), List.of(), MILLION);
        shouldBeEqual(javas(), List.of("-XX:TieredStopAtLevel=1"), MILLION);
        shouldBeEqual(javas(), List.of("-Xint"), MILLION);
    }

    private static void shouldBeEqual(final List<Path> javas, final List<String> flags, final int commands)
        throws Exception
    {
        final List<String> expected = HashedRun.hashes(commands);
        assertTrue(expected.size() > commands / HashedRun.EVERY, expected::toString);
        for (final Path java : javas)
        {
            assertEquals(expected, run(java, flags, commands), () -> java + " " + flags);
        }
        System.out.println("equal state hashes after " + commands + " commands on " + javas + " with " + flags + ": " +
            expected.get(expected.size() - 1));
    }

    @Test
    void shouldStayUnchangedByARefusedCommand()
    {
        final EventCounter events = new EventCounter();
        for (int seed = 1; seed <= 4; seed++)
        {
            final OrderBook book = new OrderBook(MixedCommands.spec(seed % 2 == 0), events);
            final MixedCommands commands = new MixedCommands(seed, book);
            long hash = book.stateHash();
            int refused = 0;
            int changed = 0;
            for (int i = 0; i < 20_000; i++)
            {
                events.clear();
                final CommandResult result = commands.give();
                final long now = book.stateHash();
                if (result != CommandResult.SUCCESS)
                {
                    assertEquals(hash, now, "seed " + seed + ", command " + i + ": " + result);
                    assertTrue(events.isSilent(), "seed " + seed + ", command " + i + ": " + result);
                    refused++;
                }
                else if (events.trades > 0)
                {
                    assertNotEquals(hash, now, "seed " + seed + ", command " + i);
                    changed++;
                }
                hash = now;
            }
            assertTrue(refused > 1_000 && changed > 1_000, refused + " refused, " + changed + " changed the book");
        }
    }
}
