package io.millrace.journal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * J7: recovery of files that a fuzzer has changed. The fuzzer follows the branches of the readers, in a JVM of its own;
 * Jazzer is on the class path with the {@code faults} profile only.
 */
class JournalFuzzTest
{
    private static final String FUZZER = "com.code_intelligence.jazzer.Jazzer";
    /** 10 minutes in the nightly run. */
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 60);
    private static final int LONGEST = 4_200;
    /** Inputs of earlier runs, a line of hex digits each: those that reach a branch that no other one does. */
    private static final Path CORPUS = Path.of("src/test/resources/fuzz/JournalFuzz.hex");

    private static List<byte[]> corpus() throws IOException
    {
        return Files.readAllLines(CORPUS).stream().map(HexFormat.of()::parseHex).toList();
    }

    @Test
    void shouldRefuseOrRecoverTheInputsThatAFuzzerKept() throws IOException
    {
        corpus().forEach(JournalFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldRefuseOrRecoverWhateverTheFilesAre()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int i = 0; i < 500; i++)
        {
            final byte[] data = new byte[2 + random.nextInt(i % 10 == 0 ? LONGEST : 20)];
            random.nextBytes(data);
            try
            {
                JournalFuzz.fuzzerTestOneInput(data);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dmillrace.seed=" + seed + " input " + i, ex);
            }
        }
    }

    @Test
    @Tag("faults")
    void shouldFindNothingWithAFuzzer(@TempDir final Path folder) throws Exception
    {
        try
        {
            Class.forName(FUZZER, false, JournalFuzzTest.class.getClassLoader());
        }
        catch (final ClassNotFoundException ex)
        {
            assumeTrue(false, FUZZER + " is not on the class path: it comes with -Pfaults");
        }
        final Path corpus = Files.createDirectory(folder.resolve("corpus"));
        for (final byte[] input : corpus())
        {
            Files.write(Files.createTempFile(corpus, "input", ""), input);
        }
        final long seed = 1 + Math.floorMod(Long.getLong("millrace.seed", System.nanoTime()), Integer.MAX_VALUE);
        // The JVM limits the memory. The fuzzer would count what this process had when it started the child.
        final List<String> command = ChildJvm.command(ChildJvm.JDK, List.of("-Xmx512m"), JournalFuzzTest.class,
            "-rss_limit_mb=0",
            "--target_class=" + JournalFuzz.class.getName(), "--instrumentation_includes=io.millrace.**",
            "-max_total_time=" + SECONDS, "-max_len=" + LONGEST, "-seed=" + seed,
            "-artifact_prefix=" + folder + "/", "-reproducer_path=" + folder, corpus.toString());
        command.set(command.indexOf(JournalFuzzTest.class.getName()), FUZZER);
        final ChildJvm.Result result = ChildJvm.run(command);
        final String end = "-Dmillrace.seed=" + seed + "\n" +
            result.output().substring(Math.max(0, result.output().length() - 6_000));
        assertEquals(0, result.exitCode(), end);
        assertTrue(end.contains("Done "), end);
        System.out.println(end.substring(end.lastIndexOf("Done ")).lines().findFirst().orElse(""));
    }
}
