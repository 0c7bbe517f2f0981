package io.millrace.server;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Code that throws an InterruptedException has cleared the flag: the server sets it again for the thread's owner. One
 * of the server's own threads ends its agent, because the interrupt requests that.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptTest
{
    private static final int COUNT = 10;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> dead = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void leaveNoFlagBehind()
    {
        Thread.interrupted();
    }

    private Server.Context context(final ThreadingMode mode, final ErrorPolicy policy)
    {
        return new Server.Context().name("poked").threadingMode(mode).onError(policy)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .deadLetters((stage, sequence, event, cause) -> dead.add(sequence));
    }

    /** Is interrupted at the third event; sleeps at each event, so that it notices a set flag. */
    private LoggedHandler sleeper()
    {
        return new LoggedHandler("a", log)
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                super.onEvent(event, sequence, endOfBatch);
                if (sequence == 2)
                {
                    Thread.currentThread().interrupt();
                }
                try
                {
                    Thread.sleep(1);
                }
                catch (final InterruptedException ex)
                {
                    Sneaky.raise(ex);
                }
            }

            @Override
            public void onClose()
            {
                super.onClose();
                log.add("flag at close " + Thread.currentThread().isInterrupted());
            }
        };
    }

    private void publish(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertTrue(source.publish(source.claim()));
        }
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldSetTheFlagAgainForTheInvokingThread(final ErrorPolicy policy)
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER, policy)
            .agent("a", a -> a.pollLimit(3)).flow("f", f -> f.from(source).to("a", sleeper())));
        publish(3);
        server.invoke();
        assertTrue(Thread.interrupted(), "the flag was lost");
        assertEquals(policy == ErrorPolicy.SKIP_AND_RECORD ? List.of(2L) : List.of(), dead);
        if (policy == ErrorPolicy.SKIP_AND_RECORD)
        {
            publish(3);
            assertEquals(3, server.invoke(), "the agent lives: the thread is the caller's");
        }
        server.close();
        assertTrue(log.contains("flag at close false"), log::toString);
        assertEquals(policy == ErrorPolicy.STOP_SERVER, server.failure() != null);
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldSetTheFlagAgainForAPublisherThatCallsTheHandler(final ErrorPolicy policy)
    {
        final Server server = Server.launch(context(ThreadingMode.DEDICATED, policy)
            .flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", sleeper())));
        publish(3);
        assertTrue(Thread.interrupted(), "the flag was lost");
        if (policy == ErrorPolicy.SKIP_AND_RECORD)
        {
            publish(3);
            assertEquals(List.of(2L), dead);
            assertNull(server.failure());
        }
        server.close();
    }

    /** The events behind it are undelivered and not skipped. Each interrupt was meant for the thread. */
    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldEndTheAgentThatWasInterrupted(final ErrorPolicy policy) throws Exception
    {
        final InVmSource<Tick> gate = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context(ThreadingMode.DEDICATED, policy)
            .agent("both", a -> a.hosts("gate", "a"))
            .flow("gated", f -> f.from(gate).to("gate", (event, sequence, endOfBatch) -> publish(COUNT)))
            .flow("f", f -> f.from(source).to("a", sleeper())));
        assertTrue(gate.publish(gate.claim()));
        Await.until("the agent has ended", () -> Await.threadsOf("poked").stream().noneMatch("poked-both"::equals));
        if (policy != ErrorPolicy.STOP_AGENT)
        {
            Await.closed(server);
            assertTrue(server.failure().getMessage().contains("stage 'a'"), server.failure().toString());
            assertEquals(InterruptedException.class, server.failure().getCause().getClass());
        }
        server.close();
        assertEquals(policy == ErrorPolicy.SKIP_AND_RECORD ? List.of(2L) : List.of(), dead);
        assertEquals(3, server.counters().value("a.handled"));
        assertEquals(COUNT - 3, server.counters().value("f.undelivered"));
        assertTrue(log.contains("flag at close false"), log::toString);
        assertFalse(errors.stream().anyMatch(ex -> ex.getMessage().contains("being stopped")), errors::toString);
    }

    /** A channel reports an interrupt by an exception of its own, and leaves the flag set. */
    @Test
    void shouldEndTheAgentWhoseInterruptAChannelReports() throws Exception
    {
        final Server server = Server.launch(context(ThreadingMode.DEDICATED, ErrorPolicy.SKIP_AND_RECORD)
            .flow("f", f -> f.from(source).to("a", (event, sequence, endOfBatch) ->
            {
                Thread.currentThread().interrupt();
                throw new ClosedByInterruptException();
            })));
        publish(3);
        Await.closed(server);
        assertEquals(ClosedByInterruptException.class, server.failure().getCause().getClass());
        assertEquals(List.of(0L), dead);
        assertEquals(2, server.counters().value("f.undelivered"));
    }

    private static int interrupted(final EventPublication<Tick> out) throws InterruptedException
    {
        throw new InterruptedException("planned");
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldSetTheFlagAgainWhenASourceIsInterrupted(final ErrorPolicy policy)
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER, policy)
            .flow("f", f -> f.from(Tick::new, 16, InterruptTest::interrupted).to("a", Tick.IGNORED)));
        server.invoke();
        assertTrue(Thread.interrupted(), "the flag was lost");
        assertEquals(1, server.counters().value("f-source.errors"));
        server.close();
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldEndTheAgentOfASourceThatIsInterrupted(final ErrorPolicy policy) throws Exception
    {
        final Server server = Server.launch(context(ThreadingMode.DEDICATED, policy)
            .flow("f", f -> f.from(Tick::new, 16, InterruptTest::interrupted).to("a", Tick.IGNORED)));
        Await.until("the agent has ended",
            () -> Await.threadsOf("poked").stream().noneMatch("poked-f-source"::equals));
        if (policy != ErrorPolicy.STOP_AGENT)
        {
            Await.closed(server);
            assertTrue(server.failure().getMessage().contains("source 'f-source'"), server.failure().toString());
        }
        server.close();
        assertEquals(1, server.counters().value("f-source.errors"));
        assertEquals(1, errors.size(), errors::toString);
    }

    @Test
    void shouldSetTheFlagAgainWhenASourceIsInterruptedAtItsStart()
    {
        final EventSource<Tick> starting = new EventSource<>()
        {
            @Override
            public int poll(final EventPublication<Tick> out)
            {
                return 0;
            }

            @Override
            public void onStart() throws InterruptedException
            {
                throw new InterruptedException("planned");
            }
        };
        assertThrows(IllegalStateException.class, () -> Server.launch(context(ThreadingMode.INVOKER,
            ErrorPolicy.STOP_SERVER).flow("f", f -> f.from(Tick::new, 16, starting).to("a", Tick.IGNORED))));
        assertTrue(Thread.interrupted(), "the flag was lost");
    }

    /** Two timers of one tick: the first is interrupted. */
    private StageHandler<Tick> timed()
    {
        return new StageHandler<>()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                context.scheduler().after(0, now ->
                {
                    log.add("first");
                    Sneaky.raise(new InterruptedException("planned"));
                });
                context.scheduler().after(0, now -> log.add("second"));
            }

            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
            }
        };
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldEndTheAgentOfATimerThatIsInterrupted(final ErrorPolicy policy) throws Exception
    {
        final Server server = Server.launch(context(ThreadingMode.DEDICATED, policy)
            .flow("f", f -> f.from(source).to("a", timed())));
        Await.until("the agent has ended", () -> Await.threadsOf("poked").stream().noneMatch("poked-a"::equals));
        if (policy != ErrorPolicy.STOP_AGENT)
        {
            Await.closed(server);
            assertTrue(server.failure().getMessage().contains("a timer of agent 'a'"), server.failure().toString());
        }
        server.close();
        assertEquals(List.of("first"), log, "each later task would meet the same interrupt");
        assertEquals(1, errors.size(), errors::toString);
    }

    @Test
    void shouldSetTheFlagAgainWhenATimerOfTheInvokingThreadIsInterrupted()
    {
        final CachedNanoClock clock = new CachedNanoClock();
        final Server server = Server.launch(context(ThreadingMode.INVOKER, ErrorPolicy.SKIP_AND_RECORD).clock(clock)
            .flow("f", f -> f.from(source).to("a", timed())));
        clock.update(2 * Scheduler.TICK_NS);
        server.invoke();
        assertTrue(Thread.interrupted(), "the flag was lost");
        assertEquals(List.of("first", "second"), log);
        server.close();
    }
}
