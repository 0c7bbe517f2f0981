package io.millrace.journal;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** J20: the same records give the same state and the same bytes on every JDK, compiler and heap. */
class AnyJdkTest
{
    private static final List<List<String>> FLAGS = List.of(List.of(), List.of("-XX:TieredStopAtLevel=1"),
        List.of("-Xint"), List.of("-Xmx32m", "-XX:+UseSerialGC"));

    @TempDir
    private Path folder;

    private static void run(
        final Path jdk, final List<String> flags, final Path directory, final long records, final String snapshot,
        final long expected)
        throws IOException, InterruptedException
    {
        assertEquals(List.of(expected + " " + Accounts.hashAfter(expected)), new ChildJvm(jdk)
            .flags(flags.toArray(String[]::new)).lines(AnyJdkProgram.class, directory, records, snapshot),
            () -> jdk + " " + flags);
    }

    /** Each JDK appends behind what the one before it has written, with its snapshot; then back to the first. */
    private void passOn(final int records) throws IOException, InterruptedException
    {
        final Path directory = folder.resolve("j");
        final List<Path> jdks = new ArrayList<>(ChildJvm.jdks());
        jdks.add(jdks.get(0));
        long last = 0;
        for (final Path jdk : jdks)
        {
            last += records;
            run(jdk, List.of(), directory, records, last == records ? "none" : "snapshot", last);
        }
    }

    private void replayEverywhere(final List<List<String>> flags, final int records)
        throws IOException, InterruptedException
    {
        final Path written = folder.resolve("written");
        Journals.write(AnyJdkProgram.context(written), records, 64, true);
        byte[] snapshot = null;
        for (final Path jdk : ChildJvm.jdks())
        {
            for (final List<String> each : flags)
            {
                final Path copy = folder.resolve("copy");
                Journals.copy(written, copy);
                run(jdk, each, copy, 0, "snapshot", records);
                final byte[] bytes = Files.readAllBytes(copy.resolve(Snapshots.name(records)));
                snapshot = snapshot == null ? bytes : snapshot;
                assertEquals(-1, Arrays.mismatch(snapshot, bytes), jdk + " " + each);
                Journals.delete(copy);
            }
        }
    }

    @Test
    void shouldGoOnInAJournalOfAnotherJdk() throws IOException, InterruptedException
    {
        passOn(10_000);
    }

    @Tag("faults")
    @Test
    void shouldReplayAMillionRecordsToTheSameBytesEverywhere() throws IOException, InterruptedException
    {
        final List<List<String>> three = new ArrayList<>(FLAGS);
        three.addAll(List.of(List.of(), List.of()));
        replayEverywhere(three, 1_000_000);
    }

    @Test
    void shouldReplayToTheSameBytesEverywhere() throws IOException, InterruptedException
    {
        replayEverywhere(List.of(List.of("-Xint")), 10_000);
    }
}
