package io.millrace.benchmarks.cost;

import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.Pipelines;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One thing that can be switched on, and its reference: another option that differs in nothing else.
 */
enum CostOption
{
    BASE("base", null, "ring(), FAIL, 64-byte events, one stage, no recorder, no stall detector", setup ->
        setup.whenFull = true),
    BATCH("batch16", BASE, "events claimed and published 16 at a time", setup ->
        setup.publishBatch = 16),
    GATHER("gather", BASE, "a GatheringIdleStrategy around the agent's busy spin", setup ->
    {
        setup.gathers = true;
        setup.onOneThread = false;
    }),
    EVENT_96("event96", BASE, "an event of 96 bytes, 4 fields more to fill and check", setup ->
        setup.eventBytes = 96),
    EVENT_128("event128", BASE, "an event of 128 bytes, 8 fields more to fill and check", setup ->
        setup.eventBytes = 128),
    COUNTER("counter", BASE, "a counter of the user's own: an opaque store to a PaddedLong per event", setup ->
        setup.work = OptionSetup.Work.COUNT),
    NEIGHBOUR("neighbour", COUNTER, "the counter in plain objects, next to the source in the heap", setup ->
        setup.work = OptionSetup.Work.NEIGHBOUR),
    RECORD("record", BASE, "a LatencyRecorder fed with a number, no clock read", setup ->
        setup.work = OptionSetup.Work.RECORD),
    LATENCY("latency", BASE, "a LatencyRecorder with its two clock readings, at the source and in the handler", setup ->
        setup.work = OptionSetup.Work.LATENCY),
    STAGE("stage", BASE, "a second stage fused behind the first, which reads one field", setup ->
        setup.second = OptionSetup.Second.FUSED),
    SUBSCRIBER("subscriber", BASE, "a second stage with a subscription of its own, on a second agent", setup ->
    {
        setup.second = OptionSetup.Second.APART;
        setup.onTwoThreads = false;
    }),
    ROUTED("routed", BASE, "a feed with two routes, and a second flow with copies of one route: all events", setup ->
    {
        setup.second = OptionSetup.Second.ROUTED;
        setup.onTwoThreads = false;
    }),
    RECORDED("recorded", BASE, "a second stage that records each event, 24 bytes, in a file", setup ->
    {
        setup.second = OptionSetup.Second.RECORDED;
        setup.onTwoThreads = false;
    }),
    HISTOGRAM("histogram", BASE, "Flow.latency, with the two clock readings of latency", setup ->
        setup.histogram = true),
    MEASURED("measured", BASE, "AgentSpec.measured: two clock readings for each duty cycle", setup ->
        setup.isMeasured = true),
    PUBLISHERS("publishers", BASE, "a source for many publishers; one of them publishes", setup ->
        setup.sharedSource = true),
    FLOW_IDLE("flowIdle", BASE, "a second flow on the same agent that brings nothing", setup ->
        setup.idleFlows = 1),
    FLOW("flow", BASE, "a second flow on the same agent that brings every other event", setup ->
        setup.busyFlows = 2),
    POLLED("polled", BASE, "a source that the agent polls, on the agent of the stage", setup ->
    {
        setup.polled = true;
        setup.onTwoThreads = false;
    }),
    SKIP("skip", BASE, "error policy SKIP_AND_RECORD; nothing throws", setup ->
        setup.errorPolicy = ErrorPolicy.SKIP_AND_RECORD),
    STALL("stall", BASE, "the stall detector, 500 ms as by default", setup ->
        setup.stallTimeoutNs = TimeUnit.MILLISECONDS.toNanos(500)),
    CHECKED("checked", BASE, "checked mode, -Dmillrace.checked=true", setup ->
        setup.jvmFlags = List.of("-Dmillrace.checked=true")),
    BLOCK("block", BASE, "back-pressure BLOCK; not in INVOKER mode", setup ->
    {
        setup.policy = BackPressure.BLOCK;
        setup.onOneThread = false;
    }),
    DROP_NEWEST("dropNewest", BASE, "back-pressure DROP_NEWEST", setup ->
    {
        setup.policy = BackPressure.DROP_NEWEST;
        setup.whenFull = true;
    }),
    DIRECT("direct", BASE, "pipeline direct(): no queue, so no second thread", setup ->
    {
        setup.pipeline = Pipelines.direct();
        setup.hosted = false;
        setup.onTwoThreads = false;
    }),
    SPSC("spsc", BASE, "pipeline spsc(2048)", setup ->
    {
        setup.pipeline = Pipelines.spsc(OptionSetup.REFERENCES);
        setup.whenFull = true;
    }),
    DISRUPTOR("disruptor", BASE, "pipeline disruptor(2048), one publisher", setup ->
        setup.pipeline = Pipelines.disruptor(OptionSetup.REFERENCES)),
    SHARED("shared", DISRUPTOR, "the same with a source for many publishers; one of them publishes", setup ->
    {
        DISRUPTOR.change.accept(setup);
        setup.sharedSource = true;
    }),
    DROP_OLDEST("dropOldest", SPSC, "DROP_OLDEST through spsc(2048), with the pool that it needs", setup ->
    {
        SPSC.change.accept(setup);
        setup.policy = BackPressure.DROP_OLDEST;
    }),
    CONFLATE("conflate", SPSC, "back-pressure CONFLATE through conflating(2048 keys), no two waiting alike", setup ->
    {
        setup.pipeline = Pipelines.conflating(OptionSetup.REFERENCES, event -> event.id & OptionSetup.REFERENCES - 1);
        setup.policy = BackPressure.CONFLATE;
        setup.whenFull = true;
    });

    private final String label;
    /** Null for the line that the tables begin with. */
    final CostOption reference;
    final String what;
    private final Consumer<OptionSetup> change;

    CostOption(final String label, final CostOption reference, final String what, final Consumer<OptionSetup> change)
    {
        this.label = label;
        this.reference = reference;
        this.what = what;
        this.change = change;
    }

    @Override
    public String toString()
    {
        return label;
    }

    OptionSetup setup()
    {
        final OptionSetup setup = new OptionSetup();
        change.accept(setup);
        return setup;
    }
}
