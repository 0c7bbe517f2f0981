package io.millrace.journal;

import java.nio.file.Path;
import java.util.Locale;

/**
 * An open segment. At a roll the writer links it to the segment before. The keeper follows the links, so it finds each
 * full segment without a queue.
 */
final class Segment
{
    final int id;
    final Path path;
    final JournalFile file;
    /** Written by the writer before the next segment is linked; read by the keeper after it has followed the link. */
    long lastSequence;
    /** Volatile: pairs the writer's roll with the keeper's walk. */
    volatile Segment next;

    Segment(final int id, final Path path, final JournalFile file)
    {
        this.id = id;
        this.path = path;
        this.file = file;
    }

    static String name(final int id)
    {
        return String.format(Locale.ROOT, "segment-%010d.log", id);
    }

    /** The id in the name of a segment's file; 0 for any other name. */
    static int idOf(final String name)
    {
        if (!name.matches("segment-\\d{10}\\.log"))
        {
            return 0;
        }
        final long id = Long.parseLong(name.substring(8, 18));
        return id <= Integer.MAX_VALUE ? (int)id : 0;
    }
}
