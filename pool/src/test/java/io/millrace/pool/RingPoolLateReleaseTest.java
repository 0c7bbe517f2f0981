package io.millrace.pool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P7: a thread without a reference releases an event of a bound ring, at each step of the event's life: no event gets
 * lost and none becomes a PAD. The ring has one slot, so the next owner always gets the same event.
 */
final class RingPoolLateReleaseTest
{
    /** The steps of one wrap of the ring, in order; the release happens after the named step. */
    enum Step
    {
        FREE, ACQUIRED, FILLED, PUBLISHED, SEEN, RETAINED, PASSED, GIVEN_BACK
    }

    private final RingPool<TestEvent> pool = RingReader.ring(1, 0);
    private final RingReader reader = new RingReader(pool);
    private final ExecutorService handler = Executors.newSingleThreadExecutor();
    private int strikes;

    @AfterEach
    void stop()
    {
        handler.shutdown();
    }

    private interface Strike
    {
        void on(TestEvent event);
    }

    /**
     * In normal mode only: checked mode counts the reference of the acquiring thread. Not while another reference is
     * counted: a release without a stamp does not identify its reference, so it would drop that one.
     */
    @Tag("normal")
    @ParameterizedTest
    @EnumSource(value = Step.class, names = {"RETAINED", "PASSED"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldCountAReleaseWithoutAReferenceAndChangeNothing(final Step when) throws Exception
    {
        for (int lap = 0; lap < 20; lap++)
        {
            goRound(lap, when, BasePoolAware::release);
        }
        assertEquals(strikes, pool.metrics().doubleReleases());
        assertEquals(0, pool.metrics().lateReleases());
    }

    @Tag("normal")
    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldCountAReleaseByTheStampOfTheLastWrapAndChangeNothing(final Step when) throws Exception
    {
        for (int lap = 0; lap < 20; lap++)
        {
            final long stampOfLastLap = lap - 1;
            goRound(lap, when, event -> assertFalse(event.release(stampOfLastLap)));
        }
        assertEquals(0, pool.metrics().doubleReleases());
        assertEquals(strikes, pool.metrics().lateReleases());
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, names = {"FREE", "FILLED", "RETAINED", "PASSED"})
    void shouldReleaseNothingByAStampOfAnEarlierWrap(final Step when) throws Exception
    {
        for (int lap = 0; lap < 20; lap++)
        {
            for (int lapsAgo = 1; lapsAgo <= lap; lapsAgo++)
            {
                final long stamp = pool.claimedPosition() - lapsAgo;
                goRound(lap, when, event -> ObjectPoolSuite.wrongly(() -> assertFalse(event.release(stamp))));
            }
        }
        assertEquals(strikes, pool.metrics().lateReleases());
    }

    /**
     * The owner keeps the references that it retained before the publish, whatever the stamp of the previous wrap is.
     */
    @ParameterizedTest
    @EnumSource(value = Step.class, names = {"ACQUIRED", "PUBLISHED", "PASSED"})
    void shouldNotReleaseAReferenceTakenBeforePublication(final Step when) throws Exception
    {
        for (int lap = 0; lap < 20; lap++)
        {
            final long stampOfLastLap = lap - 1;
            final TestEvent event = pool.acquire();
            event.retain(1);
            final Strike late = hit -> ObjectPoolSuite.wrongly(() -> assertFalse(hit.release(stampOfLastLap)));
            strike(when, Step.ACQUIRED, event, late);
            pool.publish(event);
            strike(when, Step.PUBLISHED, event, late);
            assertSame(event, reader.next());
            reader.pass();
            strike(when, Step.PASSED, event, late);
            assertNull(pool.acquire());
            assertTrue(event.release(event.stamp()));
        }
        assertEquals(0, pool.metrics().abandoned());
        assertEquals(1, pool.available());
    }

    private void goRound(final int lap, final Step when, final Strike strike) throws Exception
    {
        final long sequence = pool.claimedPosition();
        strike(when, Step.FREE, pool.event(sequence), strike);
        final TestEvent event = pool.acquire();
        strike(when, Step.ACQUIRED, event, strike);
        assertNull(pool.acquire());
        event.fill(lap);
        strike(when, Step.FILLED, event, strike);
        pool.publish(event);
        strike(when, Step.PUBLISHED, event, strike);
        assertSame(event, reader.next());
        assertTrue(event.isWhole(lap));
        strike(when, Step.SEEN, event, strike);
        event.retain(1);
        strike(when, Step.RETAINED, event, strike);
        reader.pass();
        assertNull(pool.acquire());
        assertTrue(event.isWhole(lap));
        strike(when, Step.PASSED, event, strike);
        assertEquals(1, event.refCount());
        event.release();
        strike(when, Step.GIVEN_BACK, event, strike);
        assertNull(reader.next());
        assertEquals(1, pool.available());
        assertEquals(sequence + 1, pool.publishedPosition());
        assertEquals(0, pool.metrics().abandoned());
    }

    private void strike(final Step when, final Step now, final TestEvent event, final Strike strike) throws Exception
    {
        if (when == now)
        {
            strikes++;
            try
            {
                handler.submit(() -> strike.on(event)).get();
            }
            catch (final ExecutionException ex)
            {
                throw new AssertionError("at step " + now, ex.getCause());
            }
        }
    }
}
