package io.millrace.server;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.monitor.AdminConsole;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A server with a console, in a process that can start no further thread. The exit code is 0 if its port is free. */
final class ThreadlessConsoleProgram
{
    private ThreadlessConsoleProgram()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        int code = ChildJvm.takeThreads();
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
