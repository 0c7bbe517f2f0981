package io.millrace.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs a main class in a separate JVM, with the class path of the test and only the given flags. */
final class ChildJvm
{
    private final Path jdk;
    private final List<String> tool = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");

    int exitCode;
    List<String> out;
    List<String> err;

    ChildJvm(final Path jdk)
    {
        this.jdk = jdk;
    }

    ChildJvm flags(final String... more)
    {
        flags.addAll(List.of(more));
        return this;
    }

    /** Run it under a tool that takes a command, such as strace. */
    ChildJvm under(final String... command)
    {
        tool.addAll(List.of(command));
        return this;
    }

    /** Leave out the jars whose file name begins with one of the prefixes. */
    ChildJvm without(final String... prefixes)
    {
        classPath = Arrays.stream(classPath.split(File.pathSeparator))
            .filter(entry -> Arrays.stream(prefixes).noneMatch(new File(entry).getName()::startsWith))
            .collect(Collectors.joining(File.pathSeparator));
        return this;
    }

    ChildJvm run(final Class<?> main, final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(tool);
        command.add(jdk.resolve("bin/java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        final Path outFile = Files.createTempFile("child", ".out");
        final Path errFile = Files.createTempFile("child", ".err");
        try
        {
            final ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(outFile.toFile()).redirectError(errFile.toFile());
            // Each of these variables adds flags, and two of them print a message.
            builder.environment().keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
            final Process process = builder.start();
            final boolean ended = process.waitFor(Await.LONG_NS, TimeUnit.NANOSECONDS);
            if (!ended)
            {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            assertTrue(ended, () -> "the child does not end: " + command);
            exitCode = process.exitValue();
            out = Files.readAllLines(outFile);
            err = Files.readAllLines(errFile);
        }
        finally
        {
            Files.delete(outFile);
            Files.delete(errFile);
        }
        return this;
    }

    @Override
    public String toString()
    {
        return jdk + " exit " + exitCode + " out " + out + " err " + err;
    }
}
