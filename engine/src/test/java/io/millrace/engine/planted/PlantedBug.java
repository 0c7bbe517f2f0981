package io.millrace.engine.planted;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A bug that a test must catch: a change of one source file. Classes are named without {@code io.millrace.}, so the
 * first part of a name is its module.
 *
 * @param name  of the bug, as in {@code docs/reliability.md}.
 * @param type  class whose source is changed.
 * @param test  class and method that must fail: {@code journal.JournalTest#shouldX}.
 * @param edits old text, new text, and so on. Each old text occurs exactly once in the source.
 */
record PlantedBug(String name, String type, String test, List<String> edits)
{
    static final Path ROOT = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();

    static PlantedBug of(final String name, final String type, final String test, final String... edits)
    {
        return new PlantedBug(name, type, test, List.of(edits));
    }

    /** Folder of the module of a class. */
    static Path module(final String type)
    {
        return ROOT.resolve(type.substring(0, type.indexOf('.')));
    }

    /** The source with the bug. */
    String source() throws IOException
    {
        String source = Files.readString(module(type).resolve("src/main/java").resolve(file()));
        for (int i = 0; i < edits.size(); i += 2)
        {
            final String old = edits.get(i);
            final int at = source.indexOf(old);
            assertTrue(at >= 0, () -> name + ": " + type + " has no text\n" + old);
            assertEquals(at, source.lastIndexOf(old), () -> name + ": " + type + " has this text twice\n" + old);
            source = source.substring(0, at) + edits.get(i + 1) + source.substring(at + old.length());
        }
        return source;
    }

    private String file()
    {
        return "io/millrace/" + type.replace('.', '/') + ".java";
    }

    /** Compiles the source with the bug into a folder, which then comes first on a class path. */
    void compileTo(final Path folder) throws IOException
    {
        final Path file = folder.resolve("src").resolve(file());
        Files.createDirectories(file.getParent());
        Files.writeString(file, source());
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8))
        {
            final List<String> options = new ArrayList<>(List.of("--release", "17", "-proc:none", "-Xlint:none",
                "-d", folder.toString(), "-cp", PlantedRun.classPath(module(type))));
            assertTrue(compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(file)).call(),
                () -> name + ": " + messages);
        }
    }

    /** Its row in the table of the docs. */
    String row()
    {
        return "| " + name + " | `" + simple(type) + "` | `" + simple(test).replace("#", ".") + "` |";
    }

    private static String simple(final String name)
    {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public String toString()
    {
        return name;
    }
}
