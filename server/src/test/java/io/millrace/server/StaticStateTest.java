package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.testkit.ModuleClasses;
import jdk.jfr.Event;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * No class of the pool and the server has static state through which two servers of one JVM could affect each other.
 */
@Tag("normal")
class StaticStateTest
{
    /** Constants. */
    private static final Set<Class<?>> IMMUTABLE = Set.of(boolean.class, int.class, long.class, double.class,
        char.class, byte.class, String.class, Pattern.class, VarHandle.class, Class.class);

    @Test
    void shouldHaveNoStaticStateInPoolAndServer() throws Exception
    {
        final List<String> found = new ArrayList<>();
        int classes = 0;
        for (final Class<?> anchor : List.of(BasePoolAware.class, Server.class))
        {
            for (final String name : ModuleClasses.beside(anchor))
            {
                classes++;
                final Class<?> type = Class.forName(name, false, anchor.getClassLoader());
                if (type.getSuperclass() == Event.class)
                {
                    // The JVM adds static fields to it.
                    continue;
                }
                for (final Field field : type.getDeclaredFields())
                {
                    if (Modifier.isStatic(field.getModifiers()) && !isHarmless(field))
                    {
                        found.add(field.toString());
                    }
                }
            }
        }
        assertTrue(classes > 60, "only " + classes + " classes were found");
        assertEquals(List.of(), found);
    }

    private static boolean isHarmless(final Field field) throws ReflectiveOperationException
    {
        final Class<?> type = field.getType();
        if (!Modifier.isFinal(field.getModifiers()))
        {
            return false;
        }
        // An event of the flight recorder that is never committed, only asked whether its type is enabled.
        if (Event.class.isAssignableFrom(type) && field.getDeclaringClass().getSimpleName().equals("Probes"))
        {
            return true;
        }
        if (field.isSynthetic() || IMMUTABLE.contains(type) || field.isEnumConstant())
        {
            return true;
        }
        // An object that is the only instance of its class, a function, a constant table or an unmodifiable collection.
        final boolean ours = type == field.getDeclaringClass() && type.getDeclaredFields().length > 0 && isFrozen(type);
        final boolean function = type == Supplier.class || type == Function.class;
        final boolean table = type.isArray() && type.getComponentType().isPrimitive();
        field.setAccessible(true);
        return ours || function || table ||
            type == List.class && field.get(null).getClass().getName().contains("Immutable");
    }

    /** All fields of the instances are final and of immutable types. */
    private static boolean isFrozen(final Class<?> type)
    {
        return Stream.of(type.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers()))
            .allMatch(field -> Modifier.isFinal(field.getModifiers()) && IMMUTABLE.contains(field.getType()));
    }
}
