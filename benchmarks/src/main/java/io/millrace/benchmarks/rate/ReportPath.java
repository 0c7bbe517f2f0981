package io.millrace.benchmarks.rate;

import java.util.List;

/**
 * One line of the report at each rate: a contender in its own JVM, and what its meter calls. Each JVM sees one
 * handler only, so that its calls stay plain ones.
 *
 * @param name      in tables and file names.
 * @param contender see {@link Contender#named}.
 * @param handler   what the contender's meter is given, one of {@link RateHandler#NAMES}.
 * @param matches   whether an order book is given the commands, by path or handler.
 */
public record ReportPath(String name, String contender, String handler, boolean matches)
{
    /**
     * Name of the server's line.
     */
    public static final String SERVER = "server";

    /**
     * Name of the raw baseline's line.
     */
    public static final String RAW = "raw";

    /**
     * Name of the line of the server with the empty handler.
     */
    public static final String EMPTY = "empty";

    /**
     * The lines of a report.
     *
     * @param handler under test, one of {@link RateHandler#NAMES}.
     * @return the server, the raw baseline with the same handler, and for the matching handler the server with the
     *         empty
     *         one.
     */
    public static List<ReportPath> of(final String handler)
    {
        return RateHandler.MATCHING.equals(handler) ?
            List.of(new ReportPath(SERVER, Contender.MATCHING, RateHandler.EMPTY, true),
                new ReportPath(RAW, "raw", handler, true),
                new ReportPath(EMPTY, "server", RateHandler.EMPTY, false)) :
            List.of(new ReportPath(SERVER, "server", handler, false), new ReportPath(RAW, "raw", handler, false));
    }

    /**
     * The loop without a path, for the cost on one thread.
     *
     * @param handler under test.
     * @return the path.
     */
    public static ReportPath loop(final String handler)
    {
        return new ReportPath(Contender.LOOP, Contender.LOOP, handler, RateHandler.MATCHING.equals(handler));
    }
}
