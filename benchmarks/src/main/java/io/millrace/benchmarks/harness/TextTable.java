package io.millrace.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text: the first columns to the left, the others to the right, as wide as what is in them. One thread.
 */
public final class TextTable
{
    private static final String GAP = "  ";

    private final int leftColumns;
    private final List<String[]> rows = new ArrayList<>();

    /**
     * An empty table.
     *
     * @param leftColumns how many columns go to the left.
     * @param titles      of all columns.
     */
    public TextTable(final int leftColumns, final String... titles)
    {
        this.leftColumns = leftColumns;
        rows.add(titles);
    }

    /**
     * An empty table.
     *
     * @param leftColumns how many columns go to the left.
     * @param titles      of all columns.
     */
    public TextTable(final int leftColumns, final List<String> titles)
    {
        this(leftColumns, titles.toArray(new String[0]));
    }

    /**
     * Add a row.
     *
     * @param cells one for each column.
     */
    public void add(final List<String> cells)
    {
        add(cells.toArray(new String[0]));
    }

    /**
     * Add a row.
     *
     * @param cells one for each column; none for an empty line.
     */
    public void add(final String... cells)
    {
        rows.add(cells);
    }

    /**
     * Write the table.
     *
     * @return lines, the titles first.
     */
    public List<String> lines()
    {
        final int[] widths = new int[rows.get(0).length];
        for (final String[] row : rows)
        {
            for (int i = 0; i < row.length; i++)
            {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        final List<String> lines = new ArrayList<>();
        for (final String[] row : rows)
        {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++)
            {
                final String blanks = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : GAP).append(i < leftColumns ? row[i] + blanks : blanks + row[i]);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
