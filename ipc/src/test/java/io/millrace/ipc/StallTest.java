package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** S7, S8: a peer that does not answer, is stopped, or shares its core with us. */
class StallTest extends FolderFixture
{
    private static final int ONE_CORE_CALLS = 500;

    private ExchangeContext context(final long timeoutMs)
    {
        return Pair.context(directory).slots(4).timeout(timeoutMs, TimeUnit.MILLISECONDS).heartbeatMs(20);
    }

    private static void assertAddedToAServer(final ExchangeCounters added)
    {
        final InVmSource<FlowTest.Numbered> source = new InVmSource<>(FlowTest.Numbered::new, 4);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("none", f -> f.from(source).to("stage", (event, sequence, endOfBatch) ->
            {
            }))))
        {
            added.addTo(server.counters(), "peer");
            assertEquals(added.timeouts(), server.counters().value("peer.timeouts"));
            assertEquals(added.full(), server.counters().value("peer.full"));
            assertEquals(added.faults(), server.counters().value("peer.faults"));
            assertEquals(added.failures(), server.counters().value("peer.failures"));
            assertEquals(added.wakeUps(), server.counters().value("peer.wakeUps"));
        }
    }

    /** S7: full is null and a counter; each wait ends; the slots come back with the guest. */
    @Test
    void shouldPushBackAndTimeOutWhenTheGuestDoesNotServe() throws Exception
    {
        try (Pair pair = Pair.host(context(20)); ExchangeGuest guest = ExchangeGuest.attach(context(20)))
        {
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final HostLane lane = pair.host.lane(0);
            final List<CallStatus> ends = new ArrayList<>();
            final ResponseHandler handler = (call, status, response, length) -> ends.add(status);
            for (int round = 0; round < 3; round++)
            {
                for (int i = 0; i < 4; i++)
                {
                    Pair.fill(lane.claim(), i);
                    lane.submit(MessageType.NORMAL, 64);
                }
                assertNull(lane.claim());
                ends.clear();
                Pair.await("timeouts", () ->
                {
                    lane.poll(handler, 4);
                    return ends.size() == 4;
                });
                assertEquals(List.of(CallStatus.TIMED_OUT, CallStatus.TIMED_OUT, CallStatus.TIMED_OUT,
                    CallStatus.TIMED_OUT), ends);
            }
            assertEquals(12, pair.host.counters().timeouts());
            assertEquals(3, pair.host.counters().full());
            assertAddedToAServer(pair.host.counters());
            Pair.fill(lane.claim(), 4);
            lane.submit(MessageType.NORMAL, 64);
            assertEquals(0, lane.poll(handler, 4), "no call has timed out at the first look for its answer");
            Pair.await("timeout", () -> lane.poll(handler, 4) == 1);
            // The requests were reclaimed: a guest that continues serves none of them, but the next one.
            final AtomicLong served = new AtomicLong();
            final LaneServer server = guest.server(request ->
            {
                served.incrementAndGet();
                return Pair.plusOne(request);
            });
            Pair.fill(lane.claim(), 9);
            lane.submit(MessageType.NORMAL, 64);
            ends.clear();
            Pair.await("answer", () ->
            {
                server.doWork();
                return lane.poll(handler, 1) == 1;
            });
            assertEquals(List.of(CallStatus.OK), ends);
            assertEquals(1, served.get());
        }
    }

    /** Not only after the time of the call: nobody will answer it. */
    @Test
    void shouldEndACallAtOnceWhenItsGuestHasLeft() throws Exception
    {
        try (Pair pair = Pair.host(context(60_000)))
        {
            final HostLane lane = pair.host.lane(0);
            try (ExchangeGuest guest = ExchangeGuest.attach(context(60_000)))
            {
                assertTrue(guest.isAttached() && pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                Pair.fill(lane.claim(), 1);
                lane.submit(MessageType.NORMAL, 64);
                assertEquals(0, lane.poll((call, status, response, length) -> assertNull(response), 1));
            }
            Pair.await("detached", () -> !pair.host.isGuestAttached());
            assertEquals(1, lane.poll((call, status, response, length) ->
                assertEquals(CallStatus.PEER_LOST, status), 1));
        }
    }

    /** The second one waits behind the first: the listener is ready all the time. */
    @Tag("slow")
    @Test
    void shouldNotSpinWhileASilentClientKeepsAnotherWaiting() throws Exception
    {
        final UnixDomainSocketAddress address = UnixDomainSocketAddress.of(context(20).socket());
        try (Pair pair = Pair.host(context(20)); SocketChannel silent = SocketChannel.open(address))
        {
            final SharedMemory memory = pair.memory();
            final long before = memory.getAcquire(ExchangeLayout.HOST_HEARTBEAT_OFFSET);
            try (SocketChannel waiting = SocketChannel.open(address))
            {
                assertEquals(-1, silent.read(ByteBuffer.allocate(1)), "not dropped");
                final long cycles = memory.getAcquire(ExchangeLayout.HOST_HEARTBEAT_OFFSET) - before;
                assertTrue(cycles < 1_000, () -> cycles + " cycles");
                assertEquals(-1, waiting.read(ByteBuffer.allocate(1)), "not accepted");
            }
            pair.guest(Pair::plusOne);
            Pair.call(pair.host.lane(0), 1);
        }
    }

    /** As when it is stopped: the queue of its socket is full of guests that were started before. */
    @Test
    @Timeout(Pair.LIMIT_S)
    void shouldNotWaitForAHostThatAcceptsNothing() throws Exception
    {
        final ExchangeContext context = context(20);
        final List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            final ExchangeLayout layout = context.layout();
            layout.write(new SharedMemory(ExchangeFiles.create(context.file(), layout.fileBytes)), 1, 2, 3);
            stopped.bind(UnixDomainSocketAddress.of(context.socket()), 1);
            for (SocketChannel next = ExchangeFiles.connect(context.socket()); next != null;
                next = ExchangeFiles.connect(context.socket()))
            {
                waiting.add(next);
            }
            assertEquals("cannot connect to " + context.socket() + ": its queue is full",
                assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(context)).getMessage());
            assertEquals("another host has the exchange " + context.file(),
                assertThrows(ExchangeException.class, () -> ExchangeHost.create(context)).getMessage());
        }
        finally
        {
            waiting.forEach(CloseHelper::quietClose);
        }
    }

    @Test
    void shouldReplaceASocketThatIsALinkToNothing() throws Exception
    {
        final ExchangeContext context = context(20);
        Files.createSymbolicLink(context.socket(), Path.of("gone"));
        try (Pair pair = Pair.host(context))
        {
            pair.guest(Pair::plusOne);
            Pair.call(pair.host.lane(0), 1);
        }
    }

    /** Requests that a dead guest left to the next one: their calls are over, and their slots come back. */
    @Test
    void shouldEndTheCallsThatTheNextGuestAnswers() throws Exception
    {
        try (Pair pair = Pair.host(context(60_000)))
        {
            final HostLane lane = pair.host.lane(0);
            for (int round = 0; round < 3; round++)
            {
                // Also without any guest.
                final ExchangeGuest first = round == 0 ? null : ExchangeGuest.attach(context(20));
                assertTrue(first == null || pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                for (int i = 0; i < 4; i++)
                {
                    Pair.fill(lane.claim(), i);
                    lane.submit(MessageType.NORMAL, 64);
                }
                if (first != null)
                {
                    first.close();
                    Pair.await("detached", () -> !pair.host.isGuestAttached());
                }
                pair.guest(Pair::plusOne);
                Pair.await("answered", () -> answers(pair) == 4);
                final List<CallStatus> ends = new ArrayList<>();
                lane.poll((call, status, response, length) -> ends.add(status), 4);
                assertEquals(List.of(CallStatus.PEER_LOST, CallStatus.PEER_LOST, CallStatus.PEER_LOST,
                    CallStatus.PEER_LOST), ends);
                for (int i = 0; i < 8; i++)
                {
                    Pair.call(lane, i);
                }
                pair.stopGuest();
                Pair.await("detached", () -> !pair.host.isGuestAttached());
            }
        }
    }

    private static int answers(final Pair pair)
    {
        try
        {
            final SharedMemory memory = pair.memory();
            final ExchangeLayout layout = ExchangeLayout.read(memory, Integer.MAX_VALUE);
            int answers = 0;
            for (int slot = 0; slot < layout.slots; slot++)
            {
                answers += SlotWord.state(memory.getVolatile(layout.slot(0, slot))) == SlotWord.RESP_READY ? 1 : 0;
            }
            return answers;
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** A handler that outlives its caller's patience: its slot is out of use until it returns, and then free. */
    @Test
    void shouldReclaimASlotWhoseServerReplies() throws Exception
    {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        try (Pair pair = Pair.of(context(50).slots(2), request ->
        {
            if (request.bytes().getLong(0) == 1)
            {
                entered.countDown();
                release.await();
            }
            return Pair.plusOne(request);
        }))
        {
            final HostLane lane = pair.host.lane(0);
            do
            {
                // Again if the guest's thread is so late that it does not find the request.
                assertTimeout(lane, 1);
            }
            while (!entered.await(1, TimeUnit.SECONDS));
            assertTimeout(lane, 2);
            assertNull(lane.claim(), "the guest may still write into it");
            release.countDown();
            Pair.await("freed and answered", () -> isAnswered(lane));
        }
    }

    private static void assertTimeout(final HostLane lane, final long first)
    {
        Pair.fill(lane.claim(), first);
        final CallException timeout = assertThrows(CallException.class, () -> lane.call(MessageType.NORMAL, 64));
        assertEquals(CallStatus.TIMED_OUT, timeout.status());
        assertEquals("call on lane 0, timeout 50 ms: TIMED_OUT", timeout.getMessage());
    }

    private static void signal(final Process process, final String name) throws Exception
    {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor());
    }

    /** The heartbeat covers a process that is stopped: its socket stays open. */
    @Test
    void shouldNoticeAGuestThatIsStoppedAndGoOnWhenItContinues() throws Exception
    {
        assumeTrue(ChildJvm.works("kill", "-l"), "no kill");
        final Path output = Files.createTempFile("stopped", ".out");
        final Process[] child = new Process[1];
        try (Pair pair = Pair.host(context(100)))
        {
            child[0] = Children.start(ServingPeer.class, output, directory);
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final HostLane lane = pair.host.lane(0);
            Pair.await("served", () -> isAnswered(lane));
            Pair.await("beating", () -> !pair.host.isGuestStalled());
            signal(child[0], "STOP");
            Pair.await("stalled", pair.host::isGuestStalled);
            assertEquals(CallStatus.TIMED_OUT, assertThrows(CallException.class, () -> Pair.call(lane, 2)).status());
            signal(child[0], "CONT");
            Pair.await("beating", () -> !pair.host.isGuestStalled());
            Pair.await("served again", () -> isAnswered(lane));
        }
        finally
        {
            child[0].destroyForcibly().waitFor();
            Files.delete(output);
        }
    }

    /** False if the guest's thread is late: a later call is answered. */
    private static boolean isAnswered(final HostLane lane)
    {
        final ByteView request = lane.claim();
        if (request == null)
        {
            return false;
        }
        try
        {
            // The response is that of the last call: first the call.
            final int length = lane.call(MessageType.APP_START, Pair.fill(request, 1));
            Pair.assertAnswer(lane.response(), 1, length);
            return true;
        }
        catch (final CallException ex)
        {
            assertEquals(CallStatus.TIMED_OUT, ex.status());
            return false;
        }
    }

    /** S8: host and guest on one core. */
    @Test
    void shouldProgressOnOneCore() throws Exception
    {
        assumeTrue(ChildJvm.works("taskset", "-c", "0", "true"), "no taskset");
        final Path output = Files.createTempFile("core", ".out");
        final Process child = Children.jvm(ChildJvm.JDK).under("taskset", "-c", "0")
            .start(output, OneCorePeer.class, directory, ONE_CORE_CALLS);
        final String text = Children.end(child, 0, output);
        System.out.print(text);
        assertTrue(text.startsWith(ONE_CORE_CALLS + " calls"), text);
        Files.delete(output);
    }
}
