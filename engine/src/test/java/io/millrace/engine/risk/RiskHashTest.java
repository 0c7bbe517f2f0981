package io.millrace.engine.risk;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Users, accounts and positions have the same state hash in every JVM: on each JDK here, and interpreted. */
@Tag("normal")
class RiskHashTest
{
    private static final long WAIT_S = 300;
    /** So many an interpreter does in a few seconds. */
    private static final int FEW = 2_000;

    /** The JDKs beside the one that runs this, from 17 on. */
    private static List<Path> others() throws IOException
    {
        final Path current = Path.of(System.getProperty("java.home")).toRealPath();
        final List<Path> others = new ArrayList<>();
        try (Stream<Path> siblings = Files.list(current.getParent()))
        {
            for (final Path sibling : siblings.sorted().toList())
            {
                final Path release = sibling.resolve("release");
                if (Files.isReadable(release) && !sibling.toRealPath().equals(current) &&
                    Files.isExecutable(sibling.resolve("bin/java")) &&
                    Files.readString(release).matches("(?s).*JAVA_VERSION=\"(1[7-9]|[2-9]\\d).*"))
                {
                    others.add(sibling.resolve("bin/java"));
                }
            }
        }
        return others;
    }

    private static List<String> run(final int commands, final Path java, final String... flags) throws Exception
    {
        final List<String> line = new ArrayList<>(List.of(java.toString()));
        line.addAll(List.of(flags));
        line.addAll(List.of("-Dmillrace.shared=" + System.getProperty("millrace.shared", "../../shared"), "-cp",
            System.getProperty("java.class.path"), HashedRiskRun.class.getName(), "" + commands));
        final Path out = Files.createTempFile("hashes", ".out");
        try
        {
            final ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile());
            // Each of these adds flags, and two of them print that they do.
            builder.environment().keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
            final Process process = builder.start();
            if (!process.waitFor(WAIT_S, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new AssertionError("does not end: " + line);
            }
            return Files.readAllLines(out);
        }
        finally
        {
            Files.delete(out);
        }
    }

    @Test
    void shouldBeEqualOnOtherJdksAndInterpreted() throws Exception
    {
        final List<String> expected = HashedRiskRun.hashes(HashedRiskRun.ALL);
        for (final Path java : others())
        {
            assertEquals(expected, run(HashedRiskRun.ALL, java), java::toString);
        }
        assertEquals(HashedRiskRun.hashes(FEW),
            run(FEW, Path.of(System.getProperty("java.home"), "bin", "java"), "-Xint"));
    }
}
