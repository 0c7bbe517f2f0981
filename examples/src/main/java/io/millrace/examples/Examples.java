package io.millrace.examples;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs an example by its name, and lists the examples when there is none of that name.
 */
public final class Examples
{
    /** The examples, in the order of README.md. */
    private static final List<Example> ALL = List.of(
        new Example("HelloEvents", "", HelloEvents::main),
        new Example("PooledEvents", "", PooledEvents::main),
        new Example("PluginService", "", PluginService::main),
        new Example("EmbedInYourApp", "", EmbedInYourApp::main),
        new Example("ReplayFile", "FILE [SPEED]", ReplayFile::main),
        new Example("MatchOrders", "", MatchOrders::main),
        new Example("AskTheEngine", "", AskTheEngine::main),
        new Example("TradeWithUsers", "", TradeWithUsers::main),
        new Example("TradeInShards", "", TradeInShards::main),
        new Example("ReplayOrders", "FILE [--trades] [--spot]", ReplayOrders::main),
        new Example("BookAlone", "", BookAlone::main),
        new Example("JournalAndRecover", "[DIRECTORY]", JournalAndRecover::main),
        new Example("DurableMeters", "[DIRECTORY]", DurableMeters::main),
        new Example("SharedMemoryPingPong", "", SharedMemoryPingPong::main),
        new Example("MatchBetweenProcesses", "", MatchBetweenProcesses::main),
        new Example("RunGateway", "[OPTIONS]", RunGateway::main),
        new Example("Backtest", "FILE [MESSAGES]", Backtest::main),
        new Example("RunExchange", "[OPTIONS]", RunExchange::main),
        new Example("TradeOverTcp", "[PORT]", TradeOverTcp::main),
        new Example("FollowAFile", "[DIRECTORY]", FollowAFile::main),
        new Example("WriteASource", "", WriteASource::main),
        new Example("WriteASink", "[FILE]", WriteASink::main));

    private interface Main
    {
        void run(String... args) throws Exception;
    }

    /** An example; {@code arguments} is empty when it takes none. */
    private record Example(String name, String arguments, Main main)
    {
        String usage()
        {
            return (name + " " + arguments).strip();
        }

        int mostArguments()
        {
            return arguments.isEmpty() ? 0 :
                arguments.equals("[OPTIONS]") ? Integer.MAX_VALUE : arguments.split(" ").length;
        }
    }

    private Examples()
    {
    }

    /**
     * Run an example. Ends with exit code 2 and the list of the examples when there is none of that name.
     *
     * @param args name of the example, then its arguments.
     * @throws Exception of the example.
     */
    public static void main(final String[] args) throws Exception
    {
        final int exitCode = run(System.err, args);
        if (exitCode != 0)
        {
            System.exit(exitCode);
        }
    }

    static int run(final PrintStream err, final String... args) throws Exception
    {
        final Example example = args.length == 0 ? null :
            ALL.stream().filter(each -> each.name.equals(args[0])).findFirst().orElse(null);
        if (example == null)
        {
            return refuse(err, "Examples", args.length == 0 ? "which example?" : "no example '" + args[0] + "'",
                "mvn -q compile exec:exec -Dexample=NAME [-Dargs=\"...\"], where NAME is one of\n" +
                ALL.stream().map(each -> "  " + each.usage()).collect(Collectors.joining("\n")));
        }
        final int most = example.mostArguments();
        if (args.length - 1 > most)
        {
            return refuse(err, example.name, "one argument too many: " + args[1 + most], example.usage());
        }
        example.main.run(Arrays.copyOfRange(args, 1, args.length));
        return 0;
    }

    /** As every example refuses arguments. */
    private static int refuse(final PrintStream err, final String name, final String why, final String usage)
    {
        err.println(name + ": " + why + "\nusage: " + usage);
        return 2;
    }
}
