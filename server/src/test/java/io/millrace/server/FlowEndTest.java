package io.millrace.server;

import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.EventPipeline;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The end of a flow, at a moment that a test with threads meets too rarely. */
class FlowEndTest
{
    private final List<Throwable> errors = new ArrayList<>();
    private final Failures failures = new Failures("end", errors::add, null);
    private long waiting;
    private RunningFlow<Tick> flow;

    /** The flow ends inside of an offer, which has found the pipeline open and accepts the event. */
    @SuppressWarnings("unchecked")
    private EventPipeline<Tick> overlapped(final boolean isRemoved)
    {
        return (EventPipeline<Tick>)Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[]{EventPipeline.class}, (self, method, arguments) ->
            {
                final long before = waiting;
                switch (method.getName())
                {
                    case "offer":
                        flow.closePublication();
                        if (isRemoved)
                        {
                            flow.end().detached();
                        }
                        flow.end().close();
                        waiting = 1;
                        return true;
                    case "close":
                        waiting = 0;
                        return before;
                    default:
                        return 0L;
                }
            });
    }

    @SuppressWarnings("unchecked")
    private boolean publishDuringTheEnd(final boolean isRemoved)
    {
        final Flow<Tick> defined = (Flow<Tick>)Flow.define(
            "g", f -> f.from(new InVmSource<>(Tick::new, 8)).to("x", Tick.ignored()));
        final EventPublication<Tick> out = new EventPublication<>(
            new RingPool<>(Tick::new, 8), overlapped(isRemoved), BackPressure.FAIL, Tick::new);
        flow = new RunningFlow<>(defined, out.pipeline(), out, failures);
        return out.offer(out.claim());
    }

    @Test
    void shouldReportAnEventThatAPublishLeavesInARemovedFlow()
    {
        assertTrue(publishDuringTheEnd(true));
        assertEquals(1, errors.size(), errors.toString());
        assertTrue(errors.get(0).getMessage().contains("flow 'g' was removed during a publish: 1 deliveries missing"),
            errors.toString());
    }

    /** The counter of a flow that ends with its server stays. */
    @Test
    void shouldCountAnEventThatAPublishLeavesInAClosedServer()
    {
        assertTrue(publishDuringTheEnd(false));
        assertEquals(1, flow.end().undelivered());
        assertEquals(List.of(), errors);
    }
}
