package io.millrace.benchmarks.cost;

import java.nio.file.Path;
import java.util.List;

import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.Pipelines;

/**
 * A server as the tables begin with it; an option changes one thing in it. One thread.
 */
final class OptionSetup
{
    /** Work of the handler in addition to checking the event. */
    enum Work
    {
        CHECK, COUNT, NEIGHBOUR, RECORD, LATENCY, RANGE
    }

    /** What follows the first stage. */
    enum Second
    {
        NONE,
        /** A stage that is fused with the first one. */
        FUSED,
        /** A stage with a subscription and an agent of its own, which sees events as they are published. */
        APART,
        /** A feed with routes; a second flow gets copies of the events of its route, which are all. */
        ROUTED,
        /** A stage that records the events in a file. */
        RECORDED
    }

    /** As in the other reports: 4,096 events of 64 bytes take 256 KiB, a quarter of an L2 cache. */
    static final int CAPACITY = 4_096;

    /** For pipelines of references: DROP_OLDEST and CONFLATE need a source with more events than the pipeline has. */
    static final int REFERENCES = CAPACITY / 2;

    /** Whether the agent polls the source; otherwise the application publishes to it. */
    boolean polled;
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
    Second second = Second.NONE;
    /** Folder of the recording, once it is there. */
    Path recording;
    /** Whether the flow records its latency. */
    boolean histogram;
    /** Whether the agent measures its duty cycles. */
    boolean isMeasured;
    int busyFlows = 1;
    int idleFlows;
    boolean onOneThread = true;
    boolean onTwoThreads = true;
    boolean whenFull;
    List<String> jvmFlags = List.of();
}
