package io.millrace.engine.service;

import com.sun.management.HotSpotDiagnosticMXBean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The cache lines that an event takes, and the distance of the publisher from its neighbours.
 */
class EventLayoutTest
{
    private static final long DISTANCE_BYTES = 128;
    private static final String PADDING = "p\\d{3}";

    private Object unsafe;
    private Method offsetOf;

    @BeforeEach
    void findUnsafe()
    {
        for (final String option : new String[] {"UseCompressedClassPointers", "UseCompressedOops"})
        {
            assumeTrue(Boolean.parseBoolean(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption(option).getValue()), "pointers are not compressed");
        }
        try
        {
            final Class<?> type = Class.forName("sun.misc.Unsafe");
            final Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            unsafe = instance.get(null);
            offsetOf = type.getMethod("objectFieldOffset", Field.class);
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            assumeTrue(false, "sun.misc.Unsafe is not available, field offsets are not known: " + ex);
        }
    }

    @ParameterizedTest
    @CsvSource({"io.millrace.engine.service.OrderCommand,112", "io.millrace.engine.service.ExecutionEvent,136"})
    void shouldEndWithinItsBytes(final String name, final long maxBytes) throws ReflectiveOperationException
    {
        for (final Field field : fields(Class.forName(name)))
        {
            final long end = end(field);
            assertTrue(end <= maxBytes, () -> field + " ends at " + end);
        }
    }

    @Test
    void shouldKeepThePublisherAwayFromItsNeighbours() throws ReflectiveOperationException
    {
        final List<Field> fields = fields(ExecutionPublisher.class);
        long objectEnd = 0;
        for (final Field field : fields)
        {
            objectEnd = Math.max(objectEnd, end(field));
        }
        // Some bytes of the padding may fill a gap between the fields; objects end at a multiple of eight.
        final long alignedEnd = objectEnd + 7 & -8;
        for (final Field field : fields)
        {
            if (!field.getName().matches(PADDING))
            {
                assertTrue(end(field) - sizeBytes(field.getType()) >= DISTANCE_BYTES &&
                    alignedEnd - end(field) >= DISTANCE_BYTES, field::toString);
            }
        }
    }

    private static List<Field> fields(final Class<?> type)
    {
        final List<Field> fields = new ArrayList<>();
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass())
        {
            for (final Field field : each.getDeclaredFields())
            {
                if (!Modifier.isStatic(field.getModifiers()))
                {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    private long end(final Field field) throws ReflectiveOperationException
    {
        return (long)offsetOf.invoke(unsafe, field) + sizeBytes(field.getType());
    }

    private static int sizeBytes(final Class<?> type)
    {
        return type == byte.class || type == boolean.class ? 1 : type == long.class ? 8 : 4;
    }
}
