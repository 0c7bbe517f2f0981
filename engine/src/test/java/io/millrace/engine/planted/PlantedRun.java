package io.millrace.engine.planted;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs tests of any module in a JVM of their own, with other classes before those of the module. */
final class PlantedRun
{
    private static final long LIMIT_S = 120;
    private static final List<String> MODULES = List.of("pool", "server", "journal", "engine");

    /**
     * How the tests ended.
     *
     * @param succeeded number of tests, with each case of a parameterized one.
     * @param failures  a line each.
     */
    record Result(long succeeded, List<String> failures)
    {
    }

    private PlantedRun()
    {
    }

    /** Classes and tests of all modules, those of one before the others, and what they need. */
    static String classPath(final Path module)
    {
        final List<String> path = new ArrayList<>();
        path.add(module.resolve("target/test-classes").toString());
        for (final String each : MODULES)
        {
            path.add(PlantedBug.ROOT.resolve(each).resolve("target/classes").toString());
            path.add(PlantedBug.ROOT.resolve(each).resolve("target/test-classes").toString());
        }
        path.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, path);
    }

    /** Tests as in {@link PlantedBug#test()}, all of one module. */
    static Result run(final Path first, final List<String> tests) throws IOException, InterruptedException
    {
        final Path module = PlantedBug.module(tests.get(0));
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(), "-ea", "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData", "-Xmx512m", "-Dmillrace.checked=false"));
        for (final String property : List.of("millrace.shared", "millrace.root", "allocation.events"))
        {
            command.add("-D" + property + "=" + System.getProperty(property, ""));
        }
        command.addAll(List.of("-cp", first + File.pathSeparator + classPath(module), PlantedRun.class.getName()));
        command.addAll(tests);
        final Path out = first.resolve("out");
        final ProcessBuilder builder = new ProcessBuilder(command).directory(module.toFile())
            .redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().keySet()
            .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
        final Process process = builder.start();
        final boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        assertTrue(ended, () -> "no end: " + tests);
        final List<String> lines = Files.readAllLines(out);
        assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
        final List<String> failures = lines.stream().filter(line -> line.startsWith("FAILED ")).toList();
        final String last = lines.get(lines.size() - 1);
        assertTrue(last.startsWith("SUCCEEDED "), () -> String.join("\n", lines));
        return new Result(Long.parseLong(last.substring(10)), failures);
    }

    /**
     * The child.
     *
     * @param arguments the tests.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        final List<DiscoverySelector> selectors = new ArrayList<>();
        for (final String argument : arguments)
        {
            final String[] parts = argument.split("#");
            final Class<?> type = Class.forName("io.millrace." + parts[0]);
            selectors.add(DiscoverySelectors.selectMethod(type, method(type, parts[1])));
        }
        final LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        final TestExecutionSummary summary = listener.getSummary();
        for (final TestExecutionSummary.Failure failure : summary.getFailures())
        {
            out.println("FAILED " + failure.getTestIdentifier().getDisplayName() + ": " +
                failure.getException().toString().replaceAll("\\R", " "));
        }
        out.println("SUCCEEDED " + summary.getTestsSucceededCount());
        // A test that failed may have left threads.
        Runtime.getRuntime().halt(0);
    }

    /** A method of a class or of its suites, with any parameters. */
    private static Method method(final Class<?> type, final String name)
    {
        for (Class<?> each = type; each != null; each = each.getSuperclass())
        {
            for (final Method method : each.getDeclaredMethods())
            {
                if (method.getName().equals(name))
                {
                    return method;
                }
            }
        }
        throw new IllegalArgumentException(type + " has no method " + name);
    }
}
