package io.millrace.server;

import java.util.ArrayList;
import java.util.List;

/** A server whose handler fills the heap completely and fails; it frees the heap when it closes. */
public final class FullHeapProgram
{
    private static final int CHUNK = 1 << 20;
    private static final int SMALLEST_CHUNK = 16;

    private final List<byte[]> hoard = new ArrayList<>(CHUNK);

    private volatile boolean given;

    private FullHeapProgram()
    {
    }

    public static void main(final String[] arguments) throws InterruptedException
    {
        new FullHeapProgram().run();
    }

    private void run() throws InterruptedException
    {
        final List<String> log = new ArrayList<>(10);
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().service(new LoggedService("s", log))
            .stallTimeoutNs(0).errorHandler(error ->
            {
            }).flow("f", f -> f.from(source).to("a", new BatchHandler()
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    fill();
                }

                @Override
                public void onClose()
                {
                    hoard.clear();
                    given = true;
                }
            })));
        source.publish(source.claim());
        // Spins, because this thread has no memory for a wait either.
        while (!given)
        {
            Thread.onSpinWait();
        }
        System.out.println("closed " + server.awaitClose(Await.LONG_NS));
        System.out.println(server.failure().getMessage());
        System.out.println(log.get(log.size() - 1));
    }

    private void fill()
    {
        int size = CHUNK;
        while (true)
        {
            try
            {
                hoard.add(new byte[size]);
            }
            catch (final OutOfMemoryError full)
            {
                if (size == SMALLEST_CHUNK)
                {
                    throw full;
                }
                size /= 2;
            }
        }
    }
}
