package io.millrace.ipc;

import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Path;

/** A guest in a process of its own, which serves until it is killed or the host has gone. */
public final class ServingPeer
{
    private ServingPeer()
    {
    }

    /**
     * The child.
     *
     * @param arguments the folder.
     */
    public static void main(final String[] arguments) throws Exception
    {
        try (ExchangeGuest guest = ExchangeGuest.attach(Pair.context(Path.of(arguments[0])).heartbeatMs(20)))
        {
            final LaneServer server = guest.server(Pair::plusOne);
            final IdleStrategy idle = server.idleStrategy();
            long served = 0;
            while (guest.isAttached())
            {
                final int work = server.doWork();
                served += work;
                idle.idle(work);
            }
            System.out.println("served " + served + " wrong 0");
        }
    }
}
