package io.millrace.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.ToolProvider;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Follows docs/tutorial.md in an empty folder as a reader does: writes the files of a step, compiles all, runs the
 * tests and the program, and compares its output. A block of code belongs to the last file name before it.
 */
class TutorialTest
{
    private static final Path ROOT = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```");
    private static final Pattern FILE = Pattern.compile("`([\\w/]+\\.(?:java|xml|csv))`");
    private static final Pattern MAIN = Pattern.compile("-Dexec\\.mainClass=([\\w.]+)`");

    @TempDir
    private Path project;

    @Test
    void shouldCompileRunAndPrintWhatEachStepSays() throws Exception
    {
        final String page = Files.readString(ROOT.resolve("docs/tutorial.md"));
        final String[] steps = page.split("(?m)^## (?=\\d)");
        assertEquals(6, steps.length, "the introduction and five steps");
        for (int i = 1; i < steps.length; i++)
        {
            final String step = steps[i];
            final Matcher block = BLOCK.matcher(step);
            String output = null;
            int end = 0;
            while (block.find())
            {
                if (block.group(1).equals("text"))
                {
                    output = block.group(2);
                }
                else
                {
                    final Path file = project.resolve(last(FILE, step.substring(end, block.start()), "no file name"));
                    Files.createDirectories(file.getParent());
                    Files.writeString(file, block.group(2));
                }
                end = block.end();
            }
            compileAndTest();
            if (output != null)
            {
                assertEquals(sorted(output), sorted(run(last(MAIN, step, "alerts.PriceAlerts"))), "step " + i);
            }
        }
        final Matcher version = Pattern.compile("<artifactId>millrace-bom</artifactId>\\s*(<version>.*</version>)")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertTrue(version.find());
        assertTrue(page.contains(version.group(1)), "the tutorial has another version");
    }

    private void compileAndTest() throws Exception
    {
        final Path classes = Files.createDirectories(project.resolve("target"));
        final List<String> arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror", "--release", "17",
            "-proc:none", "-cp", CLASS_PATH, "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(project.resolve("src")))
        {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
        }
        final ByteArrayOutputStream messages = new ByteArrayOutputStream();
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, messages, messages,
            arguments.toArray(String[]::new)), () -> messages.toString(StandardCharsets.UTF_8));
        if (Files.exists(classes.resolve("alerts/RulesTest.class")))
        {
            test(classes);
        }
    }

    private void test(final Path classes) throws Exception
    {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}))
        {
            final Class<?> tests = loader.loadClass("alerts.RulesTest");
            int count = 0;
            for (final Method method : tests.getDeclaredMethods())
            {
                if (method.isAnnotationPresent(Test.class))
                {
                    final var constructor = tests.getDeclaredConstructor();
                    constructor.setAccessible(true);
                    method.setAccessible(true);
                    method.invoke(constructor.newInstance());
                    count++;
                }
            }
            assertTrue(count > 0, "no test found");
        }
    }

    /** In a JVM without flags, as a reader does; what it prints on stderr would be among the lines. */
    private String run(final String main) throws IOException, InterruptedException
    {
        final Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", project.resolve("target") + File.pathSeparator + CLASS_PATH, main)
            .directory(project.toFile()).redirectErrorStream(true).start();
        final String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor(), output);
        return output;
    }

    /** Lines of several threads come in any order. */
    private static List<String> sorted(final String lines)
    {
        return lines.lines().sorted().toList();
    }

    private static String last(final Pattern pattern, final String text, final String orElse)
    {
        String found = orElse;
        final Matcher matcher = pattern.matcher(text);
        while (matcher.find())
        {
            found = matcher.group(1);
        }
        return found;
    }
}
