package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * An object that is used for each event shares no cache line with its neighbours in the heap.
 */
@Tag("normal")
class PaddingTest
{
    private static final long DISTANCE_BYTES = 128;
    private static final String PADDING = "p\\d{3}";
    private static final long MAX_FIELD_BYTES = 8;

    @ParameterizedTest
    @ValueSource(strings = {"InVmSource", "EventPublication", "GuardedHandler", "StageWork", "Feed", "FeedSubscription",
        "agent.GatheringIdleStrategy", "pipeline.RingPipeline", "pipeline.SharedRingPipeline",
        "pipeline.RingFirstSubscription", "pipeline.RingLaterSubscription", "pipeline.DirectPipeline"})
    void shouldKeepItsFieldsAwayFromItsNeighbours(final String name) throws ReflectiveOperationException
    {
        final List<Field> fields = new ArrayList<>();
        final List<Field> padding = new ArrayList<>();
        for (Class<?> each = Class.forName("io.millrace.server." + name); each != Object.class;
            each = each.getSuperclass())
        {
            for (final Field field : each.getDeclaredFields())
            {
                if (!Modifier.isStatic(field.getModifiers()))
                {
                    (field.getName().matches(PADDING) ? padding : fields).add(field);
                }
            }
        }
        // Some bytes of the padding may fill a gap between the fields; objects end at a multiple of eight.
        final long end = padding.stream().mapToLong(PaddingTest::offset).max().orElseThrow() + MAX_FIELD_BYTES &
            -MAX_FIELD_BYTES;

        assertFalse(fields.isEmpty());
        for (final Field field : fields)
        {
            assertTrue(offset(field) >= DISTANCE_BYTES, () -> field + " is too near to the object before");
            assertTrue(end - offset(field) >= DISTANCE_BYTES + sizeBytes(field),
                () -> field + " is too near to the object behind");
        }
    }

    /** A reference of 8 bytes, without compressed pointers, ends at most 4 bytes later. */
    private static long sizeBytes(final Field field)
    {
        final Class<?> type = field.getType();
        return type == boolean.class || type == byte.class ? 1 : type == long.class ? MAX_FIELD_BYTES : 4;
    }

    private static long offset(final Field field)
    {
        try
        {
            final Class<?> type = Class.forName("sun.misc.Unsafe");
            final Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            final Method offsetOf = type.getMethod("objectFieldOffset", Field.class);
            return (long)offsetOf.invoke(instance.get(null), field);
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            assumeTrue(false, "sun.misc.Unsafe is not available, field offsets are not known: " + ex);
            return 0;
        }
    }
}
