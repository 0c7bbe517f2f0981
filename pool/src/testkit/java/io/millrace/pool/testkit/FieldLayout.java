package io.millrace.pool.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Where this JVM places the fields of a type, with its options. Skips the test if the JVM does not tell. */
public final class FieldLayout
{
    /** Two cache lines: some processors fetch lines in pairs. */
    private static final long DISTANCE_BYTES = 128;
    private static final long WORD_BYTES = 8;
    private static final String PADDING = "p\\d{3}";

    /** A field and the bytes that it occupies. */
    private record Place(String name, long start, long end)
    {
    }

    /** All fields except the padding. */
    private final List<Place> places = new ArrayList<>();
    private long objectEnd;

    public FieldLayout(final Class<?> type)
    {
        try
        {
            final Class<?> unsafeType = Class.forName("sun.misc.Unsafe");
            final Field instance = unsafeType.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            final Object unsafe = instance.get(null);
            final Method offsetOf = unsafeType.getMethod("objectFieldOffset", Field.class);
            for (Class<?> each = type; each != Object.class; each = each.getSuperclass())
            {
                for (final Field field : each.getDeclaredFields())
                {
                    if (!Modifier.isStatic(field.getModifiers()))
                    {
                        add(field, (long)offsetOf.invoke(unsafe, field));
                    }
                }
            }
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            assumeTrue(false, "sun.misc.Unsafe is not available, field offsets are not known: " + ex);
        }
        objectEnd = objectEnd + WORD_BYTES - 1 & -WORD_BYTES;
        assertFalse(places.isEmpty(), type::toString);
    }

    private void add(final Field field, final long start)
    {
        final long end = start + sizeBytes(field.getType());
        objectEnd = Math.max(objectEnd, end);
        if (!field.getName().matches(PADDING))
        {
            places.add(new Place(field.getName(), start, end));
        }
    }

    private static int sizeBytes(final Class<?> type)
    {
        if (type == byte.class || type == boolean.class)
        {
            return 1;
        }
        return type == long.class || type == double.class || !type.isPrimitive() && !isOn("UseCompressedOops") ? 8 : 4;
    }

    private static boolean isOn(final String option)
    {
        return Boolean.parseBoolean(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption(option).getValue());
    }

    /** False if references or class pointers have 8 bytes: with ZGC, in a large heap, or by option. */
    public static boolean hasCompressedPointers()
    {
        return isOn("UseCompressedClassPointers") && isOn("UseCompressedOops");
    }

    /** No field shares a pair of cache lines with a neighbour in the heap. */
    public void assertAlone()
    {
        for (final Place place : places)
        {
            assertTrue(areApart(0, place.start), () -> "the object before is too near to " + place);
            assertTrue(areApart(place.end, objectEnd),
                () -> "the object behind, at " + objectEnd + ", is too near to " + place);
        }
    }

    /** The named fields are neighbours, and share no pair of cache lines with another field or object. */
    public void assertAlone(final Set<String> names)
    {
        final List<Place> own = places.stream().filter(place -> names.contains(place.name)).toList();
        assertTrue(names().containsAll(names), () -> "not all of " + names + " are in " + places);
        final long start = own.stream().mapToLong(Place::start).min().orElseThrow();
        final long end = own.stream().mapToLong(Place::end).max().orElseThrow();
        for (final Place other : places)
        {
            assertTrue(names.contains(other.name) || areApart(other.end, start) || areApart(end, other.start),
                () -> other + " is too near to " + own);
        }
        assertTrue(areApart(0, start), () -> "the object before is too near to " + own);
        assertTrue(areApart(end, objectEnd), () -> "the object behind, at " + objectEnd + ", is too near to " + own);
    }

    /**
     * Objects begin at a multiple of 8 bytes. So bytes whose words of 8 bytes are 128 bytes apart are never in one
     * aligned block of 128 bytes. A small field may begin in the second half of its word: then 124 bytes are between.
     */
    private static boolean areApart(final long end, final long start)
    {
        return (start & -WORD_BYTES) - (end - 1 & -WORD_BYTES) >= DISTANCE_BYTES;
    }

    /** All fields are in the first bytes of the object. */
    public void assertWithin(final long bytes)
    {
        assertWithin(bytes, names());
    }

    /** The named fields are in the first bytes of the object. */
    public void assertWithin(final long bytes, final Set<String> names)
    {
        assertTrue(names().containsAll(names), () -> "not all of " + names + " are in " + places);
        for (final Place place : places)
        {
            assertTrue(!names.contains(place.name) || place.end <= bytes, place::toString);
        }
    }

    private Set<String> names()
    {
        return places.stream().map(Place::name).collect(Collectors.toSet());
    }
}
