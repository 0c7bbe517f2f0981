package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the user's settings: system properties {@code report.*} or {@code race.*}. A missing or empty one means the
 * default; an impossible one is refused by its name, value and range. Immutable.
 *
 * @param properties where the settings are.
 * @param prefix     of their names, with its point.
 */
public record Options(Properties properties, String prefix)
{
    /** All that any report reads, and what the pom reads. */
    private static final List<String> KNOWN = Stream.concat(
        Stream.of("book", "budgetSeconds", "capacity", "commands", "cost", "cpus", "depth", "dir", "handler", "idle",
            "input", "jmh", "journal", "jvm", "main", "marketData", "orders", "rates", "roundMs", "rounds", "setup")
            .map("report."::concat),
        Stream.of("budgetSeconds", "cpus", "dir", "disciplines", "only", "roundMs", "rounds").map("race."::concat))
        .toList();
    /** Read by the pom, or passed on by it to every report. */
    private static final List<String> FOR_ALL = List.of("report.jvm", "report.main");
    /** Variable in which the pom passes on what was given to Maven; a name stands before its equals sign. */
    private static final String GIVEN = "MILLRACE_REPORT_PROPERTIES";
    private static final Pattern NAME = Pattern.compile("(?<![\\w.])(?:report|race)\\.[\\w.]+(?==)");

    /**
     * Refuse a name that no report knows: it is mistyped, and the run would not be the one that was asked for.
     *
     * @param properties where the settings are.
     * @param given      {@code {name=value, ...}} as Maven has it; may be null.
     * @throws InputException that lists those that exist.
     */
    public static void refuseUnknown(final Properties properties, final String given)
    {
        final TreeSet<String> names = properties.stringPropertyNames().stream()
            .filter(name -> name.startsWith("report.") || name.startsWith("race."))
            .collect(Collectors.toCollection(TreeSet::new));
        final Matcher matcher = NAME.matcher(given == null ? "" : given);
        while (matcher.find())
        {
            names.add(matcher.group());
        }
        names.removeAll(KNOWN);
        if (!names.isEmpty())
        {
            throw new InputException("no report reads " + String.join(", ", names) + "; those that exist are " +
                String.join(", ", KNOWN));
        }
    }

    /**
     * Refuse a name that no report knows, of this process or of the Maven that started it.
     *
     * @throws InputException that lists those that exist.
     */
    public static void refuseUnknown()
    {
        refuseUnknown(System.getProperties(), System.getenv(GIVEN));
    }

    /**
     * Refuse a setting of another report: the run would not be the one that was asked for.
     *
     * @param properties where the settings are.
     * @param taken      whole names of those that this report takes.
     * @throws InputException that lists them.
     */
    public static void refuseOthers(final Properties properties, final List<String> taken)
    {
        for (final String name : KNOWN)
        {
            final String value = properties.getProperty(name, "").trim();
            if (!value.isEmpty() && !taken.contains(name) && !FOR_ALL.contains(name))
            {
                throw new InputException(name + " '" + value + "' is for another report; this one takes " +
                    String.join(", ", taken));
            }
        }
    }

    /**
     * The parts of a report that the setting {@code cost}, a regular expression, selects: it is in their names.
     *
     * @param all the parts that there are; the default.
     * @return one at least, in their order.
     * @throws InputException when it is none, or no expression.
     */
    public List<String> selected(final List<String> all)
    {
        final Pattern wanted = pattern("cost", "");
        final List<String> selected = all.stream().filter(part -> wanted.matcher(part).find()).toList();
        if (selected.isEmpty())
        {
            throw new InputException(prefix + "cost '" + wanted + "' is in no name; these are " + all);
        }
        return selected;
    }

    /**
     * A text.
     *
     * @param name      without the prefix.
     * @param otherwise the default.
     * @return without white space around it.
     */
    public String text(final String name, final String otherwise)
    {
        final String value = properties.getProperty(prefix + name, "").trim();
        return value.isEmpty() ? otherwise : value;
    }

    /**
     * Refuse a setting that this report could not honour, although others read it.
     *
     * @param name without the prefix.
     * @param why  for the message.
     * @throws InputException if it is given.
     */
    public void refuse(final String name, final String why)
    {
        final String value = text(name, "");
        if (!value.isEmpty())
        {
            throw new InputException(prefix + name + " '" + value + "' is not possible here: " + why);
        }
    }

    /**
     * A whole number.
     *
     * @param name      without the prefix.
     * @param otherwise the default.
     * @param min       the least.
     * @param max       the greatest.
     * @return the number.
     */
    public int number(final String name, final int otherwise, final int min, final int max)
    {
        final String value = text(name, Integer.toString(otherwise));
        final long number = HostFiles.number(value, Long.MIN_VALUE);
        if (number < min || number > max)
        {
            throw new InputException(prefix + name + " '" + value + "' is not a whole number in " + min + ".." + max);
        }
        return (int)number;
    }

    /**
     * One of some words.
     *
     * @param name  without the prefix.
     * @param words the words, the default first.
     * @return one of them.
     */
    public String word(final String name, final List<String> words)
    {
        final String value = text(name, words.get(0));
        if (!words.contains(value))
        {
            throw new InputException(prefix + name + " '" + value + "' is not one of " + words);
        }
        return value;
    }

    /**
     * Values parted by commas.
     *
     * @param name      without the prefix.
     * @param otherwise the default.
     * @param reader    of one value; what it refuses by an IllegalArgumentException is refused.
     * @param <T>       a value.
     * @return the values, each once.
     */
    public <T> List<T> list(final String name, final String otherwise, final Function<String, T> reader)
    {
        final Set<T> values = new LinkedHashSet<>();
        for (final String part : text(name, otherwise).split(",", -1))
        {
            try
            {
                if (!values.add(reader.apply(part.trim())))
                {
                    throw new IllegalArgumentException("'" + part.trim() + "' is there twice");
                }
            }
            catch (final IllegalArgumentException ex)
            {
                throw new InputException(prefix + name + " '" + text(name, otherwise) + "': " + ex.getMessage());
            }
        }
        return List.copyOf(values);
    }

    /**
     * A regular expression.
     *
     * @param name      without the prefix.
     * @param otherwise the default.
     * @return the pattern.
     */
    public Pattern pattern(final String name, final String otherwise)
    {
        try
        {
            return Pattern.compile(text(name, otherwise));
        }
        catch (final PatternSyntaxException ex)
        {
            throw new InputException(prefix + name + " '" + text(name, otherwise) +
                "' is not a regular expression: " + ex.getDescription());
        }
    }

    /**
     * The two measured CPUs, {@code cpus}.
     *
     * @param allowed CPUs that this process may use; empty when not known.
     * @return the sending and the handling thread's, by default the first two; {@link Pinning#NONE} where there are no
     *         two.
     */
    public int[] cpus(final List<Integer> allowed)
    {
        final String list = text("cpus", "");
        if (list.isEmpty())
        {
            return allowed.size() < 2 ?
                new int[] {Pinning.NONE, Pinning.NONE} : new int[] {allowed.get(0), allowed.get(1)};
        }
        final int[] cpus =
            Arrays.stream(list.split(",", -1)).mapToInt(cpu -> (int)HostFiles.number(cpu, Pinning.NONE)).toArray();
        if (cpus.length != 2 || cpus[0] == cpus[1] || !allowed.contains(cpus[0]) || !allowed.contains(cpus[1]))
        {
            throw new InputException(prefix + "cpus '" + list + "' is not two different CPUs out of " +
                (allowed.isEmpty() ? "(none known here)" : allowed.toString()) + ", like 0,1");
        }
        return cpus;
    }

    /**
     * Folder of the files, {@code dir}.
     *
     * @param otherwise the default.
     * @param folder    below it; empty for itself.
     * @return the folder, which is there and can be written to.
     */
    public Path dir(final String otherwise, final String folder)
    {
        final Path dir = Path.of(text("dir", otherwise)).resolve(folder);
        try
        {
            // Not by permissions: root has all of them, and /proc takes no file.
            Files.delete(Files.createTempFile(Files.createDirectories(dir), "report", null));
        }
        catch (final IOException ex)
        {
            throw new InputException(prefix + "dir " + dir + " cannot be written to: " + ex);
        }
        return dir;
    }
}
