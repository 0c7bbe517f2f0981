package io.millrace.pool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * How pipelines that carry references use an event: the publisher passes its reference on, and only once.
 */
final class PassOnTest
{
    static List<ObjectPool<TestEvent>> pools()
    {
        return List.of(new RingPool<>(TestEvent::new, 2), new SharedPool<>(TestEvent::new, 2));
    }

    private static void assertRefused(final TestEvent event)
    {
        final int before = event.refCount();
        final String message = assertThrows(IllegalArgumentException.class, () -> event.passOn(1)).getMessage();
        assertTrue(message.contains("cannot be published: the publisher has no reference"), message);
        assertEquals(before, event.refCount());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldPassAReferenceOnce(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        event.passOn(1);
        assertEquals(1, event.refCount());
        assertRefused(event);
        assertTrue(event.releasePassed(event.stamp()));
        assertEquals(2, pool.available());
        assertRefused(event);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldPassAsManyReferencesAsThereAre(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        event.retain(2);
        event.passOn(1);
        event.passOn(1);
        event.passOn(1);
        assertRefused(event);
        event.releasePassed();
        assertRefused(event);
        event.retain(1);
        event.passOn(1);
        assertRefused(event);
        event.releasePassed();
        event.releasePassed();
        event.releasePassed();
        assertEquals(2, pool.available());
        assertEquals(0, pool.metrics().doubleReleases());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldCountAReferenceForEachTerminalStage(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        event.passOn(3);
        assertEquals(3, event.refCount());
        assertRefused(event);
        event.retain(1);
        event.releasePassed();
        event.releasePassed();
        event.releasePassed();
        assertEquals(1, event.refCount());
        // A thread that retained it may publish it.
        event.passOn(BasePoolAware.MAX_IN_PIPELINES);
        assertRefused(event);
        for (int i = 0; i < BasePoolAware.MAX_IN_PIPELINES; i++)
        {
            event.releasePassed();
        }
        assertEquals(2, pool.available());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldCountAReferenceForEachTerminalStageOfAnEventThatOthersReferTo(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        event.retain(1);
        event.passOn(BasePoolAware.MAX_IN_PIPELINES - 1);
        event.passOn(1);
        assertEquals(BasePoolAware.MAX_IN_PIPELINES, event.refCount());
        for (int i = 0; i < BasePoolAware.MAX_IN_PIPELINES; i++)
        {
            event.releasePassed();
        }
        assertEquals(2, pool.available());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldRefuseMoreReferencesThanItCounts(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        for (final int stages : new int[] {-1, 0, BasePoolAware.MAX_IN_PIPELINES + 1})
        {
            final String message =
                assertThrows(IllegalArgumentException.class, () -> event.passOn(stages)).getMessage();
            assertTrue(message.contains("references in pipelines " + stages + " are not in 1..255"), message);
        }
        event.retain(BasePoolAware.MAX_REF_COUNT - 1);
        assertThrows(IllegalArgumentException.class, () -> event.passOn(2));
        event.passOn(1);
        assertEquals(BasePoolAware.MAX_REF_COUNT, event.refCount());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldReleaseEventsThatTheFullPipelineRefused(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        event.passOn(3);
        event.undoPassOn(3);
        assertEquals(1, event.refCount());
        event.passOn(1);
        assertRefused(event);
        event.releasePassed();
        assertEquals(2, pool.available());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldSurviveAReleaseWithoutAReference(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        event.retain(1);
        event.passOn(1);
        event.passOn(1);
        event.release();
        final long stamp = event.stamp();
        assertTrue(event.releasePassed(stamp));
        ObjectPoolSuite.wrongly(() -> assertFalse(event.releasePassed(stamp)));
        assertEquals(2, pool.available());
        final TestEvent next = pool.acquire();
        next.passOn(1);
        next.releasePassed();
        assertEquals(2, pool.available());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldTakeBackAnEventThatWasPassedToACall(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        final long stamp = event.stamp();
        final long state = event.passOn();
        assertEquals(stamp, event.stamp());
        assertRefused(event);
        event.takeBack(state);
        assertEquals(2, pool.available());
        assertEquals(0, pool.metrics().lateReleases());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldLeaveAnEventThatTheCallRetained(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        final long state = event.passOn();
        event.retain(1);
        event.takeBack(state);
        assertEquals(1, event.refCount());
        assertEquals(1, pool.available());
        event.release();
        assertEquals(2, pool.available());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldNotTakeBackAnEventThatTheCallReleased(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        final long state = event.passOn();
        event.release();
        ObjectPoolSuite.wrongly(() -> event.takeBack(state));
        assertEquals(2, pool.available());
        assertEquals(1, pool.metrics().lateReleases());
    }

    @Test
    void shouldAcceptAnEventWithoutAPoolRepeatedly()
    {
        final TestEvent plain = new TestEvent();
        plain.takeBack(plain.passOn());
        plain.passOn(1);
        plain.passOn(7);
        plain.undoPassOn(7);
        plain.releasePassed();
        assertTrue(plain.releasePassed(plain.stamp()));
        assertEquals(0, plain.refCount());
    }
}
