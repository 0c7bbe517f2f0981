package io.millrace.benchmarks.flow;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The four named columns of a recorded command, packed into one int, so that an event carries them in four bytes.
 * <pre>
 *  31 ........ 8  7      6  5      4       3  2        0
 *  +------------+---------+-------+---------+----------+
 *  |    zero    | action  | phase | command | order    |
 *  |            |         |       |         | type     |
 *  +------------+---------+-------+---------+----------+
 * </pre>
 * The low six bits say what is counted, see {@link #counter(int)}. Stateless; any thread.
 */
public final class CommandWord
{
    /**
     * Phases, by their letter in a file: F places orders ahead of the benchmark, B is the benchmark.
     */
    public static final List<Character> PHASES = List.of('F', 'B');

    /**
     * Commands, by their name in a file.
     */
    public static final List<String> COMMANDS = List.of("PLACE_ORDER", "CANCEL_ORDER", "MOVE_ORDER", "REDUCE_ORDER");

    /**
     * Sides, by their name in a file; empty where a command has none.
     */
    public static final List<String> ACTIONS = List.of("", "BID", "ASK");

    /**
     * Order types, by their name in a file; empty where a command has none.
     */
    public static final List<String> ORDER_TYPES = List.of("", "GTC", "IOC", "IOC_BUDGET", "FOK", "FOK_BUDGET");

    /**
     * Number of counters that {@link #counter(int)} distinguishes: 2 phases, 4 commands, 8 order types.
     */
    public static final int COUNTERS = 64;

    private static final List<String> PHASE_NAMES = List.of("fill", "bench");
    private static final int COMMAND_SHIFT = 3;
    private static final int PHASE_SHIFT = 5;
    private static final int ACTION_SHIFT = 6;

    private CommandWord()
    {
    }

    /**
     * Pack four columns, each an index into its list.
     *
     * @param phase     index in {@link #PHASES}.
     * @param command   index in {@link #COMMANDS}.
     * @param action    index in {@link #ACTIONS}.
     * @param orderType index in {@link #ORDER_TYPES}.
     * @return the word.
     */
    public static int of(final int phase, final int command, final int action, final int orderType)
    {
        return action << ACTION_SHIFT | phase << PHASE_SHIFT | command << COMMAND_SHIFT | orderType;
    }

    /**
     * Index of the phase.
     *
     * @param word a packed word.
     * @return index in {@link #PHASES}.
     */
    public static int phase(final int word)
    {
        return word >>> PHASE_SHIFT & 1;
    }

    /**
     * Index of the command.
     *
     * @param word a packed word.
     * @return index in {@link #COMMANDS}.
     */
    public static int command(final int word)
    {
        return word >>> COMMAND_SHIFT & 3;
    }

    /**
     * Index of the side.
     *
     * @param word a packed word.
     * @return index in {@link #ACTIONS}.
     */
    public static int action(final int word)
    {
        return word >>> ACTION_SHIFT & 3;
    }

    /**
     * Index of the order type.
     *
     * @param word a packed word.
     * @return index in {@link #ORDER_TYPES}.
     */
    public static int orderType(final int word)
    {
        return word & 7;
    }

    /**
     * The counter that a command belongs to: phase, command and order type, whatever the side.
     *
     * @param word a packed word.
     * @return 0 to {@value #COUNTERS} - 1.
     */
    public static int counter(final int word)
    {
        return word & COUNTERS - 1;
    }

    /**
     * Name of a counter as the recordings' summaries write it: {@code bench.MOVE_ORDER}, {@code fill.PLACE_GTC}.
     *
     * @param counter 0 to {@value #COUNTERS} - 1.
     * @return the name.
     */
    public static String counterName(final int counter)
    {
        final String command = COMMANDS.get(command(counter));
        final int type = orderType(counter);
        final String name = type == 0 || type >= ORDER_TYPES.size() ?
            command : command.replace("ORDER", ORDER_TYPES.get(type));
        return PHASE_NAMES.get(phase(counter)) + "." + name;
    }

    /**
     * Counters with their names, in alphabetical order, without those that are zero.
     *
     * @param counts one number for each counter.
     * @return a new map.
     */
    public static Map<String, Long> byName(final long[] counts)
    {
        final Map<String, Long> named = new TreeMap<>();
        for (int i = 0; i < counts.length; i++)
        {
            if (counts[i] != 0)
            {
                named.put(counterName(i), counts[i]);
            }
        }
        return named;
    }
}
