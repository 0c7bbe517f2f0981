package io.millrace.benchmarks.cost;

import java.util.List;

import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.Pipelines;

/**
 * A server as the tables begin with it; an option changes one thing in it. One thread.
 */
final class OptionSetup
{
    /** The path between the source and the handler. */
    enum Path
    {
        /** A server whose source the application publishes to. */
        SERVER,
        /** A server whose agent polls the source. */
        POLLED,
        /** Pool and pipeline of the same kind, without a server. */
        BARE
    }

    /** Work of the handler in addition to checking the event. */
    enum Work
    {
        CHECK, COUNT, NEIGHBOUR, RECORD, LATENCY, RANGE
    }

    /** As in the other reports: 4,096 events of 64 bytes take 256 KiB, a quarter of an L2 cache. */
    static final int CAPACITY = 4_096;

    /** For pipelines of references: DROP_OLDEST and CONFLATE need a source with more events than the pipeline has. */
    static final int REFERENCES = CAPACITY / 2;

    Path path = Path.SERVER;
    Work work = Work.CHECK;
    int eventBytes = 64;
    Pipelines.Spec<CostEvent> pipeline = Pipelines.ring();
    BackPressure policy = BackPressure.FAIL;
    ErrorPolicy errorPolicy = ErrorPolicy.STOP_SERVER;
    long stallTimeoutNs;
    /** The stages of a direct flow run on the publishing thread, on no agent. */
    boolean hosted = true;
    boolean sharedSource;
    boolean gathers;
    int publishBatch = 1;
    boolean guards;
    int stages = 1;
    int busyFlows = 1;
    int idleFlows;
    boolean onOneThread = true;
    boolean onTwoThreads = true;
    boolean whenFull;
    List<String> jvmFlags = List.of();
}
