package io.millrace.server;

import java.util.ArrayDeque;
import java.util.Deque;

/** Adds a timer for which the tables of timers must grow, with a little more free memory at each attempt. */
final class TimersWithoutMemoryProgram implements StageHandler<Tick>
{
    private static final int TIMERS = 1 << 16;
    private static final int CHUNK = 1 << 15;

    private final Deque<byte[]> hoard = new ArrayDeque<>(1 << 12);
    private long fired;

    private TimersWithoutMemoryProgram()
    {
    }

    /** @param args none. */
    public static void main(final String[] args)
    {
        final TimersWithoutMemoryProgram program = new TimersWithoutMemoryProgram();
        final long[] nowNs = new long[1];
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .clock(() -> nowNs[0]).flow("f", f -> f.from(source).to("a", program))))
        {
            nowNs[0] = 10 * Scheduler.TICK_NS;
            server.invoke();
            System.out.println("fired " + program.fired);
        }
    }

    @Override
    public void onStart(final HandlerContext context)
    {
        final Scheduler timers = context.scheduler();
        final Scheduler.Task task = nowNs -> fired++;
        for (int i = 0; i < TIMERS; i++)
        {
            timers.after(1, task);
        }
        try
        {
            while (hoard.size() < 1 << 12)
            {
                hoard.add(new byte[CHUNK]);
            }
        }
        catch (final OutOfMemoryError full)
        {
            addWithMoreMemory(timers, task);
        }
    }

    private void addWithMoreMemory(final Scheduler timers, final Scheduler.Task task)
    {
        boolean added = false;
        while (!added)
        {
            hoard.remove();
            try
            {
                timers.after(1, task);
                added = true;
            }
            catch (final OutOfMemoryError again)
            {
                // There is more at the next attempt.
            }
        }
        hoard.clear();
    }

    @Override
    public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
    {
    }
}
