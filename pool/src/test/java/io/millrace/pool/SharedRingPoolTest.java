package io.millrace.pool;

import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A ring that many threads claim from: claims, publishes, releases and revocations of one event.
 */
final class SharedRingPoolTest
{
    private static final int CAPACITY = 4;

    /** Position of the one consumer. */
    private final AtomicLong passed = new AtomicLong();
    private final SharedRingPool<TestEvent> pool = ring(TestEvent::new);

    private SharedRingPool<TestEvent> ring(final Supplier<TestEvent> factory)
    {
        final SharedRingPool<TestEvent> ring =
            new SharedRingPool<>("ring", factory, CAPACITY, Exhaustion.fail(), 0);
        ring.bind(passed::get);
        return ring;
    }

    /** The consumer passes the events before a sequence. In checked mode it releases them, as a pipeline does. */
    private void pass(final long end)
    {
        for (long sequence = passed.get(); sequence < end; sequence++)
        {
            if (PoolCheck.ENABLED && wordOf(sequence) == sequence)
            {
                pool.event(sequence).release();
            }
        }
        passed.set(end);
    }

    /** The announcement and the revocation. */
    private static boolean revoke(final SharedRingPool<TestEvent> ring, final long sequence)
    {
        ring.quietNs = 0;
        return ring.revoke(sequence, sequence + 1) + ring.revoke(sequence, sequence + 1) == 1;
    }

    private long wordOf(final long sequence)
    {
        return EventRing.sequenceOf(pool.event(sequence));
    }

    @Test
    void shouldPublishInTheOrderOfTheClaimsWhoeverIsFirst()
    {
        final TestEvent first = pool.acquire();
        final TestEvent second = pool.acquire();

        assertTrue(pool.publish(second));
        assertFalse(wordOf(0) == 0);
        assertTrue(pool.isClaimed(0));
        assertEquals(1, wordOf(1));
        assertEquals(0, pool.resolvedPosition());
        assertTrue(pool.publish(first));
        assertEquals(0, wordOf(0));
        assertEquals(2, pool.resolvedPosition());
        assertEquals(2, pool.claimedPosition());
    }

    @Test
    void shouldRefuseAClaimUntilTheConsumerHasPassed()
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            assertTrue(pool.hasCapacity(1));
            assertTrue(pool.publish(pool.acquire()));
        }
        assertFalse(pool.hasCapacity(1));
        assertNull(pool.acquire());
        pass(2);
        assertTrue(pool.hasCapacity(2));
        assertFalse(pool.hasCapacity(3));
        assertSame(pool.event(0), pool.acquire());
        assertNotNull(pool.acquire());
        assertNull(pool.acquire());
        assertEquals(2, pool.metrics().exhausted());
    }

    @Test
    void shouldNotClaimAnEventThatIsRetained()
    {
        final TestEvent event = pool.acquire();
        pool.publish(event);
        event.retain(1);
        pass(1);
        for (int i = 1; i < CAPACITY; i++)
        {
            pool.publish(pool.acquire());
        }
        pass(CAPACITY);

        assertNull(pool.acquire());
        event.release();
        assertSame(event, pool.acquire());
    }

    @Test
    void shouldClaimTheNextEventIfAnotherThreadTakesTheFirstMeanwhile()
    {
        final AtomicBoolean other = new AtomicBoolean();
        final SharedRingPool<TestEvent> ring =
            new SharedRingPool<>("ring", TestEvent::new, CAPACITY, Exhaustion.fail(), 0);
        ring.bind(() ->
        {
            if (other.getAndSet(false))
            {
                final TestEvent taken = ring.acquire();
                ring.publish(taken);
                taken.retain(1);
            }
            return passed.get();
        });
        for (int i = 0; i < CAPACITY; i++)
        {
            ring.publish(ring.acquire());
        }
        // From now on the ring reads each event. Checked mode does so from the start.
        ring.event(CAPACITY - 1).retain(1);
        for (int i = 0; PoolCheck.ENABLED && i < CAPACITY; i++)
        {
            ring.event(i).release();
        }
        passed.set(CAPACITY - 1);

        other.set(true);
        assertSame(ring.event(CAPACITY + 1), ring.acquire());
        assertTrue(ring.hasCapacity(1));
        assertSame(ring.event(CAPACITY + 2), ring.acquire());
        assertEquals(0, ring.metrics().exhausted());
        assertFalse(ring.hasCapacity(1));
        assertNull(ring.acquire());
    }

    @Test
    void shouldSeeCapacityBehindAnEventThatAnotherThreadTakesMeanwhile()
    {
        final AtomicBoolean other = new AtomicBoolean();
        final SharedRingPool<TestEvent> ring =
            new SharedRingPool<>("ring", TestEvent::new, CAPACITY, Exhaustion.fail(), 0);
        ring.bind(() ->
        {
            if (other.getAndSet(false))
            {
                ring.acquire().retain(1);
            }
            return 0;
        });

        other.set(true);
        assertTrue(ring.hasCapacity(CAPACITY - 1));
        assertEquals(1, ring.claimedPosition());
        assertFalse(ring.hasCapacity(CAPACITY));
    }

    @Test
    void shouldRefuseToPublishAnEventTwiceOrAfterItsReleaseOrOfAnotherRing()
    {
        final TestEvent published = pool.acquire();
        pool.publish(published);
        final TestEvent released = pool.acquire();
        released.release();
        final TestEvent foreign = ring(TestEvent::new).acquire();

        assertTrue(assertThrows(RuntimeException.class, () -> pool.publish(published)).getMessage()
            .contains("published or released before"));
        final RuntimeException thrown = assertThrows(RuntimeException.class, () -> pool.publish(released));
        assertTrue(thrown instanceof PoolViolationException || thrown.getMessage().contains("released before"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> pool.publish(foreign)).getMessage()
            .contains("not of this pool"));
        assertEquals(0, wordOf(0));
        assertEquals(~1, wordOf(1));
        assertEquals(1, pool.metrics().abandoned());
    }

    @Test
    void shouldRevokeAClaimedEventAndLeaveItToItsPublisher()
    {
        final TestEvent late = pool.acquire();
        late.fill(7);
        assertTrue(revoke(pool, 0));

        assertEquals(~0L, wordOf(0));
        assertNotSame(late, pool.event(0));
        assertTrue(pool.isRevoked(late));
        assertEquals(1, pool.metrics().revoked());
        pass(1);
        final TestEvent[] others = new TestEvent[CAPACITY];
        for (int i = 0; i < CAPACITY; i++)
        {
            others[i] = pool.acquire();
            others[i].fill(8);
            assertNotSame(late, others[i]);
        }
        late.fill(9);
        assertFalse(pool.publish(late));
        assertFalse(pool.publish(late));
        late.release();
        late.fill(10);
        for (final TestEvent other : others)
        {
            assertEquals(8, other.value);
            assertTrue(pool.publish(other));
        }
        pass(1 + CAPACITY);
        assertEquals(CAPACITY, pool.available());
        assertEquals(0, pool.metrics().doubleReleases());
        assertEquals(0, pool.metrics().abandoned());
    }

    @Test
    void shouldRevokeNothingThatIsPublishedOrReleasedOrNotClaimed()
    {
        assertFalse(revoke(pool, 0));
        assertFalse(pool.isRevoked(pool.event(0)));
        pool.publish(pool.acquire());
        assertFalse(revoke(pool, 0));
        pool.acquire().release();
        assertFalse(revoke(pool, 1));
        assertEquals(0, pool.metrics().revoked());
    }

    @Test
    void shouldChangeNothingIfTheFactoryFailsDuringARevocation()
    {
        final List<TestEvent> created = new ArrayList<>();
        final SharedRingPool<TestEvent> ring = ring(() ->
        {
            if (created.size() == CAPACITY)
            {
                throw new IllegalStateException("planned");
            }
            created.add(new TestEvent());
            return created.get(created.size() - 1);
        });
        final TestEvent event = ring.acquire();

        assertThrows(IllegalStateException.class, () -> revoke(ring, 0));
        assertTrue(ring.isClaimed(0));
        assertTrue(ring.publish(event));
    }

    @Test
    void shouldRevokeNothingThatIsPublishedAfterTheAnnouncement()
    {
        final TestEvent published = pool.acquire();
        final TestEvent never = pool.acquire();
        pool.quietNs = Long.MAX_VALUE;
        assertEquals(0, pool.revoke(0, 2));
        assertEquals(0, pool.revoke(0, 2), "the time between is too short");
        assertTrue(pool.publish(published));
        pool.quietNs = 0;

        assertEquals(1, pool.revoke(0, 2));
        assertEquals(0, wordOf(0));
        assertEquals(~1, wordOf(1));
        assertFalse(pool.publish(never));
        assertTrue(pool.publish(pool.acquire()));
    }

    /** The consumer that has announced it leaves. */
    @Test
    void shouldEndAnAnnouncementWithoutARevocation()
    {
        final TestEvent event = pool.acquire();
        pool.quietNs = Long.MAX_VALUE;
        assertEquals(0, pool.revoke(0, 1));
        assertTrue(pool.isRevocationAnnounced());
        assertEquals(0, pool.revoke(0, 0));
        assertFalse(pool.isRevocationAnnounced());
        assertEquals(0, pool.revoke(0, 0));
        assertFalse(pool.isRevocationAnnounced());
        assertTrue(pool.publish(event));
    }

    /** It has published; then it was suspended until its event was claimed again, and revoked. */
    @Test
    void shouldTellAPublisherThatItHasPublishedWhateverBecomesOfTheEventLater()
    {
        final TestEvent event = pool.acquire();
        assertTrue(pool.publish(event));
        pass(1);
        for (int sequence = 1; sequence < CAPACITY; sequence++)
        {
            pool.publish(pool.acquire());
            pass(sequence + 1);
        }
        assertSame(event, pool.acquire());
        assertTrue(revoke(pool, CAPACITY));

        assertTrue(pool.isStillPublished(event, 0), "the publisher of sequence 0 decides");
        assertFalse(pool.publish(event), "the publisher of the revoked use is late");
        assertEquals(~CAPACITY, wordOf(CAPACITY));
    }

    /** Its publisher meets the ring that took the place of the other one. */
    @Test
    void shouldRefuseAnEventThatAnotherRingHasRevoked()
    {
        final SharedRingPool<TestEvent> other = ring(TestEvent::new);
        final TestEvent late = other.acquire();
        assertThrows(IllegalArgumentException.class, () -> pool.publish(late));
        assertTrue(revoke(other, 0));
        assertFalse(pool.publish(late));
        assertFalse(pool.isRevoked(late));
        assertThrows(IllegalArgumentException.class, () -> pool.publish(new RingPool<>(TestEvent::new, 2).acquire()));
    }

    @Test
    void shouldRefuseUseBeforeItIsBoundAndASecondBind()
    {
        final SharedRingPool<TestEvent> unbound = new SharedRingPool<>(TestEvent::new, CAPACITY);
        assertTrue(assertThrows(IllegalStateException.class, unbound::acquire).getMessage().contains("not bound"));
        assertThrows(IllegalStateException.class, () -> pool.bind(() -> 0));
        assertThrows(IllegalArgumentException.class, () -> new SharedRingPool<>("ring", TestEvent::new, CAPACITY,
            Exhaustion.fail(), SharedRingPool.MAX_FIRST_SEQUENCE + 1));
    }

    /** A stage that joins at a lower position waits for an event that does not come again, and stops the ring. */
    @Test
    void shouldNotResolveToAPositionThatTheConsumersHavePassed() throws Exception
    {
        final AtomicBoolean done = new AtomicBoolean();
        final TestThreads workers = new TestThreads();
        workers.add("publisher and consumer", () ->
        {
            while (!done.get() && workers.isRunning())
            {
                assertTrue(pool.publish(pool.acquire()));
                pass(pool.claimedPosition());
            }
        });
        workers.add("another", () ->
        {
            try
            {
                for (int i = 0; i < 1_000_000; i++)
                {
                    final long before = passed.get();
                    final long resolved = pool.resolvedPosition();
                    assertTrue(resolved >= before, () -> resolved + " is below " + before);
                }
            }
            finally
            {
                done.set(true);
            }
        });
        workers.work("resolved while claimed");
    }
}
