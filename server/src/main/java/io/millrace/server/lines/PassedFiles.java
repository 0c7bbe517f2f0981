package io.millrace.server.lines;

import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Rotated files that a source has read, or that were there before it. A file of the same time as the present one is
 * read only if it is none of them, and a file that was written after the source had passed it is read on.
 */
final class PassedFiles
{
    /** What tells a file from another one to which the file system gave the same key. */
    static final class Passed
    {
        final FileTime modified;
        final long end;
        final int headLength;
        final int headChecksum;

        Passed(final FileTime modified, final long end, final int headLength, final int headChecksum)
        {
            this.modified = modified;
            this.end = end;
            this.headLength = headLength;
            this.headChecksum = headChecksum;
        }
    }

    private final Map<String, Passed> files = new HashMap<>();

    void clear()
    {
        files.clear();
    }

    void add(final String key, final Passed passed)
    {
        files.put(key, passed);
    }

    /** A key that is not there any more may be given to a new file. */
    void retain(final Set<String> keys)
    {
        files.keySet().retainAll(keys);
    }

    /** Null if the source has not passed a file with this key. */
    Passed get(final String key)
    {
        return files.get(key);
    }
}
