package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.bbo.SerialLineCodec;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.pool.ByteView;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes lines into a pseudo-terminal. Python has its master side.
 */
final class PtySender implements AutoCloseable, OpenLoop.Outlet
{
    private static final int SYMBOLS = 500;
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
    private final OutputStream input;
    final Path device;
    private final byte[] line = new byte[SerialLineCodec.LINE_LENGTH + 1];
    private final ByteView view = new ByteView(line);
    private final SerialLineCodec codec = new SerialLineCodec();
    private final GeneratedFeed feed = new GeneratedFeed(SYMBOLS, Long.MAX_VALUE, 1);
    private final BboEvent event = new BboEvent();
    final OpenLoop loop = new OpenLoop(this, false);

    PtySender() throws IOException
    {
        process = new ProcessBuilder("python3", "-c", MASTER).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        input = process.getOutputStream();
        final String name = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII)).readLine();
        if (name == null)
        {
            throw new IOException("python3 made no pseudo-terminal");
        }
        device = Path.of(name);
    }

    /** Whether a python3 is here that makes pseudo-terminals. */
    static boolean isPossible()
    {
        try
        {
            return new ProcessBuilder("python3", "-c", "import pty").start().waitFor() == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean offer(final long number, final long intendedNs, final long nowNs)
    {
        feed.next(event);
        codec.encode(event, view, 0);
        try
        {
            input.write(line);
            input.flush();
            return true;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
    }
}
