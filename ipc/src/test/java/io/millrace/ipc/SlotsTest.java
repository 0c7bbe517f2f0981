package io.millrace.ipc;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The slot protocol, step by step, with the races that other exchanges lost. */
class SlotsTest
{
    private static final int HOST = 0x8000_0001;
    private static final int GUEST = 0x7000_0002;
    /** The same process number, another life. */
    private static final int NEXT_GUEST = 0x7000_0003;
    private static final int ROUNDS = 20_000;

    private final ExchangeLayout layout = new ExchangeLayout(1, 2, 64, 0);
    private final SharedMemory memory = new SharedMemory(ByteBuffer.allocateDirect(layout.fileBytes + 8)
        .alignedSlice(8));
    private final Slots host = new Slots(memory, HOST);
    private final Slots guest = new Slots(memory, GUEST);
    private final int slot = layout.slot(0, 1);

    private int state()
    {
        return SlotWord.state(host.word(slot));
    }

    private int generation()
    {
        return SlotWord.generation(host.word(slot));
    }

    private long published()
    {
        return host.publish(slot, host.claim(slot), 8);
    }

    @Test
    void shouldKeepOwnerGenerationAndStateInOneWord()
    {
        for (final int owner : new int[] {1, -1, Integer.MIN_VALUE, HOST, GUEST})
        {
            for (final int generation : new int[] {0, 1, SlotWord.GENERATIONS - 1})
            {
                final long word = SlotWord.of(owner, generation, SlotWord.BUSY);
                assertEquals(owner, SlotWord.owner(word));
                assertEquals(generation, SlotWord.generation(word));
                assertEquals(SlotWord.BUSY, SlotWord.state(word));
                assertEquals(SlotWord.of(GUEST, generation, SlotWord.DONE), SlotWord.with(word, GUEST, SlotWord.DONE));
                assertEquals(SlotWord.of(0, generation + 1, SlotWord.FREE), SlotWord.freed(word));
            }
        }
        assertEquals(0, SlotWord.generation(SlotWord.freed(SlotWord.of(1, SlotWord.GENERATIONS - 1, SlotWord.DONE))));
    }

    @Test
    void shouldPassASlotRound()
    {
        for (int round = 0; round < 3; round++)
        {
            final long claimed = host.claim(slot);
            assertEquals(SlotWord.of(HOST, round, SlotWord.BUSY), claimed);
            assertEquals(Slots.NONE, host.claim(slot));
            final long published = host.publish(slot, claimed, 8);
            assertEquals(SlotWord.of(HOST, round, SlotWord.REQ_READY), published);
            final long taken = guest.take(slot, published);
            assertEquals(SlotWord.of(GUEST, round, SlotWord.BUSY), taken);
            assertEquals(Slots.NONE, guest.take(slot, published));
            assertTrue(guest.reply(slot, taken, 16));
            final long answered = host.word(slot);
            assertEquals(SlotWord.of(GUEST, round, SlotWord.RESP_READY), answered);
            assertTrue(host.accept(slot, answered));
            assertFalse(host.accept(slot, answered));
            assertEquals(SlotWord.of(HOST, round, SlotWord.DONE), host.word(slot));
            assertTrue(host.release(slot, answered));
            assertFalse(host.release(slot, answered), "a second release hits a new owner");
            assertEquals(SlotWord.of(0, round + 1, SlotWord.FREE), host.word(slot));
        }
        assertEquals(0, memory.get(layout.slot(0, 0)));
    }

    @Test
    void shouldReclaimARequestThatNobodyTook()
    {
        final long published = published();
        assertTrue(host.abandon(slot, published, GUEST));
        assertEquals(SlotWord.FREE, state());
        assertEquals(Slots.NONE, guest.take(slot, published), "late");
    }

    @Test
    void shouldLeaveARequestThatIsServedToItsServer()
    {
        final long published = published();
        final long taken = guest.take(slot, published);
        assertTrue(host.abandon(slot, published, GUEST));
        assertEquals(SlotWord.of(GUEST, 0, SlotWord.ABANDONED), host.word(slot));
        assertEquals(Slots.NONE, host.claim(slot), "its server may still write");
        assertFalse(guest.reply(slot, taken, 16));
        assertEquals(SlotWord.of(0, 1, SlotWord.FREE), host.word(slot));
    }

    @Test
    void shouldNotAbandonAnAnswerThatHasArrived()
    {
        final long published = published();
        final long taken = guest.take(slot, published);
        assertTrue(guest.reply(slot, taken, 16));
        assertFalse(host.abandon(slot, published, GUEST));
        assertTrue(host.accept(slot, host.word(slot)));
    }

    /** A reply that arrives after its slot was reclaimed, and after the next guest serves the same slot. */
    @Test
    void shouldNotReplyIntoALaterUseOfTheSlot()
    {
        final long late = guest.take(slot, published());
        assertTrue(host.clean(slot, GUEST));
        assertFalse(guest.reply(slot, late, 666));
        assertEquals(SlotWord.of(0, 1, SlotWord.FREE), host.word(slot));

        final Slots next = new Slots(memory, NEXT_GUEST);
        final long taken = next.take(slot, published());
        assertFalse(guest.reply(slot, late, 666));
        assertEquals(taken, host.word(slot));
        assertTrue(next.reply(slot, taken, 16));
        assertFalse(guest.reply(slot, late, 666));
        assertEquals(16, memory.get(slot + ExchangeLayout.RESPONSE_OFFSET));

        // The same guest again, on the same slot: only the generation tells the two uses apart.
        assertTrue(host.free(slot, host.word(slot)));
        final long again = guest.take(slot, published());
        assertFalse(guest.reply(slot, late, 666));
        assertEquals(again, host.word(slot));
    }

    /** A process number may repeat; the incarnation is another, so cleaning the dead one spares the live one. */
    @Test
    void shouldNotCleanWhatAPeerWithTheSameProcessNumberOwns()
    {
        final Slots next = new Slots(memory, NEXT_GUEST);
        final long taken = next.take(slot, published());
        assertFalse(host.clean(slot, GUEST));
        assertTrue(next.reply(slot, taken, 16));
        assertFalse(host.clean(slot, NEXT_GUEST), "a whole answer is still good");
    }

    @Test
    void shouldCleanEachStateThatADeadPeerLeaves()
    {
        final Slots caller = new Slots(memory, GUEST);
        for (int point = 0; point < 4; point++)
        {
            final int before = generation();
            final long claimed = caller.claim(slot);
            if (point > 0)
            {
                final long published = caller.publish(slot, claimed, 8);
                if (point > 1)
                {
                    final long taken = host.take(slot, published);
                    assertFalse(host.clean(slot, GUEST), "ours");
                    assertTrue(host.reply(slot, taken, 8));
                    assertTrue(caller.accept(slot, host.word(slot)));
                    if (point > 2)
                    {
                        assertTrue(caller.free(slot, host.word(slot)));
                        assertFalse(host.clean(slot, GUEST), "free already");
                        continue;
                    }
                }
            }
            assertTrue(host.clean(slot, GUEST), "point " + point);
            assertEquals(SlotWord.of(0, before + 1, SlotWord.FREE), host.word(slot));
        }
    }

    /** Two cleaners at once: one frees the slot, once; the other never frees its next use. */
    @Test
    void shouldFreeASlotOnceWhenTwoClean() throws InterruptedException
    {
        final AtomicInteger freed = new AtomicInteger();
        for (int round = 0; round < ROUNDS / 100; round++)
        {
            final Slots dead = new Slots(memory, GUEST);
            final int before = generation();
            dead.take(slot, published());
            final CountDownLatch start = new CountDownLatch(1);
            final Thread[] cleaners = new Thread[2];
            for (int i = 0; i < cleaners.length; i++)
            {
                cleaners[i] = new Thread(() ->
                {
                    try
                    {
                        start.await();
                    }
                    catch (final InterruptedException ex)
                    {
                        return;
                    }
                    if (host.clean(slot, GUEST))
                    {
                        freed.incrementAndGet();
                    }
                });
                cleaners[i].start();
            }
            start.countDown();
            for (final Thread cleaner : cleaners)
            {
                cleaner.join();
            }
            assertEquals(round + 1, freed.get());
            assertEquals(SlotWord.of(0, before + 1, SlotWord.FREE), host.word(slot));
        }
    }

    /** A cleaner that was held up between its look and its step. */
    @Test
    void shouldNotFreeTheNextUseAfterALateLook()
    {
        final long seen = guest.take(slot, published());
        assertTrue(host.clean(slot, GUEST));
        final long next = published();
        assertFalse(host.free(slot, seen));
        assertEquals(next, host.word(slot));
        final long again = guest.take(slot, next);
        assertNotEquals(seen, again);
        assertFalse(host.free(slot, seen));
        assertEquals(again, host.word(slot));
    }

    @Test
    void shouldKeepLinesOfControlRequestAndResponseApart()
    {
        for (final int payload : new int[] {64, 128, 192, 4_096})
        {
            final ExchangeLayout each = new ExchangeLayout(3, 4, payload, 2);
            assertEquals(0, each.slotBytes % ExchangeLayout.PAIR_BYTES);
            assertTrue(ExchangeLayout.RESPONSE_OFFSET + 8 <= ExchangeLayout.PAYLOAD_OFFSET);
            assertEquals(0, each.slot(2, 5) % ExchangeLayout.PAIR_BYTES);
            assertTrue(each.slot(2, 5) + each.slotBytes <= each.fileBytes);
            assertEquals(each.lane(2), each.slot(1, 5) + each.slotBytes);
        }
    }

    @Test
    void shouldLearnHowLongToSpin()
    {
        final SpinLimit limit = new SpinLimit();
        assertEquals(2_000, limit.get());
        limit.succeeded();
        assertEquals(2_200, limit.get());
        for (int i = 0; i < 100; i++)
        {
            limit.succeeded();
        }
        assertEquals(5_000, limit.get());
        limit.failed();
        assertEquals(4_900, limit.get());
        for (int i = 0; i < 100; i++)
        {
            limit.failed();
        }
        assertEquals(100, limit.get());
    }
}
