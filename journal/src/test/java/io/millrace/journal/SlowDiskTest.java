package io.millrace.journal;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J17: a disk on which each hundredth force takes 500 ms of simulated time. Commands arrive all the same, one each 25
 * us. The queue is full then and refuses, which is counted; the publisher offers again. Nothing is lost.
 */
class SlowDiskTest
{
    private static final int COMMANDS = 200_000;
    private static final int CAPACITY = 1_024;
    private static final int EACH_FORCE = 100;
    private static final long INTERVAL_NS = 25_000;
    private static final long FORCE_NS = 100_000;
    private static final long SLOW_NS = 500_000_000;

    private final SimTrace trace = new SimTrace(1);
    private final SimDisk disk = new SimDisk(trace);
    private final Requests requests = new Requests();
    private final long beginNs = trace.nanoTime();
    private final long[] delaysNs = new long[COMMANDS];
    private int answered;
    private int offered;
    private long number;
    private int refused;
    private int mostInFlight;

    private void offer(final InVmSource<Command> source)
    {
        // All that have arrived by now, in their order; a refused one and those behind it are offered again.
        while (offered < COMMANDS && beginNs + offered * INTERVAL_NS <= trace.nanoTime())
        {
            final Command command = source.claim();
            if (command == null)
            {
                refused++;
                return;
            }
            while (Requests.isPoisonous(number))
            {
                number++;
            }
            requests.fill(command, 0, number++);
            assertTrue(source.publish(command));
            offered++;
            mostInFlight = Math.max(mostInFlight, offered - answered);
        }
    }

    @Test
    void shouldRefuseAndLoseNothingOnASlowDisk()
    {
        disk.slowForces = EACH_FORCE;
        final InVmSource<Command> source = new InVmSource<>(Command::new, CAPACITY);
        final Server.Context context = new Server.Context().threadingMode(ThreadingMode.INVOKER).stallTimeoutNs(0);
        final Journal<Command> journal = Journal.open(requests.context(Path.of("/simulated/journal")).fileOps(disk)
            .clock(trace).segmentBytes(1 << 20));
        requests.addFlows(context, journal, source, "serial", new SimApplication.Answers()
        {
            @Override
            public void onAnswer(
                final long record, final int client, final long number, final int result, final long stateHash)
            {
                assertEquals(answered + 1, record);
                assertTrue(record <= journal.committedSequence());
                delaysNs[answered] = trace.nanoTime() - (beginNs + answered * INTERVAL_NS);
                answered++;
            }

            @Override
            public void onState(final long record, final long stateHash)
            {
                assertTrue(record <= journal.committedSequence());
            }
        });
        try (Server server = Server.launch(context))
        {
            while (answered < COMMANDS)
            {
                trace.pass(FORCE_NS);
                offer(source);
                server.invoke();
                journal.segmentKeeper().doWork();
                assertNull(server.failure());
            }
        }
        journal.close();
        Arrays.sort(delaysNs);
        final long p99 = delaysNs[COMMANDS / 100 * 99];
        System.out.println("J17: " + COMMANDS + " commands, " + disk.forces + " forces, " + disk.forces / EACH_FORCE +
            " slow ones; at most " + mostInFlight + " of " + CAPACITY + " in flight, " + refused +
            " offers refused, none lost; answered after p50 " + delaysNs[COMMANDS / 2] / 1_000 + " us, p99 " +
            p99 / 1_000_000 + " ms, at most " + delaysNs[COMMANDS - 1] / 1_000_000 + " ms of simulated time");
        assertEquals(COMMANDS, journal.committedSequence());
        assertTrue(disk.forces > 5 * EACH_FORCE, "the disk was never slow");
        assertEquals(CAPACITY, mostInFlight, "the queue fills, and is bounded");
        assertTrue(refused > 0);
        assertTrue(p99 > SLOW_NS / 2 && delaysNs[COMMANDS - 1] < 2 * SLOW_NS, "p99 " + p99);
    }
}
