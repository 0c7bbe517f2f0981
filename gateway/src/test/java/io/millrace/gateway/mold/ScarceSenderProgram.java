package io.millrace.gateway.mold;

import io.millrace.pool.testkit.Descriptors;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A sender in a process with one free file descriptor: it has its first socket and gets no second one. */
final class ScarceSenderProgram
{
    private ScarceSenderProgram()
    {
    }

    /** @param args none. The exit code is 0 when the sender failed and the descriptor is free again. */
    public static void main(final String[] args) throws IOException
    {
        // Loads all classes: that needs descriptors, too.
        open();
        final List<Closeable> files = Descriptors.takeAll();
        files.remove(0).close();
        String message = "";
        try
        {
            open();
        }
        catch (final IOException ex)
        {
            message = ex.getMessage();
        }
        final List<Closeable> free = Descriptors.takeAll();
        System.exit(message.startsWith("cannot send to ") && free.size() == 1 ? 0 : 1);
    }

    private static void open() throws IOException
    {
        final InetAddress host = InetAddress.getLoopbackAddress();
        new MoldSender("S", new InetSocketAddress(host, 9), null, new InetSocketAddress(host, 0), new MoldStore(8, 80),
            () -> 0).close();
    }
}
