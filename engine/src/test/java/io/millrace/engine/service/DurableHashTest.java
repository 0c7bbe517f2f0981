package io.millrace.engine.service;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * J20: live, after recovery, and after a snapshot with the records behind it, the state has the same hash, and its
 * snapshot the same bytes: on each JDK here, and interpreted.
 */
@Tag("normal")
class DurableHashTest
{
    /** An interpreter takes a few seconds for these. */
    private static final int FEW = 2_000;
    private static final int SOME = 20_000;

    @TempDir
    private Path folder;
    private int runs;

    private Path next() throws Exception
    {
        final Path next = folder.resolve("run-" + runs++);
        Files.createDirectory(next);
        return next;
    }

    private List<String> run(final int commands, final Path jdk, final String... flags) throws Exception
    {
        return new ChildJvm(jdk).flags(flags).flags("-Dmillrace.shared=" + SharedFile.FOLDER)
            .lines(DurableRun.class, next(), commands);
    }

    private void compare(final int commands, final int interpreted) throws Exception
    {
        final List<String> expected = DurableRun.hashes(next(), commands);
        final List<Path> jdks = ChildJvm.jdks();
        for (final Path jdk : jdks.subList(1, jdks.size()))
        {
            assertEquals(expected, run(commands, jdk), jdk::toString);
        }
        assertEquals(DurableRun.hashes(next(), interpreted), run(interpreted, ChildJvm.JDK, "-Xint"));
    }

    @Test
    @Tag("slow")
    void shouldBeTheSameStateLiveRecoveredAndFromASnapshot() throws Exception
    {
        compare(SOME, FEW);
    }

    @Test
    @Tag("faults")
    void shouldBeTheSameStateForAMillionCommands() throws Exception
    {
        compare(1_000_000, 100_000);
    }
}
