package io.millrace.engine.service;

import com.sun.management.HotSpotDiagnosticMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * How many bytes of the cache an event takes.
 */
class EventLayoutTest
{
    @ParameterizedTest
    @CsvSource({"io.millrace.engine.service.OrderCommand,104", "io.millrace.engine.service.ExecutionEvent,120"})
    void shouldEndWithinItsBytes(final String name, final long maxBytes) throws ReflectiveOperationException
    {
        for (final String option : new String[] {"UseCompressedClassPointers", "UseCompressedOops"})
        {
            assumeTrue(Boolean.parseBoolean(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption(option).getValue()), "pointers are not compressed");
        }
        final Object unsafe;
        final Method offsetOf;
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
            return;
        }
        for (Class<?> each = Class.forName(name); each != Object.class; each = each.getSuperclass())
        {
            for (final Field field : each.getDeclaredFields())
            {
                if (!Modifier.isStatic(field.getModifiers()))
                {
                    final long end = (long)offsetOf.invoke(unsafe, field) + sizeBytes(field.getType());
                    assertTrue(end <= maxBytes, () -> field + " ends at " + end);
                }
            }
        }
    }

    private static int sizeBytes(final Class<?> type)
    {
        return type == byte.class || type == boolean.class ? 1 : type == long.class ? 8 : 4;
    }
}
