package io.millrace.ipc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * S5, S2: a peer killed by {@code kill -9} at each state of a slot. The survivor notices, no slot leaks, no half
 * message is delivered, and the next peer is served.
 */
class KillTest extends FolderFixture
{
    private static final int KILLS = 20;
    private static final int STALE_HOSTS = 100;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private Path output;

    @BeforeEach
    void createOutput() throws IOException
    {
        output = Files.createTempFile("peer", ".out");
    }

    @AfterEach
    void deleteOutput() throws IOException
    {
        Files.delete(output);
    }

    private ExchangeContext context()
    {
        // Longer than any test: the survivor goes on because the peer died, not because its time was over.
        return Pair.context(directory).nestedDepth(2).timeout(1, TimeUnit.HOURS).heartbeatMs(20)
            .errorHandler(errors::add);
    }

    private void awaitPoint(final Process child) throws InterruptedException
    {
        Pair.await("the child at its point", () ->
        {
            try
            {
                assertTrue(child.isAlive(), () -> "ended: " + child.exitValue());
                return Files.readString(output).contains("at the point");
            }
            catch (final IOException ex)
            {
                return false;
            }
        });
    }

    private static void kill(final Process child) throws InterruptedException
    {
        child.destroyForcibly().waitFor();
        assertEquals(128 + 9, child.exitValue());
    }

    private void killGuests(final int times) throws Exception
    {
        try (Pair pair = Pair.host(context()))
        {
            final SharedMemory memory = pair.memory();
            final ExchangeLayout layout = ExchangeLayout.read(memory, Integer.MAX_VALUE);
            for (int i = 0; i < times; i++)
            {
                for (int point = 0; point < KilledPeer.GUEST_POINTS; point++)
                {
                    killGuest(pair.host, point);
                    assertEquals(List.of(), Pair.leaks(memory), "point " + point);
                    pair.guest(Pair::plusOne);
                    for (int call = 0; call < 2 * layout.slots; call++)
                    {
                        Pair.call(pair.host.lane(0), call);
                    }
                    pair.stopGuest();
                    Pair.await("detached", () -> !pair.host.isGuestAttached());
                }
            }
        }
        assertEquals(List.of(), errors);
    }

    private void killGuest(final ExchangeHost host, final int point) throws Exception
    {
        final Process child = Children.start(KilledPeer.class, output, directory, point);
        assertTrue(host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
        final HostLane lane = host.lane(0);
        final AtomicBoolean killing = new AtomicBoolean();
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        final Thread caller = new Thread(() ->
        {
            try
            {
                lane.onNested(Pair::plusOne);
                Pair.call(lane, 40);
                assertEquals(5, point, "answered by a guest that died before");
            }
            catch (final CallException ex)
            {
                assertEquals(CallStatus.PEER_LOST, ex.status());
                assertTrue(killing.get(), "before the kill");
            }
            finally
            {
                lane.onNested(null);
                lane.poll((call, status, response, length) -> {}, 1);
            }
        });
        caller.setUncaughtExceptionHandler((thread, ex) -> failures.add(ex));
        caller.start();
        awaitPoint(child);
        killing.set(true);
        kill(child);
        final long killedNs = System.nanoTime();
        caller.join(TimeUnit.SECONDS.toMillis(Pair.LIMIT_S));
        assertFalse(caller.isAlive(), "the caller still waits");
        System.out.println("point " + point + ": went on " +
            TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - killedNs) + " us after the kill");
        Pair.await("noticed", () -> !host.isGuestAttached());
        assertEquals(List.of(), failures);
        Pair.await("cleaned", () -> clean());
    }

    private boolean clean()
    {
        try
        {
            return Pair.leaks(new SharedMemory(ExchangeFiles.map(directory.resolve("t.exchange")))).isEmpty();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private void killHosts(final int times) throws Exception
    {
        final List<Long> served = Collections.synchronizedList(new ArrayList<>());
        try (ExchangeGuest guest = ExchangeGuest.launch(context()))
        {
            final LaneServer server = guest.server(request ->
            {
                served.add(request.bytes().getLong(0));
                return Pair.plusOne(request);
            });
            for (int i = 0; i < times; i++)
            {
                for (int point = KilledPeer.GUEST_POINTS; point < KilledPeer.POINTS; point++)
                {
                    killHost(guest, server, point);
                    assertFalse(served.contains(666L), "a half message");
                }
            }
            // The next host replaces the files of the dead one.
            try (Pair pair = Pair.host(context()))
            {
                assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                Pair.fill(pair.host.lane(0).claim(), 5);
                pair.host.lane(0).submit(MessageType.APP_START, 64);
                Pair.await("served", () -> server.doWork() == 1);
            }
        }
        assertEquals(List.of(), errors);
    }

    private void killHost(final ExchangeGuest guest, final LaneServer server, final int point) throws Exception
    {
        final Process child = Children.start(KilledPeer.class, output, directory, point);
        final boolean[] there = new boolean[1];
        Pair.await("the host at its point", () ->
        {
            server.doWork();
            try
            {
                there[0] = Files.readString(output).contains("at the point");
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
            assertTrue(there[0] || child.isAlive(), "the host ended");
            return there[0];
        });
        kill(child);
        Pair.await("noticed", () -> !guest.isAttached());
        assertEquals(0, server.doWork());
    }

    @Test
    void shouldGoOnWhenAGuestIsKilledAtAnyState() throws Exception
    {
        killGuests(1);
    }

    @Test
    void shouldGoOnWhenAHostIsKilledAtAnyState() throws Exception
    {
        killHosts(1);
    }

    @Tag("faults")
    @Test
    void shouldGoOnWhenAGuestIsKilledAtAnyStateTwentyTimes() throws Exception
    {
        killGuests(KILLS);
    }

    @Tag("faults")
    @Test
    void shouldGoOnWhenAHostIsKilledAtAnyStateTwentyTimes() throws Exception
    {
        killHosts(KILLS);
    }

    /** S2: the files of a dead host are there; a guest is refused, the next host replaces them. */
    private void replaceStaleFiles(final int times) throws Exception
    {
        for (int i = 0; i < times; i++)
        {
            final Process child = Children.start(KilledPeer.class, output, directory, KilledPeer.GUEST_POINTS);
            Pair.await("the host's files", () -> Files.exists(context().socket()));
            final ExchangeException inUse =
                assertThrows(ExchangeException.class, () -> ExchangeHost.create(context()));
            assertTrue(inUse.getMessage().contains("another host"), inUse::getMessage);
            kill(child);
            assertTrue(Files.exists(context().file()));
            final ExchangeException none =
                assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(context()));
            assertTrue(none.getMessage().contains("no host"), none::getMessage);
            try (Pair pair = Pair.of(context(), Pair::plusOne))
            {
                Pair.call(pair.host.lane(0), i);
            }
            assertFalse(Files.exists(context().file()));
        }
    }

    @Test
    void shouldReplaceTheFilesOfADeadHost() throws Exception
    {
        replaceStaleFiles(2);
    }

    @Tag("faults")
    @Test
    void shouldReplaceTheFilesOfADeadHostAHundredTimes() throws Exception
    {
        replaceStaleFiles(STALE_HOSTS);
    }
}
