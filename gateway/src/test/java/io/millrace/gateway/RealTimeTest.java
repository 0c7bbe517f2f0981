package io.millrace.gateway;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class RealTimeTest
{
    private static String[] stat() throws IOException
    {
        final String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    @Test
    void shouldRaiseThisThreadOrSayWhyNot() throws Exception
    {
        assumeTrue(Files.exists(Path.of("/proc/thread-self")), "not a Linux");
        final String[] result = new String[2];
        final String[] policy = new String[2];
        // Each in a thread of its own, which ends and takes the policy with it.
        final Thread thread = new Thread(() ->
        {
            try
            {
                policy[0] = stat()[41 - 3];
                result[0] = RealTime.raiseCurrentThread(7);
                policy[1] = stat()[41 - 3] + " " + stat()[40 - 3];
            }
            catch (final IOException ex)
            {
                result[0] = ex.toString();
            }
        });
        thread.start();
        thread.join();
        System.out.println(result[0]);
        assertEquals("0", policy[0]);
        if (result[0].startsWith("NOT real-time: "))
        {
            assertEquals("0 0", policy[1]);
        }
        else
        {
            assertEquals("real-time: SCHED_FIFO 7", result[0]);
            assertEquals("1 7", policy[1]);
        }
        assertEquals("0", stat()[41 - 3], "this one stays as it was");
    }

    @Test
    void shouldRefuseAPriorityOutOfRange()
    {
        for (final int wrong : new int[]{0, -1, 100})
        {
            final var e = assertThrows(IllegalArgumentException.class, () -> RealTime.raiseCurrentThread(wrong));
            assertTrue(e.getMessage().contains(wrong + " is not in 1..99"), e.getMessage());
        }
    }

    @Test
    void shouldKeepOneCoreFree() throws Exception
    {
        assumeTrue(Files.exists(Path.of("/proc/thread-self")), "not a Linux");
        final int cores = Runtime.getRuntime().availableProcessors();
        final String[] results = new String[cores];
        final Object gate = new Object();
        final Thread[] threads = new Thread[cores];
        for (int i = 0; i < cores; i++)
        {
            final int index = i;
            threads[i] = new Thread(() ->
            {
                results[index] = RealTime.raiseCurrentThread(1);
                synchronized (gate)
                {
                    gate.notifyAll();
                    while (results[cores - 1] == null)
                    {
                        try
                        {
                            gate.wait();
                        }
                        catch (final InterruptedException ex)
                        {
                            return;
                        }
                    }
                }
            });
            threads[i].start();
            synchronized (gate)
            {
                while (results[i] == null)
                {
                    gate.wait(1_000);
                }
            }
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertTrue(results[cores - 1].startsWith("NOT real-time: "), results[cores - 1]);
    }
}
