package io.millrace.examples;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([a-z][a-z0-9_.]*\\.[A-Z]\\w*)");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

    @Test
    void shouldQuoteMessagesThatTheCodeHas() throws IOException
    {
        final StringBuilder code = new StringBuilder();
        for (final String module : new String[] {"pool", "server", "journal", "engine"})
        {
            code.append(code(module));
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

    /** An automatic module requires none of them, so the JVM finds them only if the application does. */
    @Test
    void shouldNameEachModuleThatAnApplicationOnTheModulePathRequires() throws Exception
    {
        final String page = Files.readString(ROOT.resolve("docs/how-to.md"));
        final Set<String> named = new TreeSet<>();
        for (final String module : new String[] {"pool", "server", "journal", "engine", "ipc", "gateway", "exchange"})
        {
            final Matcher imported = IMPORT.matcher(code(module));
            while (imported.find())
            {
                final String name = moduleOf(imported.group(1));
                if (!name.isEmpty() && !name.equals("java.base"))
                {
                    named.add(name);
                }
            }
        }
        assertTrue(named.containsAll(List.of("com.lmax.disruptor", "jdk.net")), named.toString());
        assertEquals(List.of(), named.stream().filter(name -> !page.contains("`" + name + "`")).toList());
    }

    /** No code imports it: a provider of cryptography. Since JDK 22 it is part of java.base. */
    @Test
    void shouldNameTheModuleOfTheKeysOfTlsForARuntimeOfJlink() throws Exception
    {
        final String page = Files.readString(ROOT.resolve("docs/how-to.md"));
        final String name = KeyFactory.getInstance("EC").getProvider().getClass().getModule().getName();
        assertEquals(Runtime.version().feature() < 22 ? "jdk.crypto.ec" : "java.base", name);
        assertTrue(page.contains("up to JDK 21\n`jdk.crypto.ec` for [TLS]"), page);
    }

    /** Empty for an automatic module, and for a library that is optional and absent. */
    private static String moduleOf(final String className) throws URISyntaxException
    {
        try
        {
            final Class<?> type = Class.forName(className, false, TroubleshootingPageTest.class.getClassLoader());
            if (type.getModule().isNamed())
            {
                return type.getModule().getName();
            }
            final Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Files.isDirectory(jar) ? "" : ModuleFinder.of(jar).findAll().stream()
                .map(ModuleReference::descriptor).filter(module -> !module.isAutomatic())
                .map(ModuleDescriptor::name).findFirst().orElse("");
        }
        catch (final ClassNotFoundException ex)
        {
            return "";
        }
    }

    private static String code(final String module) throws IOException
    {
        final StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java")))
        {
            for (final Path file : files.filter(each -> each.toString().endsWith(".java")).toList())
            {
                code.append(Files.readString(file));
            }
        }
        return code.toString();
    }
}
