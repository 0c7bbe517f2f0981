package io.millrace.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * Text of a report: paragraphs with a blank line between them. One thread.
 */
public final class Paragraphs
{
    private final List<String> lines = new ArrayList<>();

    /**
     * Add a paragraph.
     *
     * @param title its first line; none when empty.
     * @param parts its other lines.
     * @return this.
     */
    @SafeVarargs
    public final Paragraphs add(final String title, final List<String>... parts)
    {
        if (!lines.isEmpty())
        {
            lines.add("");
        }
        if (!title.isEmpty())
        {
            lines.add(title);
        }
        for (final List<String> part : parts)
        {
            lines.addAll(part);
        }
        return this;
    }

    /** The text so far. */
    public List<String> lines()
    {
        return lines;
    }
}
