package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints state hashes, for {@link StateHashTest} to compare between JVMs: of books after commands of every type, the
 * same number of commands per line, and of the recorded streams if they exist.
 */
public final class HashedRun
{
    /** Number of commands between two hashes. */
    static final int EVERY = 50_000;

    private static final Path ORACLE = Path.of(System.getProperty("millrace.shared", "../../shared"), "oracle");
    /** An interpreter would take longer for the recorded streams than for the rest of the build's tests. */
    private static final int LEAST_FOR_STREAMS = 200_000;

    private HashedRun()
    {
    }

    /**
     * Runs and prints.
     *
     * @param arguments how many commands.
     */
    public static void main(final String[] arguments)
    {
        hashes(Integer.parseInt(arguments[0])).forEach(System.out::println);
    }

    static List<String> hashes(final int commands)
    {
        final List<String> hashes = new ArrayList<>();
        final EventCounter events = new EventCounter();
        for (final boolean spot : new boolean[]{true, false})
        {
            final OrderBook book = new OrderBook(MixedCommands.spec(spot), events);
            final MixedCommands mix = new MixedCommands(spot ? 1 : 2, book);
            for (int i = 0; i < commands / 2; i += EVERY)
            {
                mix.run(EVERY);
                hashes.add((spot ? "spot " : "future ") + Long.toHexString(book.stateHash()) + " executions " +
                    Long.toHexString(events.hash));
            }
            hashes.add(events.trades + " trades " + events.rejects + " rejects " + events.reduces + " reduces " +
                events.triggers + " triggers");
        }
        if (commands >= LEAST_FOR_STREAMS && Files.exists(ORACLE))
        {
            for (final OracleStream stream : List.of(
                OracleStream.margin100k(), OracleStream.exchange100k(), OracleStream.coreRisk20k()))
            {
                hashes.add(stream.name() + " " + Long.toHexString(replay(stream, events)) + " executions " +
                    Long.toHexString(events.hash));
            }
        }
        return hashes;
    }

    private static long replay(final OracleStream stream, final EventCounter events)
    {
        final MatchingEngine engine = new MatchingEngine(stream.symbols(), events);
        for (final OracleStream.Command c : stream.commands())
        {
            switch (c.type())
            {
                case CommandType.PLACE ->
                    engine.execute(c.symbol(), new BookCommand().place(c.orderType(), c.side()).orderId(c.orderId())
                        .uid(c.uid()).price(c.price()).size(c.size()).reservePrice(c.reservePrice()));
                case CommandType.CANCEL -> engine.cancel(c.symbol(), c.orderId(), c.uid());
                case CommandType.REDUCE -> engine.reduce(c.symbol(), c.orderId(), c.uid(), c.size());
                default -> engine.move(c.symbol(), c.orderId(), c.uid(), c.price());
            }
        }
        return engine.stateHash();
    }
}
