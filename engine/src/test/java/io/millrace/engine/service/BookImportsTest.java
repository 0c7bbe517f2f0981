package io.millrace.engine.service;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * Only the service and its codecs know the server: an application that uses the books alone calls them from its own
 * loop.
 */
class BookImportsTest
{
    private static final Path ENGINE = Path.of("src/main/java/io/millrace/engine");

    private static List<Path> sources() throws IOException
    {
        try (Stream<Path> all = Files.walk(ENGINE))
        {
            return all.filter(file -> file.toString().endsWith(".java"))
                .filter(file -> !file.startsWith(ENGINE.resolve("service")))
                .filter(file -> !file.startsWith(ENGINE.resolve("replay")))
                .filter(file -> !file.startsWith(ENGINE.resolve("codec"))).sorted().collect(Collectors.toList());
        }
    }

    @Test
    void shouldKeepServerAndPoolOutOfTheBooks() throws IOException
    {
        final List<Path> sources = sources();
        assertFalse(sources.isEmpty(), "no sources in " + ENGINE.toAbsolutePath());
        final List<String> findings = new ArrayList<>();
        for (final Path file : sources)
        {
            final List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++)
            {
                // Without "import" in front, because a full name in the code has the same effect as an import.
                if (lines.get(i).contains("io.millrace.server") || lines.get(i).contains("io.millrace.pool") ||
                    lines.get(i).startsWith("import") && lines.get(i).contains("io.millrace.engine.service"))
                {
                    findings.add(file + ":" + (i + 1) + " " + lines.get(i).trim());
                }
            }
        }
        assertEquals(List.of(), findings);
    }

    @Test
    void shouldKeepTheEngineOutOfTheBook() throws IOException
    {
        final List<String> findings = new ArrayList<>();
        for (final Path file : sources())
        {
            if (file.startsWith(ENGINE.resolve("book")))
            {
                Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith("import io.millrace."))
                    .filter(line -> !line.startsWith("import io.millrace.engine.book.") &&
                        !line.startsWith("import io.millrace.engine.tables."))
                    .forEach(line -> findings.add(file + " " + line));
            }
        }
        assertEquals(List.of(), findings);
    }
}
