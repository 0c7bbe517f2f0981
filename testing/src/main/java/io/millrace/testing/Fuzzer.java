package io.millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs Jazzer, a fuzzer that follows the branches of a decoder, in a separate JVM. A target is a class with a static
 * {@code fuzzerTestOneInput(byte[])}. Jazzer ({@code com.code-intelligence:jazzer}) must be on the class path: else the
 * test is left out.
 */
public final class Fuzzer
{
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    private static final long LIMIT_S = 300;
    private static final int DEFAULT_S = 60;

    private Fuzzer()
    {
    }

    /** @return seconds of a run whose end is a time: the system property {@code fuzz.seconds}, by default 60. */
    public static int seconds()
    {
        return Integer.getInteger("fuzz.seconds", DEFAULT_S);
    }

    /**
     * Earlier inputs of a target: those that reach a branch that no other one does.
     *
     * @param target class with {@code fuzzerTestOneInput}.
     * @return the lines of {@code src/test/resources/fuzz/TARGET.hex}, hex digits each.
     * @throws IOException if the file cannot be read.
     */
    public static List<byte[]> corpus(final Class<?> target) throws IOException
    {
        return Files.readAllLines(Path.of("src/test/resources/fuzz", target.getSimpleName() + ".hex")).stream()
            .map(HexFormat.of()::parseHex).toList();
    }

    /**
     * Add an input to the folder with which a run begins.
     *
     * @param corpus the folder.
     * @param input  bytes of the input.
     * @throws IOException if the file cannot be written.
     */
    public static void add(final Path corpus, final byte[] input) throws IOException
    {
        Files.write(Files.createTempFile(corpus, "input", ""), input);
    }

    /**
     * Make the folder with which a run begins.
     *
     * @param target class with {@code fuzzerTestOneInput}.
     * @param folder an empty folder.
     * @return a new folder in it, with the earlier inputs of the target.
     * @throws IOException if a file cannot be read or written.
     */
    public static Path begin(final Class<?> target, final Path folder) throws IOException
    {
        final Path corpus = Files.createDirectory(folder.resolve("corpus"));
        for (final byte[] input : corpus(target))
        {
            add(corpus, input);
        }
        return corpus;
    }

    /**
     * Run the fuzzer to its end. Prints the number of executions.
     *
     * @param target class with {@code fuzzerTestOneInput}.
     * @param heapMb heap of its JVM, in megabytes: a decoder that trusts a length exceeds it.
     * @param folder for its output.
     * @param corpus the folder with which the run begins.
     * @param limits arguments of the fuzzer that end it and bound its inputs, for example {@code -runs=100000}.
     * @throws IOException          if a file cannot be read or written.
     * @throws InterruptedException if the calling thread is interrupted.
     * @throws AssertionError       if the fuzzer finds something; the message has the seed, to be repeated by the
     *                              system property {@code millrace.seed}.
     */
    public static void run(
        final Class<?> target, final int heapMb, final Path folder, final Path corpus, final String... limits)
        throws IOException, InterruptedException
    {
        try
        {
            Class.forName(JAZZER, false, Fuzzer.class.getClassLoader());
        }
        catch (final ClassNotFoundException ex)
        {
            assumeTrue(false, JAZZER + " is not on the class path: in the build of Millrace it comes with -Pfaults");
        }
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        // Absolute: the child runs in this folder.
        final Path output = folder.toAbsolutePath();
        final Path log = output.resolve("log");
        // The JVM limits the memory. The fuzzer would count what this process had when it started the child.
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heapMb + "m", "-cp",
            System.getProperty("java.class.path"), JAZZER, "--target_class=" + target.getName(),
            "--instrumentation_includes=io.millrace.**:" + target.getPackageName() + ".**", "-rss_limit_mb=0",
            "-seed=" + (1 + Math.floorMod(seed, Integer.MAX_VALUE)), "-artifact_prefix=" + output + "/",
            "-reproducer_path=" + output));
        command.addAll(List.of(limits));
        command.add(corpus.toAbsolutePath().toString());
        final ProcessBuilder builder = new ProcessBuilder(command).directory(output.toFile()).redirectErrorStream(true)
            .redirectOutput(log.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        final Process process = builder.start();
        boolean ended = false;
        try
        {
            ended = process.waitFor(LIMIT_S + seconds(), TimeUnit.SECONDS);
        }
        finally
        {
            // Also when the test is interrupted.
            if (!ended)
            {
                process.destroyForcibly();
            }
        }
        final List<String> lines = Files.readAllLines(log);
        final String end = "-Dmillrace.seed=" + seed + "\n" +
            String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        assertTrue(ended, () -> "the fuzzer does not end: " + end);
        assertEquals(0, process.exitValue(), end);
        assertTrue(end.contains("Done "), end);
        System.out.println(target.getSimpleName() + ": " +
            lines.stream().filter(line -> line.startsWith("Done ")).findFirst().orElseThrow());
    }
}
