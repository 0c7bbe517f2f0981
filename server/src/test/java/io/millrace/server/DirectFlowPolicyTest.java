package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A handler fails inside a publish: the policy of its own flow applies, not that of the publisher's flow.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectFlowPolicyTest
{
    private static final int COUNT = 100;
    private static final long POISON = 10;

    private final InVmSource<Tick> side = new InVmSource<>(Tick::new, 16);
    private final AtomicLong sideAccepted = new AtomicLong();
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private Server.Context context(final ErrorPolicy policyOfTheDirectFlow)
    {
        return new Server.Context().name("policy")
            .errorHandler(errors::add).stallTimeoutNs(0).onError(policyOfTheDirectFlow)
            .flow("side", f -> f.from(side).through(Pipelines.direct()).to("poisoned", (event, sequence, end) ->
            {
                if (event.value == POISON)
                {
                    throw new IllegalStateException("poison");
                }
            }));
    }

    private void publishAside(final long value)
    {
        final Tick event = side.claim();
        if (event != null)
        {
            event.value = value;
            if (side.publish(event))
            {
                sideAccepted.incrementAndGet();
            }
            else
            {
                event.release();
            }
        }
    }

    /** Publishes the numbers from 0 into its own flow and into another one. */
    private final class Source implements EventSource<Tick>
    {
        private volatile long next;

        @Override
        public int poll(final EventPublication<Tick> out)
        {
            final Tick event = next < COUNT ? out.claim() : null;
            if (event == null)
            {
                return 0;
            }
            publishAside(next);
            event.value = next;
            assertTrue(out.offer(event));
            next++;
            return 1;
        }

        @Override
        public boolean isExhausted()
        {
            return next == COUNT;
        }

        @Override
        public void onClose()
        {
            log.add("source closed at " + next);
        }
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldFinishASourceWhenAHandlerOfAnotherFlowEndsTheServer(final ErrorPolicy ofTheSource) throws Exception
    {
        final Source source = new Source();
        try (Server server = Server.launch(context(ErrorPolicy.STOP_AGENT)
            .agent("own", a -> a.hosts("own", "own-flow-source").onError(ofTheSource))
            .flow("own-flow", f -> f.from(Tick::new, 64, source).to("own", Tick.IGNORED))))
        {
            assertTrue(server.awaitExhausted(Await.LONG_NS), errors::toString);
            assertEquals(COUNT, server.counters().value("own.handled"));
            assertEquals(0, server.counters().value("own-flow-source.errors"));
            assertEquals(POISON + 1, server.counters().value("poisoned.handled"));
            assertEquals(POISON + 1, sideAccepted.get(), "the one that failed was accepted");
            assertEquals(16, server.counters().value("side.pool.available"));
            assertEquals(1, errors.size(), errors::toString);
            assertNull(server.failure());
        }
        assertEquals(List.of("source closed at " + COUNT), log);
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldHandlePublishedEventsWhenAHandlerOfAnotherFlowStopsTheServer(final ErrorPolicy ofTheSource)
        throws Exception
    {
        final Source source = new Source();
        final Server server = Server.launch(context(ErrorPolicy.STOP_SERVER)
            .agent("own", a -> a.hosts("own", "own-flow-source").onError(ofTheSource))
            .flow("own-flow", f -> f.from(Tick::new, 64, source).to("own", Tick.IGNORED)));
        Await.closed(server);
        assertTrue(server.failure().getMessage().contains("stage 'poisoned' failed on event 10"));
        assertTrue(source.next > POISON, "the event that it published aside is in its own flow, too");
        assertEquals(source.next, server.counters().value("own.handled"));
        assertEquals(0, server.counters().value("own-flow.undelivered"));
        assertEquals(1, errors.size(), errors::toString);
        assertEquals(List.of("source closed at " + source.next), log);
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldFinishAHandlerWhenAHandlerOfAnotherFlowEndsTheServer(final ErrorPolicy ofTheStage)
    {
        final InVmSource<Tick> own = new InVmSource<>(Tick::new, 128);
        final Server server = Server.launch(context(ErrorPolicy.STOP_AGENT)
            .agent("own", a -> a.onError(ofTheStage))
            .flow("own-flow", f -> f.from(own).to("own", (event, sequence, end) -> publishAside(event.value))));
        for (int i = 0; i < COUNT; i++)
        {
            Tick.publish(own, i);
        }
        Await.until("all are handled", () -> server.counters().value("own.handled") == COUNT);
        server.close();
        assertEquals(0, server.counters().value("own.errors"));
        assertEquals(0, server.counters().value("server.deadLetters"));
        assertEquals(COUNT - POISON - 1, server.counters().value("side.rejected"));
        assertEquals(1, errors.size(), errors::toString);
    }

    @Test
    void shouldSkipAndRecordForItsOwnFlow()
    {
        final List<Long> dead = new ArrayList<>();
        final Server server = Server.launch(context(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) -> dead.add(sequence)));
        for (int i = 0; i < COUNT; i++)
        {
            publishAside(i);
        }
        server.close();
        assertEquals(COUNT, sideAccepted.get());
        assertEquals(List.of(POISON), dead);
        assertEquals(List.of(), errors);
    }

    /** The policy applies to its own agent, whatever the source catches. */
    @Test
    void shouldEndTheAgentOfASourceWhoseOwnHandlerFailed()
    {
        final AtomicLong polls = new AtomicLong();
        final Server server = Server.launch(new Server.Context().name("policy")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER).onError(ErrorPolicy.STOP_AGENT)
            .flow("f", f -> f.from(Tick::new, 16, out ->
            {
                polls.incrementAndGet();
                try
                {
                    final Tick event = out.claim();
                    assertTrue(out.offer(event));
                    assertNull(out.claim());
                }
                catch (final RuntimeException swallowed)
                {
                    log.add("swallowed " + swallowed);
                }
                return 1;
            }).through(Pipelines.direct()).to("poisoned", (event, sequence, end) ->
            {
                throw new IllegalStateException("poison");
            })));
        server.invoke();
        server.invoke();
        assertEquals(1, polls.get());
        assertEquals(List.of(), log);
        assertEquals(1, errors.size(), errors::toString);
        assertFalse(errors.get(0).getMessage().contains("source"), errors::toString);
        server.close();
        assertEquals(16, server.counters().value("f.pool.available"));
    }
}
