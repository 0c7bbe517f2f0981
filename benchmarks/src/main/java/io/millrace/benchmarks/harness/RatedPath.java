package io.millrace.benchmarks.harness;

import java.io.IOException;

/**
 * A path that can be asked for rounds at a rate, each of which is checked.
 */
public interface RatedPath
{
    /** Name of its line in the tables. */
    String name();

    /**
     * Run a round.
     *
     * @param perSecond events per second.
     * @param roundMs   its duration in milliseconds.
     * @param which     round, for the message about a wrong answer.
     * @return a round whose answer is right.
     * @throws IOException          when the path's process failed.
     * @throws WrongAnswerException when its answer is wrong.
     */
    Round round(long perSecond, long roundMs, String which) throws IOException;
}
