package io.millrace.journal;

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
 * A fuzzer that follows the branches of a target, in a separate JVM. Jazzer is on the class path with the {@code
 * faults} profile only.
 */
public final class Fuzzer
{
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    private static final long LIMIT_S = 300;

    private Fuzzer()
    {
    }

    /** How long a fuzzer runs whose end is a time; nightly ten minutes. */
    public static int seconds()
    {
        return Integer.getInteger("fuzz.seconds", 60);
    }

    /** Earlier inputs of a target, a line of hex digits each: those that reach a branch that no other one does. */
    public static List<byte[]> corpus(final Class<?> target) throws IOException
    {
        return Files.readAllLines(Path.of("src/test/resources/fuzz", target.getSimpleName() + ".hex")).stream()
            .map(HexFormat.of()::parseHex).toList();
    }

    /** Adds an input to the folder with which a run begins. */
    public static void add(final Path corpus, final byte[] input) throws IOException
    {
        Files.write(Files.createTempFile(corpus, "input", ""), input);
    }

    /** Makes the folder with which a run begins: it has the earlier inputs of the target. */
    public static Path begin(final Class<?> target, final Path folder) throws IOException
    {
        final Path corpus = Files.createDirectory(folder.resolve("corpus"));
        for (final byte[] input : corpus(target))
        {
            add(corpus, input);
        }
        return corpus;
    }

    /** Runs the fuzzer to its end, and fails with the seed if it finds something. Prints the number of executions. */
    public static void run(
        final Class<?> target, final int heapMb, final Path folder, final Path corpus, final String... limits)
        throws Exception
    {
        try
        {
            Class.forName(JAZZER, false, Fuzzer.class.getClassLoader());
        }
        catch (final ClassNotFoundException ex)
        {
            assumeTrue(false, JAZZER + " is not on the class path: it comes with -Pfaults");
        }
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Path log = folder.resolve("log");
        // The JVM limits the memory. The fuzzer would count what this process had when it started the child.
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heapMb + "m", "-cp",
            System.getProperty("java.class.path"), JAZZER, "--target_class=" + target.getName(),
            "--instrumentation_includes=io.millrace.**", "-rss_limit_mb=0",
            "-seed=" + (1 + Math.floorMod(seed, Integer.MAX_VALUE)), "-artifact_prefix=" + folder + "/",
            "-reproducer_path=" + folder));
        command.addAll(List.of(limits));
        command.add(corpus.toString());
        final ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(log.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        final Process process = builder.start();
        final boolean ended = process.waitFor(LIMIT_S + seconds(), TimeUnit.SECONDS);
        if (!ended)
        {
            process.destroyForcibly().waitFor();
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
