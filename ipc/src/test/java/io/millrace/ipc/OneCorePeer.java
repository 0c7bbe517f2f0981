package io.millrace.ipc;

import java.nio.file.Path;

/** A host and a guest on two threads of one core; prints the number of calls and the longest. */
public final class OneCorePeer
{
    private OneCorePeer()
    {
    }

    /**
     * The child.
     *
     * @param arguments folder, number of calls.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final int calls = Integer.parseInt(arguments[1]);
        try (Pair pair = Pair.of(Pair.context(Path.of(arguments[0])), Pair::plusOne))
        {
            long longestNs = 0;
            final long startNs = System.nanoTime();
            for (int i = 0; i < calls; i++)
            {
                final long callNs = System.nanoTime();
                Pair.call(pair.host.lane(0), i);
                longestNs = Math.max(longestNs, System.nanoTime() - callNs);
            }
            System.out.println(calls + " calls on one core, " +
                (System.nanoTime() - startNs) / calls / 1_000 + " us each, the longest " + longestNs / 1_000 + " us");
        }
    }
}
