package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Large pages for the children's heaps, for both exchanges alike: a thousand books lie on more small pages than a
 * processor knows by heart. Stateless; any thread.
 */
public final class HugePages
{
    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final String FLAG = "-XX:+UseTransparentHugePages";

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
