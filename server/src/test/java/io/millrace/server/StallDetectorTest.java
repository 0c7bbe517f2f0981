package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** P9. A stall takes time, so in normal mode only: the detector reads the agents, not their events. */
@Tag("normal")
class StallDetectorTest
{
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> stalls = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
    private final Semaphore resume = new Semaphore(0);
    private final CountDownLatch there = new CountDownLatch(1);

    private Server.Context context()
    {
        return new Server.Context().name("stall").errorHandler(errors::add)
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) -> hang()));
    }

    private void hang() throws InterruptedException
    {
        there.countDown();
        resume.acquire();
    }

    @Test
    void shouldReportAHangOnceWithItsStackAndItsEnd()
    {
        final Server server = Server.launch(context().stallTimeoutNs(STALL_NS).onStall((agent, stalledNs, stack) ->
        {
            assertTrue(stalledNs > STALL_NS, "reported after " + stalledNs);
            stalls.add(agent + " " + Arrays.stream(stack).anyMatch(line -> line.getMethodName().equals("hang")));
        }));
        source.publish(source.claim());
        source.publish(source.claim());
        Await.until("the hang is found", () -> stalls.size() == 1);
        assertEquals(List.of("a"), server.stalledAgents());
        sleep(3 * STALL_NS);
        assertEquals(List.of("a true"), stalls);
        assertEquals(1, server.counters().value("server.stalls"));
        resume.release(1);
        // The second event: the same duty cycle, so the same stall. The agent has moved when both are handled.
        resume.release(1);
        Await.until("it has recovered", () -> server.stalledAgents().isEmpty());
        source.publish(source.claim());
        Await.until("the next hang is found", () -> stalls.size() == 2);
        resume.release(1);
        server.close();
        assertEquals(2, server.counters().value("server.stalls"));
        assertEquals(List.of(), errors);
        Await.noThreadOf("stall");
    }

    @Test
    void shouldNotReportAStallOfAnAgentThatHasEnded()
    {
        final CountDownLatch closed = new CountDownLatch(1);
        // The listener keeps the detector's thread: it does not look again before the close.
        final Server server = Server.launch(context().stallTimeoutNs(STALL_NS).onStall((agent, stalledNs, stack) ->
        {
            stalls.add(agent);
            Await.until("closed", () -> closed.getCount() == 0);
        }));
        source.publish(source.claim());
        Await.until("the hang is found", () -> stalls.size() == 1);
        assertEquals(List.of("agent 'a' is stalled"), server.health().reasons());
        resume.release(1);
        server.close();
        assertEquals(List.of("the server is CLOSED"), server.health().reasons());
        assertEquals(List.of(), server.stalledAgents());
        closed.countDown();
        Await.until("no thread", () -> Await.threadsOf("stall").isEmpty());
    }

    @Test
    void shouldReportToTheErrorHandlerWithoutAListener()
    {
        final Server server = Server.launch(context().stallTimeoutNs(STALL_NS));
        source.publish(source.claim());
        Await.until("the hang is found", () -> !errors.isEmpty());
        resume.release(100);
        server.close();
        assertTrue(errors.get(0).getMessage().contains("agent 'a' has been in one duty cycle for "),
            errors.get(0).getMessage());
        assertTrue(Arrays.stream(errors.get(0).getCause().getStackTrace())
            .anyMatch(line -> line.getMethodName().equals("hang")));
        assertEquals(1, errors.size());
    }

    @Test
    void shouldCountStallsOfAnyLengthAsOneKind()
    {
        final Failures failures = new Failures("stall", errors::add, null);
        for (long ms = 500; ms < 510; ms++)
        {
            failures.stallReport().onStall("a", TimeUnit.MILLISECONDS.toNanos(ms), StallCause.BUSY,
                Thread.currentThread().getStackTrace());
        }
        assertEquals(List.of(10L), failures.distinctErrors().stream().map(DistinctError::count).toList());
        assertTrue(errors.get(9).getMessage().contains("for 509 ms: BUSY"), errors.get(9).getMessage());
    }

    @Test
    void shouldWatchAnAgentThatJoinsAServerWithoutAgents() throws Exception
    {
        final Server server = Server.launch(new Server.Context().name("stall").errorHandler(errors::add)
            .stallTimeoutNs(STALL_NS).onStall((agent, stalledNs, stack) -> stalls.add(agent))
            .flow("direct", f -> f.from(new InVmSource<>(Tick::new, 16)).through(Pipelines.direct())
                .to("b", Tick.ignored())));
        server.control().addFlow("f", f -> f.from(source).to("a", (event, sequence, end) -> hang()));
        source.publish(source.claim());
        Await.until("the hang is found", () -> stalls.equals(List.of("a")));
        assertEquals(List.of("agent 'a' is stalled"), server.health().reasons());
        resume.release(1);
        server.close();
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldFindNothingWhenItIsOff() throws Exception
    {
        final Server server = Server.launch(context().stallTimeoutNs(0)
            .onStall((agent, stalledNs, stack) -> stalls.add(agent)));
        Await.threadsOf("stall", List.of("stall-a", "stall-stop"));
        source.publish(source.claim());
        there.await();
        assertEquals(List.of(), server.stalledAgents());
        assertEquals(0, server.counters().value("server.stalls"));
        resume.release(100);
        server.close();
        assertEquals(List.of(), stalls);
    }

    @Test
    void shouldNotBeEndedByItsListener()
    {
        final Server server = Server.launch(context().stallTimeoutNs(STALL_NS).onStall((agent, stalledNs, stack) ->
        {
            stalls.add(agent);
            throw new AssertionError("on purpose");
        }));
        for (int i = 1; i <= 2; i++)
        {
            final int hangs = i;
            source.publish(source.claim());
            Await.until("hang " + i + " is found", () -> stalls.size() == hangs);
            resume.release(1);
            Await.until("it has recovered", () -> server.stalledAgents().isEmpty());
        }
        server.close();
        assertEquals(2, errors.size());
        assertTrue(errors.get(0).getMessage().contains("the stall listener failed"));
    }

    @Test
    void shouldGoOnAfterALookWithoutMemory()
    {
        final AtomicInteger looks = new AtomicInteger();
        final List<StageAgent> agents = new AbstractList<>()
        {
            @Override
            public StageAgent get(final int index)
            {
                looks.incrementAndGet();
                throw new OutOfMemoryError("on purpose");
            }

            @Override
            public int size()
            {
                return 1;
            }
        };
        final StallDetector detector = new StallDetector(context(), agents, TimeUnit.MILLISECONDS.toNanos(10),
            (agent, stalledNs, stack) -> stalls.add(agent), new Failures("stall", errors::add, null));
        detector.start();
        Await.until("it looks again", () -> looks.get() > 2);
        detector.stop();
        assertTrue(errors.size() > 1);
    }

    @Test
    void shouldBeCloseableByItsListener() throws Exception
    {
        final Server[] self = new Server[1];
        final CountDownLatch launched = new CountDownLatch(1);
        final Server server = Server.launch(context().stallTimeoutNs(STALL_NS)
            .drainTimeoutNs(TimeUnit.SECONDS.toNanos(20)).onStall((agent, stalledNs, stack) ->
            {
                Await.until("launched", () -> launched.getCount() == 0);
                resume.release(100);
                self[0].close();
            }));
        self[0] = server;
        launched.countDown();
        source.publish(source.claim());
        Await.closed(server);
        Await.until("no thread", () -> Await.threadsOf("stall").isEmpty());
        assertEquals(List.of(), errors);
    }

    private static void sleep(final long timeNs)
    {
        final long endNs = System.nanoTime() + timeNs;
        Await.until("time passes", () -> System.nanoTime() - endNs > 0);
    }
}
