package io.millrace.gateway.run;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** Reads the texts of options. Each error names the option, its value and the allowed range. */
final class OptionValues
{
    static final int MAX_PORT = 65_535;

    /** A name or address and a port. */
    record HostPort(String host, int port)
    {
    }

    private OptionValues()
    {
    }

    static int number(final String name, final String text, final int min, final int max)
    {
        try
        {
            final int value = Integer.parseInt(text);
            if (value >= min && value <= max)
            {
                return value;
            }
        }
        catch (final NumberFormatException ex)
        {
            // The same error as for a number out of range.
            throw notIn(name, text, min, max);
        }
        throw notIn(name, text, min, max);
    }

    private static IllegalArgumentException notIn(final String name, final String text, final int min, final int max)
    {
        return new IllegalArgumentException(name + " " + text + " is not a number in " + min + ".." + max);
    }

    static HostPort hostPort(final String name, final String text)
    {
        final int colon = text.lastIndexOf(':');
        if (colon < 1)
        {
            throw new IllegalArgumentException(name + " " + text + " is not HOST:PORT");
        }
        return new HostPort(text.substring(0, colon), number(name + " " + text + ": port",
            text.substring(colon + 1), 1, MAX_PORT));
    }

    static Path path(final String name, final String text)
    {
        try
        {
            return Path.of(text);
        }
        catch (final InvalidPathException ex)
        {
            throw new IllegalArgumentException(name + " '" + text.replace('\0', '?') + "' is no path: " +
                ex.getReason() + "; the encoding of file names is " + System.getProperty("sun.jnu.encoding"), ex);
        }
    }

    static void topic(final String name, final String text, final String others)
    {
        if (!text.matches("[A-Za-z0-9" + others + "]{1,249}"))
        {
            throw new IllegalArgumentException(
                name + " \"" + text + "\" is not 1 to 249 of the characters A-Z a-z 0-9 " + others);
        }
    }

    static InetAddress address(final String name, final String text)
    {
        try
        {
            return InetAddress.getByName(text);
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(name + " " + text + " is no address and no known name", ex);
        }
    }

    static NetworkInterface networkInterface(final String name, final String nic)
    {
        try
        {
            final NetworkInterface found = nic == null ?
                NetworkInterface.getByInetAddress(InetAddress.getByAddress(new byte[]{127, 0, 0, 1})) :
                NetworkInterface.getByName(nic);
            if (found == null)
            {
                throw new IllegalArgumentException(name + " " + nic + " is none of " + NetworkInterface
                    .networkInterfaces().map(NetworkInterface::getName).collect(Collectors.joining(", ")));
            }
            return found;
        }
        catch (final SocketException | UnknownHostException ex)
        {
            throw new IllegalArgumentException(name + " " + nic + ": " + ex.getMessage(), ex);
        }
    }
}
