package io.millrace.benchmarks.jmh.report;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The benchmarks of a JMH report, and their presentation.
 */
interface Shape
{
    /** The report's name. */
    String title();

    /**
     * Groups of lines to run; the rounds of a group are interleaved. An exception when the expression selects
     * none.
     */
    Map<String, List<Line>> groups(Pattern include);

    /** The lines of a group that are run once more when a line of it had too few quiet rounds. */
    List<Line> again(List<Line> group);

    /** A round of a group has ended. */
    void afterRound() throws IOException;

    /** Explains the columns. */
    List<String> legend();

    /** All that was measured. */
    List<String> tables(Map<String, List<Line>> groups);
}
