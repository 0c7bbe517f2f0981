package io.millrace.server;

import java.util.regex.Pattern;

/**
 * Names of flows, stages, agents and services: they become parts of counter and thread names, and later of file names.
 */
final class Names
{
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    private Names()
    {
    }

    static String check(final String what, final String name)
    {
        if (name == null || !ALLOWED.matcher(name).matches())
        {
            throw new IllegalArgumentException(
                what + " name '" + name + "' is not 1 to 32 of the characters A-Z a-z 0-9 _ . -");
        }
        return name;
    }
}
