package io.millrace.server.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("normal")
class GatheringIdleStrategyTest
{
    private static final long CACHE_LINE_BYTES = 64;

    private static final class Recording implements IdleStrategy
    {
        private final StringBuilder calls = new StringBuilder();

        @Override
        public void idle(final int workCount)
        {
            calls.append(workCount).append(' ');
        }

        @Override
        public void idle()
        {
            calls.append("idle ");
        }

        @Override
        public void reset()
        {
            calls.append("reset ");
        }
    }

    private final Recording rest = new Recording();
    private final GatheringIdleStrategy strategy = new GatheringIdleStrategy(rest, 3);

    @Test
    void shouldSpinOnceAfterSeveralEventsAndThenDelegate()
    {
        strategy.idle(2);
        strategy.idle(0);
        strategy.idle(0);
        strategy.idle(0);
        assertEquals("2 idle idle ", rest.calls.toString());
    }

    @Test
    void shouldNotWaitAfterASingleEvent()
    {
        strategy.idle(1);
        strategy.idle(0);
        assertEquals("1 idle ", rest.calls.toString());
    }

    @Test
    void shouldForgetTheEventsAtAReset()
    {
        strategy.idle(100);
        strategy.reset();
        strategy.idle();
        assertEquals("100 reset idle ", rest.calls.toString());
    }

    @Test
    void shouldPauseLongOnlyAfterABurst()
    {
        final GatheringIdleStrategy longPauses = new GatheringIdleStrategy(rest, 512);
        longPauses.idle(100);
        longPauses.idle(27);
        assertEquals(64, longPauses.pause());
        longPauses.idle(1);
        assertEquals(512, longPauses.pause());
        longPauses.idle(0);
        longPauses.idle(2);
        assertEquals(64, longPauses.pause());
        longPauses.idle(Integer.MAX_VALUE);
        longPauses.reset();
        assertEquals(64, longPauses.pause());
        strategy.idle(2);
        assertEquals(3, strategy.pause());
    }

    @Test
    void shouldReturnItsNameAndRefuseInvalidSpins()
    {
        assertEquals("gather-noop", new GatheringIdleStrategy(NoOpIdleStrategy.INSTANCE).alias());
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new GatheringIdleStrategy(rest, -1)).getMessage();
        assertEquals("spins -1 is not in 0..65536", message);
        assertThrows(NullPointerException.class, () -> new GatheringIdleStrategy(null));
    }

    /** All other fields are bytes of padding, so it is enough to count the bytes before and after the others. */
    @Test
    void shouldKeepItsFieldsACacheLineAwayFromOtherObjects() throws ReflectiveOperationException
    {
        final Set<String> own = Set.of("rest", "spins", "lastWorkCount", "found");
        final List<Long> offsets = new ArrayList<>();
        final List<Long> pads = new ArrayList<>();
        for (Class<?> type = GatheringIdleStrategy.class; type != Object.class; type = type.getSuperclass())
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (own.contains(field.getName()))
                {
                    offsets.add(offset(field));
                }
                else if (!Modifier.isStatic(field.getModifiers()))
                {
                    assertTrue(field.getType() == byte.class && field.getName().matches("p\\d{3}"), field::toString);
                    pads.add(offset(field));
                }
            }
        }
        assertEquals(own.size(), offsets.size());
        assertTrue(Collections.min(offsets) >= CACHE_LINE_BYTES, offsets::toString);
        final long last = Collections.max(offsets);
        assertTrue(pads.stream().filter(pad -> pad > last).count() >= CACHE_LINE_BYTES, pads + " beside " + offsets);
    }

    private static long offset(final Field field) throws ReflectiveOperationException
    {
        final Class<?> type = Class.forName("sun.misc.Unsafe");
        final Field instance = type.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        return (long)type.getMethod("objectFieldOffset", Field.class).invoke(instance.get(null), field);
    }
}
