package io.millrace.benchmarks.harness;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.stream.Stream;

/**
 * A class that is compiled and on the class path with some profile only.
 *
 * @param name    with its package.
 * @param profile of Maven.
 * @param type    that it has.
 * @param <T>     the type.
 */
public record RivalClass<T>(String name, String profile, Class<T> type)
{
    /**
     * Checks whether this build has the class.
     *
     * @return false without the profile.
     */
    public boolean isHere()
    {
        try
        {
            Class.forName(name, false, RivalClass.class.getClassLoader());
            return true;
        }
        catch (final ClassNotFoundException ex)
        {
            return false;
        }
    }

    /**
     * Make an instance.
     *
     * @param arguments of the only constructor with so many parameters.
     * @return a new one.
     * @throws IllegalArgumentException when it is not in this build; the message names the profile.
     * @throws IllegalStateException    when it cannot be made; the message says why.
     */
    public T make(final Object... arguments)
    {
        try
        {
            final Constructor<?> constructor = Stream.of(Class.forName(name).getDeclaredConstructors())
                .filter(one -> one.getParameterCount() == arguments.length).findFirst().orElseThrow();
            constructor.setAccessible(true);
            return type.cast(constructor.newInstance(arguments));
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalArgumentException(name + " is there with -P" + profile + " only: " + ex, ex);
        }
        catch (final InvocationTargetException ex)
        {
            throw new IllegalStateException(name + " cannot be made: " + ex.getCause(), ex.getCause());
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(name + " cannot be made: " + ex, ex);
        }
    }
}
