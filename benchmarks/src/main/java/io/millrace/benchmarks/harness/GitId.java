package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The commit that is checked out, read from git's own files: no git program is needed, and nothing fails without one.
 * Changed files are not reported. Stateless; any thread.
 */
final class GitId
{
    static final String NOT_KNOWN = "not known";

    private static final String REF = "ref: ";
    private static final String GIT_DIR = "gitdir: ";

    private GitId()
    {
    }

    /**
     * The commit id of the repository that a folder lies in, or {@link #NOT_KNOWN}.
     */
    static String of(final Path folder)
    {
        for (Path at = folder.toAbsolutePath(); at != null; at = at.getParent())
        {
            final Path git = at.resolve(".git");
            if (Files.exists(git))
            {
                return read(Files.isDirectory(git) ? git : at.resolve(text(git).replace(GIT_DIR, "")));
            }
        }
        return NOT_KNOWN;
    }

    private static String read(final Path git)
    {
        final String head = text(git.resolve("HEAD"));
        if (!head.startsWith(REF))
        {
            return head.isEmpty() ? NOT_KNOWN : head;
        }
        final String ref = head.substring(REF.length());
        // A linked work tree has its own HEAD, and its branches in the folder that commondir names.
        final String common = text(git.resolve("commondir"));
        final Path refs = common.isEmpty() ? git : git.resolve(common);
        final String id = text(refs.resolve(ref));
        return id.isEmpty() ? packed(refs, ref) : id;
    }

    private static String packed(final Path refs, final String ref)
    {
        return text(refs.resolve("packed-refs")).lines()
            .filter(line -> line.endsWith(" " + ref))
            .map(line -> line.substring(0, line.indexOf(' ')))
            .findFirst().orElse(NOT_KNOWN);
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file, StandardCharsets.UTF_8).trim();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
