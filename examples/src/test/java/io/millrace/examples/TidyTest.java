package io.millrace.examples;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Lints the repository: checks the rules that neither the compiler nor checkstyle knows. It is in the top layer because
 * it reads all the others. Each failure lists every place as {@code file:line: name or reason}.
 *
 * <p>A rule about code reads a line without its string literals and comments. A line that starts with a star or a
 * comment sign is a comment, and so is the text after two slashes; that is enough for code in the house style.
 */
final class TidyTest
{
    /** The root of the repository; a test runs in the directory of its module. */
    static final Path ROOT = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();

    /**
     * The other modules that the sources of a module may import; {@code testing} only its tests, see the module's pom.
     * A new module gets its line here.
     */
    private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
        entry("bom", Set.of()),
        entry("pool", Set.of()),
        entry("server", Set.of("pool")),
        entry("testing", Set.of("pool", "server")),
        entry("micrometer", Set.of("pool", "server", "testing")),
        entry("journal", Set.of("pool", "server", "testing")),
        entry("gateway", Set.of("pool", "server", "testing")),
        entry("ipc", Set.of("pool", "server", "testing")),
        entry("engine", Set.of("pool", "server", "journal", "testing")),
        entry("exchange", Set.of("pool", "server", "journal", "gateway", "engine", "testing")),
        entry("benchmarks", Set.of("pool", "server", "journal", "gateway", "ipc", "engine", "exchange", "itchbook")),
        entry("examples",
            Set.of("pool", "server", "journal", "gateway", "ipc", "engine", "exchange", "itchbook", "testing",
                "micrometer")));

    private static final int MAX_CODE_LINES = 400;
    private static final Pattern NOT_CODE = Pattern.compile("^\\s*(\\*|/\\*).*|\"(\\\\.|[^\"\\\\])*\"|//.*");
    private static final Pattern TEXT_FILE = Pattern.compile(".*\\.(java|xml|md|config|properties|yml)|.*/\\.ci/.*");
    private static final Pattern MILLRACE_IMPORT = Pattern.compile("^import (?:static )?io\\.millrace\\.(\\w+)");
    private static final Pattern LOCK_OR_LOG = Pattern.compile("\\bsynchronized\\b|\\bSystem\\.(L|getL)ogger\\b|" +
        "^import .*\\b(java\\.util\\.logging|org\\.slf4j|org\\.apache\\.(log4j|logging|commons\\.logging))\\b");
    private static final Pattern NOT_DETERMINISTIC = Pattern.compile(
        "\\b(Random|SecureRandom|SplittableRandom|ThreadLocalRandom|Math\\.random|UUID\\.randomUUID|" +
        "nanoTime|currentTimeMillis|Instant\\.now|Clock\\.system\\w*|float|double|Float|Double|" +
        "HashMap|HashSet|IdentityHashMap)\\b");
    /** Only the engine's package service knows pools, servers and threads. */
    private static final Pattern NOT_OF_AN_ENGINE = Pattern.compile(
        "^import (static )?(io\\.millrace\\.(pool|server|journal)|java\\.(io|net|nio|time|util\\.concurrent))\\b|" +
        "\\bThread\\b");
    private static final Pattern OTHER_LIBRARY = Pattern.compile("^import (static )?(?!java\\.|io\\.millrace\\.)");
    /** A book needs the engine's tables and a few classes of the JDK. */
    private static final Pattern NOT_OF_A_BOOK = Pattern.compile("^import (?!java\\.util\\.\\w+;|" +
        "java\\.lang\\.invoke\\.(MethodHandles|VarHandle);|io\\.millrace\\.engine\\.tables\\.\\w+;)");
    /** Another locale has other digits: a file name or a line that a program reads must not depend on it. */
    private static final Pattern OF_THE_LOCALE =
        Pattern.compile("(String\\.format|\\.printf|\\.formatted)\\((?!Locale)|to(Lower|Upper)Case\\(\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```java\\b[^\\n]*\\n(.*?)(^ *```|\\z)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*?) *$");
    private static final Pattern PROPERTY_IN_CODE = Pattern.compile("\"(millrace\\.[A-Za-z0-9.]*[A-Za-z0-9])\"");
    private static final Pattern PROPERTY_OF_REPORT = Pattern.compile("\"(report\\.[a-zA-Z]+)\"");
    private static final Pattern PROPERTY_IN_POM = Pattern.compile("^\\s*<(report\\.[A-Za-z0-9.]+)>");

    /** Comments and blank lines do not count. */
    @Test
    void shouldKeepEveryJavaFileWithin400LinesOfCode() throws IOException
    {
        final List<String> found = new ArrayList<>();
        for (final Path file : files(ROOT, ".*\\.java"))
        {
            final long lines = Files.readAllLines(file).stream()
                .filter((line) -> !NOT_CODE.matcher(line).replaceAll("").isBlank()).count();
            if (lines > MAX_CODE_LINES)
            {
                found.add(place(file, 1) + "the file has " + lines + " lines of code");
            }
        }
        assertNone(found);
    }

    @Test
    void shouldHaveTheTextOfTheLicence() throws IOException
    {
        assertTrue(Files.readString(ROOT.resolve("LICENSE")).contains("END OF TERMS AND CONDITIONS"));
    }

    @Test
    void shouldIndentWithSpacesNotTabs() throws IOException
    {
        final List<String> found = new ArrayList<>();
        for (final Path file : files(ROOT, TEXT_FILE.pattern()))
        {
            final List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++)
            {
                if (lines.get(i).indexOf('\t') >= 0)
                {
                    found.add(place(file, i + 1) + "a tab character");
                }
            }
        }
        assertNone(found);
    }

    @Test
    void shouldNeitherLockNorLogInHotPackages() throws IOException
    {
        final List<Path> hot = new ArrayList<>(files(ROOT.resolve("pool/src/main"), ".*\\.java"));
        hot.addAll(files(ROOT.resolve("server/src/main"), ".*/io/millrace/server/pipeline/.*\\.java"));
        hot.addAll(files(ROOT.resolve("engine/src/main"), ".*\\.java"));
        assertNone(matches(hot, LOCK_OR_LOG));
    }

    @Test
    void shouldKeepClocksChanceAndFloatingPointOutOfTheEngine() throws IOException
    {
        assertNone(matches(files(ROOT.resolve("engine/src/main"), ".*\\.java"), NOT_DETERMINISTIC));
    }

    @Test
    void shouldKeepThreadsPoolsAndServersOutOfTheOrderBook() throws IOException
    {
        final Path engine = ROOT.resolve("engine/src/main");
        assertNone(matches(
            files(engine, ".*/io/millrace/engine/(book/|risk/|tables/)?[^/]*\\.java"), NOT_OF_AN_ENGINE));
        assertNone(matches(files(engine, ".*/io/millrace/engine/(book|tables)/.*\\.java"), NOT_OF_A_BOOK));
    }

    @Test
    void shouldKeepOtherLibrariesOutOfTheEngine() throws IOException
    {
        assertNone(matches(files(ROOT.resolve("engine/src/main"), ".*\\.java"), OTHER_LIBRARY));
    }

    @Test
    void shouldFormatNothingByTheDefaultLocale() throws IOException
    {
        assertNone(matches(files(ROOT, ".*/src/main/java/.*\\.java"), OF_THE_LOCALE));
    }

    @Test
    void shouldImportOnlyFromLowerLayers() throws IOException
    {
        final List<String> found = new ArrayList<>();
        for (final String module : modules())
        {
            for (final Path file : files(ROOT.resolve(module).resolve("src"), ".*\\.java"))
            {
                final List<String> lines = Files.readAllLines(file);
                for (int i = 0; i < lines.size(); i++)
                {
                    final Matcher imported = MILLRACE_IMPORT.matcher(lines.get(i));
                    if (imported.find() && !imported.group(1).equals(module) &&
                        !MAY_IMPORT.get(module).contains(imported.group(1)))
                    {
                        found.add(place(file, i + 1) + module + " may not import from " + imported.group(1));
                    }
                }
            }
        }
        assertNone(found);
    }

    @Test
    void shouldAssignALayerToEveryModule() throws IOException
    {
        final List<String> found = new ArrayList<>();
        final List<String> pom = Files.readAllLines(ROOT.resolve("pom.xml"));
        for (int i = 0; i < pom.size(); i++)
        {
            // A folder inside of a module is an application with another parent.
            final Matcher module = Pattern.compile("<module>([^/]*)</module>").matcher(pom.get(i));
            if (module.find() && !MAY_IMPORT.containsKey(module.group(1)))
            {
                found.add(place(ROOT.resolve("pom.xml"), i + 1) + module.group(1) + " has no line in MAY_IMPORT");
            }
        }
        assertNone(found);
    }

    @Test
    void shouldDocumentEveryConfigurationProperty() throws IOException
    {
        final Path page = ROOT.resolve("docs/configuration.md");
        final String documented = Files.exists(page) ? Files.readString(page) : "";
        final List<Path> sources = new ArrayList<>();
        final List<Path> poms = new ArrayList<>();
        for (final String module : modules())
        {
            sources.addAll(files(ROOT.resolve(module).resolve("src/main"), ".*\\.java"));
            poms.add(ROOT.resolve(module).resolve("pom.xml"));
        }
        final List<String> found = new ArrayList<>();
        found.addAll(undocumented(sources, PROPERTY_IN_CODE, documented));
        found.addAll(undocumented(
            files(ROOT.resolve("benchmarks/src/main"), ".*\\.java"), PROPERTY_OF_REPORT, documented));
        found.addAll(undocumented(poms, PROPERTY_IN_POM, documented));
        assertNone(found);
    }

    @Test
    void shouldIncludeEveryCodeBlockOfTheDocsInAnExample() throws IOException
    {
        final List<String> examples = new ArrayList<>();
        for (final Path file : files(ROOT.resolve("examples/src"), ".*\\.java"))
        {
            examples.add(normalised(Files.readString(file)));
        }
        final List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".*\\.md"));
        pages.add(ROOT.resolve("README.md"));
        // TutorialTest compiles and runs its blocks.
        pages.remove(ROOT.resolve("docs/tutorial.md"));

        final List<String> found = new ArrayList<>();
        for (final Path page : pages)
        {
            final String text = Files.readString(page);
            final Matcher block = CODE_BLOCK.matcher(text);
            while (block.find())
            {
                final String wanted = normalised(block.group(1));
                if (wanted.isEmpty() || examples.stream().noneMatch((example) -> example.contains(wanted)))
                {
                    final int line = (int)text.substring(0, block.start()).lines().count() + 1;
                    found.add(place(page, line) + "no file under examples/src has this code block");
                }
            }
        }
        assertNone(found);
    }

    @Test
    void shouldLinkOnlyToFilesAndHeadingsThatExist() throws IOException
    {
        final List<String> found = new ArrayList<>();
        for (final Path page : files(ROOT, ".*\\.md"))
        {
            final String text = textOf(page);
            final Matcher link = LINK.matcher(text);
            while (link.find())
            {
                final Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
                if (!link.group(1).matches("\\w+:.*") &&
                    (!Files.exists(target) || link.group(2) != null && !anchors(target).contains(link.group(2))))
                {
                    final int line = (int)text.substring(0, link.start()).chars().filter((c) -> c == '\n').count() + 1;
                    found.add(place(page, line) + "no such file or heading: " + link.group());
                }
            }
        }
        assertNone(found);
    }

    @Test
    void shouldFindTheFilesToCheck() throws IOException
    {
        assertTrue(Files.exists(ROOT.resolve("LICENSE")), () -> ROOT + " is not the root of the repository");
        assertFalse(files(ROOT.resolve("pool/src/main"), ".*\\.java").isEmpty(), "no sources found in pool");
        assertFalse(
            files(ROOT.resolve("server/src/main"), ".*/server/pipeline/.*\\.java").isEmpty(),
            "no sources found in server's package pipeline");
        assertFalse(files(ROOT.resolve("engine/src/main"), ".*/engine/book/.*\\.java").isEmpty(),
            "no sources found in engine's package book");
        assertTrue(Files.exists(ROOT.resolve("README.md")), "there is no README.md");
    }

    /** A page with its fenced blocks removed, except their line breaks. */
    static String textOf(final Path page) throws IOException
    {
        return FENCED.matcher(Files.readString(page))
            .replaceAll((block) -> "\n".repeat((int)block.group().lines().count() - 1));
    }

    /** Fragments of the headings of a page, as Git hosts derive them; the headings of a page differ. */
    private static List<String> anchors(final Path page) throws IOException
    {
        return HEADING.matcher(textOf(page)).results()
            .map((heading) -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'))
            .toList();
    }

    private static List<String> undocumented(final List<Path> files, final Pattern name, final String documented)
        throws IOException
    {
        final List<String> found = new ArrayList<>();
        for (final Path file : files)
        {
            final List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++)
            {
                final Matcher property = name.matcher(lines.get(i));
                while (property.find())
                {
                    if (!documented.contains("`" + property.group(1) + "`"))
                    {
                        found.add(place(file, i + 1) + "docs/configuration.md has no `" + property.group(1) + "`");
                    }
                }
            }
        }
        return found;
    }

    private static List<String> matches(final List<Path> files, final Pattern forbidden) throws IOException
    {
        final List<String> found = new ArrayList<>();
        for (final Path file : files)
        {
            final List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++)
            {
                final Matcher match = forbidden.matcher(NOT_CODE.matcher(lines.get(i)).replaceAll(""));
                if (match.find())
                {
                    found.add(place(file, i + 1) + match.group());
                }
            }
        }
        return found;
    }

    private static List<String> modules() throws IOException
    {
        try (Stream<Path> folders = Files.list(ROOT))
        {
            return folders
                .filter((folder) -> Files.exists(folder.resolve("pom.xml")))
                .map((folder) -> folder.getFileName().toString())
                .sorted()
                .toList();
        }
    }

    /** Files below a folder whose path matches, except build output; none if the folder does not exist. */
    static List<Path> files(final Path folder, final String regex) throws IOException
    {
        if (!Files.exists(folder))
        {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(folder))
        {
            return paths
                .filter(Files::isRegularFile)
                .filter((path) -> path.toString().matches(regex))
                .filter((path) -> !ROOT.relativize(path).toString().matches("(.*/)?(target|\\.git)/.*"))
                .sorted()
                .toList();
        }
    }

    private static String normalised(final String text)
    {
        return text.replaceAll("\\s+", " ").strip();
    }

    static String place(final Path file, final int line)
    {
        return ROOT.relativize(file) + ":" + line + ": ";
    }

    static void assertNone(final List<String> found)
    {
        if (!found.isEmpty())
        {
            fail("\n" + String.join("\n", found) + "\n");
        }
    }
}
