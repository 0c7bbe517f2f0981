package io.millrace.server;

import java.util.regex.Pattern;

/**
 * Checks names of servers, flows, stages, agents and services. They are used in counter, thread and file names, so the
 * two names of directories are refused.
 */
final class Names
{
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    private Names()
    {
    }

    static String check(final String what, final String name)
    {
        if (name == null || !ALLOWED.matcher(name).matches() || name.equals(".") || name.equals(".."))
        {
            throw new IllegalArgumentException(
                what + " name '" + name + "' is not 1 to 32 of the characters A-Z a-z 0-9 _ . - (nor is it . or ..)");
        }
        return name;
    }

    /** The name of a class; with its class loader if another class has the same name. */
    static String of(final Class<?> type, final Class<?> other)
    {
        return type.getName() +
            (type != other && type.getName().equals(other.getName()) ? " of " + type.getClassLoader() : "");
    }
}
