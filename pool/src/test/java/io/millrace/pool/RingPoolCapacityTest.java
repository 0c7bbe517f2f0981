package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The capacity that a ring reports equals the number of acquires that then succeed.
 */
final class RingPoolCapacityTest
{
    private static final long FIRST = (1L << 31) - 10;

    private final RingPool<TestEvent> bound = RingReader.ring(8, FIRST);
    private final RingReader reader = new RingReader(bound);
    private final RingPool<TestEvent> unbound = new RingPool<>(TestEvent::new, 8);

    @Test
    void shouldHaveCapacityForAsManyAsTheConsumersHavePassed()
    {
        assertTrue(bound.hasCapacity(8));
        bound.publish(bound.acquire());
        bound.publish(bound.acquire());
        assertFalse(bound.hasCapacity(7));
        assertTrue(bound.hasCapacity(6));
        reader.readAll();
        assertTrue(bound.hasCapacity(8));
    }

    @Test
    @Tag("normal")
    void shouldKnowANextFreeEventAfterItHasLooked()
    {
        assertFalse(bound.isNextFree());
        assertTrue(bound.hasCapacity(8));
        for (int i = 0; i < 8; i++)
        {
            assertTrue(bound.isNextFree());
            bound.publish(bound.acquire());
        }
        assertFalse(bound.isNextFree());
        reader.readAll();
        assertFalse(bound.isNextFree(), "it has not looked again");
        assertNotNull(bound.acquire());
        assertTrue(bound.isNextFree());
        bound.handOver();
        assertFalse(bound.isNextFree(), "the next thread looks itself");
    }

    @Test
    void shouldKnowInAnUnboundPoolOnlyWhatItHasLookedAt()
    {
        assertFalse(unbound.isNextFree());
        assertTrue(unbound.hasCapacity(2));
        assertTrue(unbound.isNextFree());
        assertNotNull(unbound.acquire());
        assertTrue(unbound.isNextFree());
        assertNotNull(unbound.acquire());
        assertFalse(unbound.isNextFree());
    }

    @Test
    void shouldHaveNoCapacityBeyondARetainedEvent()
    {
        final TestEvent kept = bound.acquire();
        kept.retain(1);
        bound.publish(kept);
        bound.publish(bound.acquire());
        reader.readAll();
        assertTrue(bound.hasCapacity(6));
        assertFalse(bound.hasCapacity(7), "the seventh is the one that is kept");
        kept.release();
        assertTrue(bound.hasCapacity(8));
    }

    @Test
    void shouldForgetAtTheBindPromisesMadeWithoutConsumers()
    {
        for (int count = 1; count <= 8; count++)
        {
            final RingPool<TestEvent> asked = RingReader.ring(8, FIRST);
            assertTrue(asked.hasCapacity(count));
            final RingReader itsReader = new RingReader(asked);
            for (int i = 0; i < 8; i++)
            {
                asked.publish(asked.acquire());
            }
            assertFalse(asked.hasCapacity(1));
            assertNull(asked.acquire());
            assertEquals(-1, asked.claim(1));
            assertEquals(8, itsReader.readAll().size());
            assertTrue(asked.hasCapacity(8));
        }
    }

    @Test
    void shouldAcquireNothing()
    {
        bound.hasCapacity(8);
        assertEquals(FIRST, bound.claimedPosition());
        assertEquals(8, bound.available());
        assertEquals(0, bound.metrics().exhausted());
    }

    @Test
    @Tag("normal")
    void shouldCountFreeEventsOfAPipelineByPositionsWithoutRetains()
    {
        bound.publish(bound.acquire());
        bound.acquire();
        // The ring does not know of this reference; only reading each event shows it.
        bound.event(FIRST + 5).beginGeneration(1);
        assertEquals(6, bound.available());
        reader.readAll();
        assertEquals(7, bound.available());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 9})
    void shouldRefuseACountOutOfRange(final int count)
    {
        assertThrows(IllegalArgumentException.class, () -> bound.hasCapacity(count));
        assertThrows(IllegalArgumentException.class, () -> unbound.hasCapacity(count));
    }

    @Test
    void shouldBeRightAfterGrowing()
    {
        final RingPool<TestEvent> growing = new RingPool<>("growing", TestEvent::new, 4, Exhaustion.grow(8), 0);
        final TestEvent first = growing.acquire();
        assertTrue(growing.hasCapacity(3));
        assertFalse(growing.hasCapacity(4), "asking does not grow");
        growing.acquire();
        growing.acquire();
        growing.acquire();
        assertNotNull(growing.acquire());
        assertTrue(growing.hasCapacity(3));
        assertFalse(growing.hasCapacity(4));
        first.release();
        assertTrue(growing.hasCapacity(4));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldFindPromisedEvents(final long seed)
    {
        final Random random = new Random(seed);
        final Deque<TestEvent> inFlight = new ArrayDeque<>();
        for (int step = 0; step < 20_000; step++)
        {
            final int count = 1 + random.nextInt(8);
            if (random.nextInt(3) == 0)
            {
                for (int i = random.nextInt(4); i > 0 && !inFlight.isEmpty(); i--)
                {
                    (random.nextInt(4) == 0 ? inFlight.removeLast() : inFlight.removeFirst()).release();
                }
            }
            else if (unbound.hasCapacity(count))
            {
                for (int i = random.nextInt(count + 1); i > 0; i--)
                {
                    final TestEvent event = unbound.acquire();
                    assertNotNull(event, "seed " + seed + " step " + step);
                    inFlight.add(event);
                }
            }
            else
            {
                int found = 0;
                for (TestEvent event = unbound.acquire(); event != null; event = unbound.acquire())
                {
                    inFlight.add(event);
                    found++;
                }
                assertTrue(found < count, "seed " + seed + " step " + step);
            }
        }
    }
}
