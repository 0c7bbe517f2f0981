package io.millrace.benchmarks.depth;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Arrays of primitives that an object of this project refers to, and their sizes: read from the object itself, so
 * that no table can be out of date. One thread.
 */
final class ArrayBytes
{
    private static final String PROJECT = "io.millrace.";
    private static final Map<Class<?>, Integer> BYTES = Map.of(
        long.class, Long.BYTES, double.class, Double.BYTES, int.class, Integer.BYTES, float.class, Float.BYTES,
        short.class, Short.BYTES, char.class, Character.BYTES, byte.class, Byte.BYTES, boolean.class, Byte.BYTES);

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Long> bytes = new LinkedHashMap<>();

    private ArrayBytes()
    {
    }

    /** Bytes of elements by class and field; an array that two fields share counts at the first. */
    static Map<String, Long> of(final Object root)
    {
        final ArrayBytes walk = new ArrayBytes();
        walk.visit(root);
        return walk.bytes;
    }

    static long sum(final Map<String, Long> arrays)
    {
        return arrays.values().stream().mapToLong(Long::longValue).sum();
    }

    private void visit(final Object object)
    {
        if (!seen.add(object))
        {
            return;
        }
        for (Class<?> type = object.getClass(); type.getName().startsWith(PROJECT); type = type.getSuperclass())
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive())
                {
                    visit(type, field, object);
                }
            }
        }
    }

    private static boolean isOurs(final Object value)
    {
        return value != null && value.getClass().getName().startsWith(PROJECT) && !value.getClass().isEnum();
    }

    private void visit(final Class<?> type, final Field field, final Object object)
    {
        try
        {
            field.setAccessible(true);
            final Object value = field.get(object);
            if (value == null)
            {
                return;
            }
            final Class<?> element = value.getClass().getComponentType();
            if (element != null && element.isPrimitive() && seen.add(value))
            {
                bytes.merge(type.getSimpleName() + "." + field.getName(),
                    (long)Array.getLength(value) * BYTES.get(element), Long::sum);
            }
            else if (value instanceof Object[])
            {
                Stream.of((Object[])value).filter(ArrayBytes::isOurs).forEach(this::visit);
            }
            else if (isOurs(value))
            {
                visit(value);
            }
        }
        catch (final IllegalAccessException ex)
        {
            throw new IllegalStateException(type + "." + field.getName(), ex);
        }
    }
}
