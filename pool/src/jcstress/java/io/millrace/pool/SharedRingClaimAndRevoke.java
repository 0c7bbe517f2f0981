package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

import java.lang.invoke.VarHandle;

/**
 * A ring that many threads claim from: no event is claimed twice, a reader that sees a sequence sees the content, a
 * slot is reused only when its reader is done, and an event is either published or revoked.
 */
public final class SharedRingClaimAndRevoke
{
    private SharedRingClaimAndRevoke()
    {
    }

    /** A ring and the position of its one reader. */
    public abstract static class Ring
    {
        final SharedRingPool<TestEvent> pool;
        final PaddedLong passed = new PaddedLong(0);

        Ring(final int capacity)
        {
            pool = new SharedRingPool<>("ring", TestEvent::new, capacity, Exhaustion.fail(), 0);
            pool.bind(passed::getAcquire);
        }

        /** Number of revoked events. */
        final int announceAndRevoke()
        {
            pool.quietNs = 10_000;
            int revoked = pool.revoke(0, 1);
            while (revoked == 0 && pool.isClaimed(0))
            {
                revoked = pool.revoke(0, 1);
            }
            return revoked;
        }

        final int publish(final int value)
        {
            return publish(value, false);
        }

        /** Can retain the event at once, so that its slot is full for a publisher that looks at it late. */
        final int publish(final int value, final boolean retains)
        {
            final TestEvent event = pool.acquire();
            if (event == null)
            {
                return 0;
            }
            event.fill(value);
            final boolean published = pool.publish(event);
            if (retains)
            {
                event.retain(1);
            }
            return published ? 1 : -1;
        }

        /** Value of the event of a sequence; 0: not published; -1: a PAD; -2: torn. */
        final int read(final long sequence)
        {
            final TestEvent event = pool.event(sequence);
            final long word = pool.sequenceInSlot(event, sequence);
            return word == sequence ? RingPublishAndRead.content(event) : word == ~sequence ? -1 : 0;
        }
    }

    /** A ring of one event, which is claimed, with the revocation announced. */
    public abstract static class AnnouncedRing extends Ring
    {
        final TestEvent event;

        AnnouncedRing()
        {
            super(1);
            event = pool.acquire();
            event.fill(7);
            pool.quietNs = 0;
            pool.revoke(0, 1);
        }
    }

    /** Two publishers in a ring that reads each event, because one is retained: capacity for both, so both claim. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both have published")
    @State
    public static class TwoPublishersWithRetainedEvents extends Ring
    {
        /** Capacity for both and the retained event. */
        public TwoPublishersWithRetainedEvents()
        {
            super(4);
            publish(6, true);
        }

        /** Publishes. */
        @Actor
        public void first(final II_Result result)
        {
            result.r1 = publish(7, true);
        }

        /** Publishes. */
        @Actor
        public void second(final II_Result result)
        {
            result.r2 = publish(8, true);
        }
    }

    /** Two publishers and a reader of the first event. */
    @JCStressTest
    @Outcome(id = {"1, 1, 0", "1, 1, 7", "1, 1, 8"}, expect = Expect.ACCEPTABLE, desc = "whole or not there yet")
    @State
    public static class TwoPublishers extends Ring
    {
        /** Capacity for both. */
        public TwoPublishers()
        {
            super(2);
        }

        /** Publishes. */
        @Actor
        public void first(final III_Result result)
        {
            result.r1 = publish(7);
        }

        /** Publishes. */
        @Actor
        public void second(final III_Result result)
        {
            result.r2 = publish(8);
        }

        /** Reads. */
        @Actor
        public void read(final III_Result result)
        {
            result.r3 = read(0);
        }
    }

    /** Two publishers and one place. */
    @JCStressTest
    @Outcome(id = {"1, 0, 7", "0, 1, 8"}, expect = Expect.ACCEPTABLE, desc = "one of them got it")
    @State
    public static class LastPlace extends Ring
    {
        /** Capacity for one. */
        public LastPlace()
        {
            super(1);
        }

        /** Publishes. */
        @Actor
        public void first(final III_Result result)
        {
            result.r1 = publish(7);
        }

        /** Publishes. */
        @Actor
        public void second(final III_Result result)
        {
            result.r2 = publish(8);
        }

        /** Reads. */
        @Arbiter
        public void read(final III_Result result)
        {
            result.r3 = read(0);
        }
    }

    /** Two publishers that saw a full ring, and a reader that passes its event: two reads of it, then who got in. */
    @JCStressTest
    @Outcome(id = {"0, 0, 7, 7", "1, 0, 7, 7", "0, 1, 7, 7"}, expect = Expect.ACCEPTABLE, desc = "reused afterwards")
    @State
    public static class Reuse extends Ring
    {
        /** One event is published. */
        public Reuse()
        {
            super(1);
            publish(7);
        }

        /** Publishes. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r1 = publish(8);
        }

        /** Publishes. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r2 = publish(9);
        }

        /** Reads twice and passes. */
        @Actor
        public void read(final IIII_Result result)
        {
            final TestEvent event = pool.event(0);
            result.r3 = RingPublishAndRead.content(event);
            result.r4 = RingPublishAndRead.content(event);
            passed.setRelease(1);
        }
    }

    /** A publish and a revocation of the same event. */
    @JCStressTest
    @Outcome(id = "1, 0, 7", expect = Expect.ACCEPTABLE, desc = "published")
    @Outcome(id = "0, 1, -1", expect = Expect.ACCEPTABLE, desc = "revoked, and the publisher knows it")
    @State
    public static class PublishAndRevoke extends Ring
    {
        private final TestEvent event;

        /** One event is claimed. */
        public PublishAndRevoke()
        {
            super(1);
            event = pool.acquire();
            event.fill(7);
        }

        /** Publishes. */
        @Actor
        public void publish(final III_Result result)
        {
            result.r1 = pool.publish(event) ? 1 : 0;
        }

        /** Announces, waits longer than a store takes to become visible, and revokes. */
        @Actor
        public void revoke(final III_Result result)
        {
            result.r2 = announceAndRevoke();
        }

        /** Reads. */
        @Arbiter
        public void read(final III_Result result)
        {
            result.r3 = read(0);
        }
    }

    /** The same, announced before. */
    @JCStressTest
    @Outcome(id = "1, 0, 7", expect = Expect.ACCEPTABLE, desc = "published")
    @Outcome(id = "0, 1, -1", expect = Expect.ACCEPTABLE, desc = "revoked, and the publisher knows it")
    @State
    public static class PublishAndRevokeAnnounced extends AnnouncedRing
    {
        /** Publishes. */
        @Actor
        public void publish(final III_Result result)
        {
            result.r1 = pool.publish(event) ? 1 : 0;
        }

        /** Revokes. */
        @Actor
        public void revoke(final III_Result result)
        {
            result.r2 = pool.revoke(0, 1);
        }

        /** Reads. */
        @Arbiter
        public void read(final III_Result result)
        {
            result.r3 = read(0);
        }
    }

    /** A publisher that saw no announcement and stores after the revocation, and a consumer that does not revoke. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0", "1, 0, -1"}, expect = Expect.ACCEPTABLE, desc = "no consumer gets the event")
    @State
    public static class StoreAfterRevocation extends AnnouncedRing
    {
        /** Revokes; then the end of a publish that began before the announcement. */
        @Actor
        public void revokeAndPublish(final III_Result result)
        {
            result.r1 = pool.revoke(0, 1);
            result.r2 = pool.publish(event, 0, 0) ? 1 : 0;
        }

        /** Reads. */
        @Actor
        public void read(final III_Result result)
        {
            result.r3 = read(0);
        }
    }

    /** The late store comes during the revocation, and a consumer reads before the publisher decides. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0", "1, 0, -1"}, expect = Expect.ACCEPTABLE, desc = "no consumer gets the event")
    @Outcome(id = {"0, 1, 0", "0, 1, 7"}, expect = Expect.ACCEPTABLE, desc = "published; perhaps not seen yet")
    @State
    public static class StoreDuringRevocation extends AnnouncedRing
    {
        /** Revokes. */
        @Actor
        public void revoke(final III_Result result)
        {
            result.r1 = pool.revoke(0, 1);
        }

        /** Stores, as a publisher that saw no announcement; reads; decides as the publisher. */
        @Actor
        public void storeAndRead(final III_Result result)
        {
            event.sequenceRelease(0);
            // The consumer is another thread in truth: it sees the store when all do.
            VarHandle.fullFence();
            result.r3 = read(0);
            result.r2 = pool.isStillPublished(event, 0) ? 1 : 0;
        }
    }

    /** The late publisher writes into its event while another one uses the slot. */
    @JCStressTest
    @Outcome(id = "0, 8", expect = Expect.ACCEPTABLE, desc = "the other event stays whole")
    @State
    public static class LateWriter extends Ring
    {
        private final TestEvent late;

        /** One event is claimed. */
        public LateWriter()
        {
            super(1);
            late = pool.acquire();
        }

        /** Writes and publishes late, after the revocation. */
        @Actor
        public void late(final II_Result result)
        {
            while (!pool.isRevoked(late))
            {
                Thread.onSpinWait();
            }
            late.fill(7);
            result.r1 = pool.publish(late) ? 1 : 0;
        }

        /** Revokes, passes, publishes another event. */
        @Actor
        public void revoke(final II_Result result)
        {
            announceAndRevoke();
            passed.setRelease(1);
            publish(8);
            result.r2 = read(1);
        }
    }
}
