package io.millrace.engine.risk;

import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Prints state hashes of engines with users, for {@link RiskHashTest} to compare between JVMs: after each 1,000
 * commands of the recorded stream, and of random ones.
 */
public final class HashedRiskRun
{
    /** All of the recorded stream. */
    static final int ALL = 20_000;
    private static final int EVERY = 1_000;

    private HashedRiskRun()
    {
    }

    /**
     * Runs and prints.
     *
     * @param arguments how many commands.
     * @throws IOException when a file cannot be read.
     */
    public static void main(final String[] arguments) throws IOException
    {
        hashes(Integer.parseInt(arguments[0])).forEach(System.out::println);
    }

    static List<String> hashes(final int commands) throws IOException
    {
        final List<String> hashes = new ArrayList<>();
        // The reference takes most of the time.
        hashes.add("random " + Long.toHexString(RiskTrial.run(1, commands / 4, 1, new TreeMap<>()).stateHash()));
        if (CoreRiskStream.isThere())
        {
            final List<Execution> executions = new ArrayList<>();
            final MatchingEngine engine = CoreRiskStream.engine((Execution.Listener)executions::add);
            for (final CoreRiskStream.Command command : new CoreRiskStream().commands().subList(0, commands))
            {
                command.giveTo(engine);
                if (command.seq() % EVERY == EVERY - 1)
                {
                    hashes.add("command " + command.seq() + " " + Long.toHexString(engine.stateHash()) +
                        " executions " + executions.size());
                }
            }
        }
        return hashes;
    }
}
