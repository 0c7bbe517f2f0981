package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Large pages for the heaps of children whose books lie on more small pages than a processor caches the addresses of.
 * Stateless; any thread.
 */
public final class HugePages
{
    /**
     * Asks for large pages, whether the system gives them or not.
     */
    public static final String FLAG = "-XX:+UseTransparentHugePages";

    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private HugePages()
    {
    }

    /**
     * The flag that asks for them.
     *
     * @return none where the system does not give any: the JVM would complain on its output.
     */
    public static List<String> flags()
    {
        return flags(SETTING);
    }

    /**
     * The system's setting.
     *
     * @return its text, like {@code always [madvise] never}, or {@code not known}.
     * @throws IOException when it cannot be read.
     */
    public static String setting() throws IOException
    {
        return Files.isReadable(SETTING) ? Files.readString(SETTING).trim() : "not known";
    }

    /** As above, with another file in the place of the system's. */
    static List<String> flags(final Path setting)
    {
        try
        {
            final String text = Files.readString(setting);
            return text.contains("[madvise]") || text.contains("[always]") ? List.of(FLAG) : List.of();
        }
        catch (final IOException ex)
        {
            // Not Linux.
            return List.of();
        }
    }
}
