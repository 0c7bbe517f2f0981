package io.millrace.gateway.serial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A real pseudo-terminal. Python has its master side, and writes what it reads on its standard input; the source under
 * test reads the other side.
 */
final class Pty implements AutoCloseable
{
    private static final String MASTER = String.join("\n",
        "import os, pty",
        "master, slave = pty.openpty()",
        "print(os.ttyname(slave), flush=True)",
        "while True:",
        "    data = os.read(0, 4096)",
        "    if not data:",
        "        break",
        "    while data:",
        "        data = data[os.write(master, data):]");

    private final Process process;
    private final Path device;

    Pty() throws IOException
    {
        assumeTrue(isOnPath("python3") && isOnPath("stty"), "no python3 or no stty: no pseudo-terminal to test with");
        process = new ProcessBuilder("python3", "-c", MASTER).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        device = Path.of(new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII)).readLine());
    }

    private static boolean isOnPath(final String program)
    {
        for (final String folder : System.getenv("PATH").split(":"))
        {
            if (Files.isExecutable(Path.of(folder, program)))
            {
                return true;
            }
        }
        return false;
    }

    Path device()
    {
        return device;
    }

    void write(final String text) throws IOException
    {
        final OutputStream input = process.getOutputStream();
        input.write(text.getBytes(StandardCharsets.ISO_8859_1));
        input.flush();
    }

    @Override
    public void close() throws IOException
    {
        pull();
    }

    /** Ends the device. */
    void pull() throws IOException
    {
        process.destroyForcibly();
        try
        {
            process.waitFor(10, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            throw new IOException(ex);
        }
    }
}
