package io.millrace.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs one of the system's small programs, such as {@code stty} or {@code chrt}. It waits for the program and
 * allocates: for starts, not for hot paths.
 */
public final class SystemCommand
{
    private static final long LIMIT_MS = 2_000;

    private SystemCommand()
    {
    }

    /**
     * Runs a program in the C locale and waits for its end, at most two seconds.
     *
     * @param command the program and its arguments; no shell sees them.
     * @return what it printed on both outputs, without white space at the end.
     * @throws IOException if the program is missing, takes too long or ends with an error; the message has its output.
     */
    public static String run(final String... command) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        final Process process = builder.start();
        boolean ended = false;
        try
        {
            process.getOutputStream().close();
            ended = process.waitFor(LIMIT_MS, TimeUnit.MILLISECONDS);
            if (!ended)
            {
                throw new IOException(List.of(command) + " did not end within " + LIMIT_MS + " ms");
            }
            try (InputStream output = process.getInputStream())
            {
                final String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
                if (process.exitValue() != 0)
                {
                    throw new IOException(List.of(command) + " ended with " + process.exitValue() + ": " + text);
                }
                return text;
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException(List.of(command) + " was interrupted", ex);
        }
        finally
        {
            if (!ended)
            {
                process.destroyForcibly();
            }
        }
    }
}
