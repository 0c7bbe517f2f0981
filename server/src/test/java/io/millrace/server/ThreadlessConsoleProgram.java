package io.millrace.server;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.monitor.AdminConsole;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.locks.LockSupport;

/** A server with a console, in a process that can start no further thread. The exit code is 0 if its port is free. */
final class ThreadlessConsoleProgram
{
    private static final int THREADS = 100;

    private ThreadlessConsoleProgram()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        int code = ChildJvm.NOTHING_REFUSED;
        for (int i = 0; i < THREADS && code != 0; i++)
        {
            try
            {
                final Thread thread = new Thread(LockSupport::park);
                thread.setDaemon(true);
                thread.start();
            }
            catch (final OutOfMemoryError refused)
            {
                code = 0;
            }
        }
        final AdminConsole console = new AdminConsole(0);
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 2);
        try
        {
            Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).service(console)
                .flow("f", f -> f.from(source).to("a", Tick.IGNORED)));
            code = Math.max(1, code);
        }
        catch (final IllegalStateException refused)
        {
            new ServerSocket(console.port(), 1, InetAddress.getLoopbackAddress()).close();
        }
        Runtime.getRuntime().halt(code);
    }
}
