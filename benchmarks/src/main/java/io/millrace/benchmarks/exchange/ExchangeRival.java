package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.RivalClass;

import java.io.IOException;
import java.util.List;

/**
 * Another exchange, compared with ours. Its class is in the sources of a profile, so it is found by its name, and a
 * report goes on without it where it is not there.
 */
public interface ExchangeRival
{
    /**
     * Class of the one rival; it has a public constructor without parameters.
     */
    String CLASS = "io.millrace.benchmarks.exchange.RivalStart";

    /**
     * Find it.
     *
     * @return null when it is not on the class path.
     */
    static ExchangeRival find()
    {
        final RivalClass<ExchangeRival> rival = new RivalClass<>(CLASS, "order-latency", ExchangeRival.class);
        return rival.isHere() ? rival.make() : null;
    }

    /**
     * Start its child process.
     *
     * @param setup the set-up.
     * @param file  name of the file with the flow.
     * @return the running child, which has read the flow.
     * @throws IOException when it cannot run here; the message says why, and the report goes on without it.
     */
    ChildProcess<? extends ExchangePath> start(ExchangeSetup setup, String file) throws IOException;

    /**
     * Facts about it that the reader of a report must know.
     *
     * @return version, settings and JVM flags, lines of {@code name: value}.
     */
    List<String> lines();
}
