package io.millrace.examples;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each message that docs/troubleshooting.md quotes is in the code, apart from the names and numbers in it. */
class TroubleshootingPageTest
{
    private static final Path ROOT = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    /** In the first column; a code span of several words is a message. */
    private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^\\| ([^|]*) \\|");
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

    @Test
    void shouldQuoteMessagesThatTheCodeHas() throws IOException
    {
        final StringBuilder code = new StringBuilder();
        for (final String module : new String[] {"pool", "server", "journal", "engine"})
        {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java")))
            {
                for (final Path file : files.filter(each -> each.toString().endsWith(".java")).toList())
                {
                    code.append(Files.readString(file));
                }
            }
        }
        final String messages = CONCATENATION.matcher(code).replaceAll("");
        final List<String> missing = new ArrayList<>();
        int found = 0;
        final Matcher row = FIRST_COLUMN.matcher(Files.readString(ROOT.resolve("docs/troubleshooting.md")));
        while (row.find())
        {
            for (final String message : CODE_SPAN.matcher(row.group(1)).results().map(span -> span.group(1))
                .filter(span -> span.contains(" ")).toList())
            {
                found++;
                for (final String part : message.split("…"))
                {
                    if (!messages.contains(part.strip()))
                    {
                        missing.add(message + ": the code does not have '" + part + "'");
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(found >= 20, found + " messages found");
    }
}
