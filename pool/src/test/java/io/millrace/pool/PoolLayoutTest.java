package io.millrace.pool;

import com.sun.management.HotSpotDiagnosticMXBean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Memory layout: fields that one thread writes are two cache lines away from fields that others read.
 */
final class PoolLayoutTest
{
    /** Two cache lines: some processors fetch lines in pairs. */
    private static final long DISTANCE_BYTES = 128;
    private static final String PADDING = "p\\d{3}";

    private static Object unsafe;
    private static Method objectFieldOffset;

    /** A field and the bytes that it occupies. */
    private record Place(String name, long start, long end)
    {
    }

    @BeforeAll
    static void findUnsafe()
    {
        try
        {
            final Class<?> type = Class.forName("sun.misc.Unsafe");
            final Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            unsafe = instance.get(null);
            objectFieldOffset = type.getMethod("objectFieldOffset", Field.class);
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            assumeTrue(false, "sun.misc.Unsafe is not available, field offsets are not known: " + ex);
        }
    }

    private static List<Place> places(final Class<?> type) throws ReflectiveOperationException
    {
        final List<Place> places = new ArrayList<>();
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass())
        {
            for (final Field field : each.getDeclaredFields())
            {
                if (!Modifier.isStatic(field.getModifiers()))
                {
                    final long start = (long)objectFieldOffset.invoke(unsafe, field);
                    places.add(new Place(field.getName(), start, start + sizeBytes(field.getType())));
                }
            }
        }
        return places;
    }

    private static int sizeBytes(final Class<?> type)
    {
        if (type == byte.class || type == boolean.class)
        {
            return 1;
        }
        return type == long.class || !type.isPrimitive() && !isOn("UseCompressedOops") ? 8 : 4;
    }

    private static boolean isOn(final String option)
    {
        return Boolean.parseBoolean(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption(option).getValue());
    }

    /** The named fields of a type are neighbours, and no other field is near them. */
    private static void assertAlone(final Class<?> type, final Set<String> names) throws ReflectiveOperationException
    {
        final List<Place> places = places(type);
        final List<Place> own = places.stream().filter(place -> names.contains(place.name)).toList();
        assertTrue(own.size() == names.size(), () -> "not all of " + names + " are in " + type);
        final long start = own.stream().mapToLong(Place::start).min().orElseThrow();
        final long end = own.stream().mapToLong(Place::end).max().orElseThrow();
        for (final Place other : places)
        {
            if (!names.contains(other.name) && !other.name.matches(PADDING))
            {
                assertTrue(other.end <= start - DISTANCE_BYTES || other.start >= end + DISTANCE_BYTES,
                    () -> other + " is too near to " + own);
            }
        }
        final long objectEnd = places.stream().mapToLong(Place::end).max().orElseThrow() + 7 & -8;
        assertTrue(start >= DISTANCE_BYTES, () -> "the object before is too near to " + own);
        assertTrue(objectEnd - end >= DISTANCE_BYTES,
            () -> "the object behind, at " + objectEnd + ", is too near to " + own);
    }

    @Test
    void shouldKeepAllFieldsOfARingPoolAwayFromItsNeighbours() throws ReflectiveOperationException
    {
        final List<Place> all = places(RingPool.class);
        final long objectEnd = all.stream().mapToLong(Place::end).max().orElseThrow() + 7 & -8;

        for (final Place place : all)
        {
            if (!place.name.matches(PADDING))
            {
                assertTrue(place.start >= DISTANCE_BYTES && objectEnd - place.end >= DISTANCE_BYTES, place::toString);
            }
        }
    }

    @Test
    void shouldKeepAPaddedLongOnItsOwnCacheLine() throws ReflectiveOperationException
    {
        assertAlone(PaddedLong.class, Set.of("value"));
    }

    @Test
    void shouldKeepFieldsOfTheAcquiringThreadAwayFromSharedOnes() throws ReflectiveOperationException
    {
        assertAlone(RingPool.class, Set.of("claimed", "published", "padsAhead", "limit", "freeTo", "owner",
            "refusals", "reused"));
    }

    @Test
    void shouldKeepTheClaimWordOfASharedRingAwayFromFieldsThatAreRead() throws ReflectiveOperationException
    {
        assertAlone(SharedRingPool.class, Set.of("claim", "limit", "refusals", "first"));
    }

    @Test
    void shouldKeepTheWordsOfAnEventInTheFirst32Bytes() throws ReflectiveOperationException
    {
        assumeTrue(isOn("UseCompressedClassPointers") && isOn("UseCompressedOops"), "pointers are not compressed");
        final List<Place> places = places(BasePoolAware.class);

        assertFalse(places.isEmpty());
        for (final Place place : places)
        {
            assertTrue(place.end <= 32, place::toString);
        }
    }
}
