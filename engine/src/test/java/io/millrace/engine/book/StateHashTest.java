package io.millrace.engine.book;

import io.millrace.engine.EventCounter;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The same commands give the same state hash and the same executions in every JVM: on each JDK of this machine, with
 * compiled and with interpreted code, and in every run.
 */
@Tag("normal")
class StateHashTest
{
    private static final int MILLION = 1_000_000;
    /** Enough to include the recorded streams. */
    private static final int MANY = 200_000;
    /** An interpreter takes a second or two for these. */
    private static final int FEW = 100_000;

    private static List<String> run(final Path jdk, final List<String> flags, final int commands) throws Exception
    {
        return new ChildJvm(jdk).flags(flags.toArray(String[]::new)).flags("-Dmillrace.shared=" + SharedFile.FOLDER)
            .lines(HashedRun.class, commands);
    }

    @Test
    @Tag("slow")
    void shouldBeEqualOnAnotherJdkAndInterpreted() throws Exception
    {
        final List<Path> jdks = ChildJvm.jdks();
        // The test itself runs on the first of them.
        shouldBeEqual(jdks.subList(jdks.size() - 1, jdks.size()), List.of(), MANY);
        shouldBeEqual(jdks.subList(0, 1), List.of("-Xint"), FEW);
    }

    @Test
    @Tag("faults")
    void shouldBeEqualOnEveryJdkOverAMillionInterpretedCommands() throws Exception
    {
        shouldBeEqual(ChildJvm.jdks(), List.of(), MILLION);
        shouldBeEqual(ChildJvm.jdks(), List.of("-XX:TieredStopAtLevel=1"), MILLION);
        shouldBeEqual(ChildJvm.jdks(), List.of("-Xint"), MILLION);
    }

    private static void shouldBeEqual(final List<Path> jdks, final List<String> flags, final int commands)
        throws Exception
    {
        final List<String> expected = HashedRun.hashes(commands);
        assertTrue(expected.size() > commands / HashedRun.EVERY, expected::toString);
        for (final Path jdk : jdks)
        {
            assertEquals(expected, run(jdk, flags, commands), () -> jdk + " " + flags);
        }
        System.out.println("equal state hashes after " + commands + " commands on " + jdks + " with " + flags + ": " +
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
