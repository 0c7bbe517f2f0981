package io.millrace.ipc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** S4: hostile numbers in each control field of a slot, from both sides. */
class HostileTest extends FolderFixture
{
    private static final int FUZZ = 20_000;
    private static final int LONG_FUZZ = 500_000;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    private ExchangeContext context()
    {
        return Pair.context(directory).slots(4).nestedDepth(1).timeout(50, TimeUnit.MILLISECONDS).heartbeatMs(20)
            .errorHandler(errors::add);
    }

    /** The guest does not come back: then its fault would be forgotten. */
    private void refuseNewGuests() throws IOException
    {
        Files.delete(context().socket());
    }

    /** Descriptors with a boundary number in each field. */
    private static List<Long> descriptors()
    {
        final List<Long> all = new ArrayList<>();
        for (final int number : Hostile.INTS)
        {
            all.add(Integer.toUnsignedLong(number) | (long)MessageType.APP_START << 32);
            all.add(8 | (long)number << 32);
            all.add(8 | (long)MessageType.APP_START << 32 | (long)number << 48);
        }
        return all;
    }

    @Test
    void shouldCheckEachDescriptorOfARequest() throws Exception
    {
        final AtomicLong longest = new AtomicLong();
        for (final long descriptor : descriptors())
        {
            try (Pair pair = Pair.host(context()); ExchangeGuest guest = ExchangeGuest.attach(context()))
            {
                assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                final LaneServer server = guest.server(request ->
                {
                    longest.accumulateAndGet(request.length(), Math::max);
                    assertTrue(request.bytes().contains(request.offset(), request.length()));
                    assertTrue(request.type() == MessageType.NORMAL || request.type() >= MessageType.APP_START);
                    return 0;
                });
                final HostLane lane = pair.host.lane(0);
                assertNotNull(lane.claim());
                lane.submit(MessageType.NORMAL, 8);
                pair.memory().put(guest.session().layout.slot(0, 0) + ExchangeLayout.REQUEST_OFFSET, descriptor);
                final PeerLink link = guest.session().link;
                Pair.await("served or refused", () -> server.doWork() > 0);
                assertEquals(Descriptor.isValid(descriptor, 128) ? 0 : 1, link.faults.get(),
                    () -> Long.toHexString(descriptor));
                Pair.await("ended", () -> lane.poll((call, status, response, length) -> {}, 1) == 1);
            }
        }
        assertTrue(longest.get() <= 128, () -> longest + " bytes");
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldCheckEachDescriptorOfAResponse() throws Exception
    {
        for (final long descriptor : descriptors())
        {
            try (Pair pair = Pair.host(context()); ExchangeGuest guest = ExchangeGuest.attach(context()))
            {
                assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                refuseNewGuests();
                final SharedMemory memory = pair.memory();
                final HostLane lane = pair.host.lane(0);
                assertNotNull(lane.claim());
                lane.submit(MessageType.NORMAL, 8);
                final LaneServer server = guest.server(request -> 8);
                Pair.await("served", () -> server.doWork() > 0);
                memory.put(guest.session().layout.slot(0, 0) + ExchangeLayout.RESPONSE_OFFSET, descriptor);
                final boolean valid = Descriptor.isValid(descriptor, 128) &&
                    CallStatus.of(Descriptor.kind(descriptor)) != null;
                assertEquals(1, lane.poll((call, status, response, length) ->
                {
                    assertTrue(length >= 0 && length <= response.capacity());
                    assertEquals(valid, status != CallStatus.PEER_LOST, () -> Long.toHexString(descriptor));
                }, 1));
                assertEquals(valid, pair.host.lastFault() == null);
                assertEquals(valid ? 0 : 1, pair.host.counters().faults());
            }
        }
        errors.clear();
    }

    @Test
    void shouldDetachAGuestThatWritesAnImpossibleWord() throws Exception
    {
        for (final int state : new int[] {SlotWord.FREE, SlotWord.RESP_READY, SlotWord.DONE, SlotWord.ABANDONED, 6,
            255})
        {
            try (Pair pair = Pair.host(context().timeout(1, TimeUnit.HOURS));
                ExchangeGuest guest = ExchangeGuest.attach(context()))
            {
                assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
                refuseNewGuests();
                final SharedMemory memory = pair.memory();
                final int slot = guest.session().layout.slot(0, 0);
                final Thread hostile = new Thread(() ->
                {
                    while (SlotWord.state(memory.getVolatile(slot)) != SlotWord.REQ_READY)
                    {
                        Thread.yield();
                    }
                    memory.setVolatile(slot, SlotWord.of(guest.session().host, 0, state));
                });
                hostile.start();
                assertNotNull(pair.host.lane(0).claim());
                assertEquals(CallStatus.PEER_LOST, assertThrows(CallException.class, () ->
                    pair.host.lane(0).call(MessageType.NORMAL, 8)).status());
                hostile.join();
                assertTrue(pair.host.lastFault().contains("state " + state), pair.host::lastFault);
            }
        }
        errors.clear();
    }

    /** Both sides work on a file into which anything is written; neither throws anything but a CallException. */
    private void fuzz(final long seed, final int steps) throws Exception
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final String where = "seed " + seed;
        try (Pair pair = Pair.host(context().timeout(1, TimeUnit.MILLISECONDS));
            ExchangeGuest guest = ExchangeGuest.launch(context().timeout(1, TimeUnit.MILLISECONDS)))
        {
            final SharedMemory memory = pair.memory();
            final ExchangeLayout layout = ExchangeLayout.read(memory, Integer.MAX_VALUE);
            final LaneServer server = guest.server(request ->
            {
                assertTrue(request.length() <= 128 && request.bytes().contains(0, request.length()), where);
                return random.nextInt(129);
            });
            final HostLane lane = pair.host.lane(0);
            lane.onNested(request -> request.length());
            final ResponseHandler handler = (call, status, response, length) ->
                assertTrue(response.contains(0, length) && length <= 128, where);
            for (int i = 0; i < steps; i++)
            {
                step(random, memory, layout, lane);
                if (random.nextInt(4) == 0)
                {
                    final int slot = layout.slot(0, random.nextInt(5));
                    final int owner = random.nextBoolean() ? (int)memory.get(ExchangeLayout.HOST_ID_OFFSET) :
                        random.nextBoolean() ? (int)memory.get(ExchangeLayout.GUEST_ID_OFFSET) : random.nextInt();
                    final int field = random.nextInt(4) * 8;
                    memory.put(slot + field, field == 0 ?
                        SlotWord.of(owner, random.nextInt(3), random.nextInt(8)) : random.nextLong() >>
                        random.nextInt(64));
                }
                server.doWork();
                lane.poll(handler, 4);
            }
        }
    }

    private static void step(
        final SplittableRandom random, final SharedMemory memory, final ExchangeLayout layout, final HostLane lane)
    {
        if (random.nextBoolean() && lane.claim() != null)
        {
            if (random.nextInt(8) == 0)
            {
                lane.cancel();
            }
            else
            {
                lane.submit(MessageType.NORMAL, random.nextInt(129));
            }
        }
        if (random.nextInt(64) == 0)
        {
            // A fresh start, so that the two get on with each other again.
            for (int slot = 0; slot < 5; slot++)
            {
                memory.put(layout.slot(0, slot), 0);
            }
        }
    }

    @Test
    void shouldSurviveAnythingInTheControlFields() throws Exception
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        fuzz(seed, FUZZ);
        assertNoStrangeErrors(seed);
    }

    @Tag("faults")
    @Test
    void shouldSurviveAnythingInTheControlFieldsForLong() throws Exception
    {
        for (int i = 0; i < 5; i++)
        {
            final long seed = System.nanoTime();
            System.out.println("seed " + seed);
            fuzz(seed, LONG_FUZZ);
            assertNoStrangeErrors(seed);
        }
    }

    private void assertNoStrangeErrors(final long seed)
    {
        errors.forEach(ex -> assertTrue(ex instanceof IOException, () -> "seed " + seed + ": " + ex));
    }
}
