package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import io.millrace.engine.Execution;
import io.millrace.engine.replay.CommandRows;
import io.millrace.engine.replay.RecordedCommands;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.testkit.SharedFile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A recorded stream of commands with its expected results, read from the oracle's files. A test that reads one is
 * skipped with the name of the file when the file is missing. Immutable after reading.
 *
 * @see OracleJudge
 */
public final class OracleStream
{
    /** Code of {@link Command#side()} where the file says none. */
    public static final byte NO_SIDE = -1;

    /** Greater than every id of the files; the number of the command is added. */
    public static final long FIRST_FRESH_ID = 1L << 40;
    /** Refused before the book saw them. */
    private static final Set<String> STOPPED_BY_RISK =
        Set.of("AUTH_INVALID_USER", "RISK_NSF", "MATCHING_INVALID_ORDER_BOOK_ID");
    /** Placed under an id that rested: the oracle's book trades them like an IOC and does not place the rest. */
    private static final Set<Long> DUPLICATES = Set.of(333L, 1490L, 5797L, 6160L, 7424L, 9012L, 9289L, 10009L, 12618L);

    /**
     * A command as it goes to the engine, and its result. Fields that a command does not have are 0. The order has a
     * fresh id where the file's rested already, see {@link #fileId}. The side is that of a new order as the file says,
     * of another command's order as the results say, or {@link #NO_SIDE}.
     */
    public record Command(
        long seq,
        byte type,
        int symbol,
        long orderId,
        long uid,
        long price,
        long size,
        byte side,
        byte orderType,
        long reservePrice,
        CommandResult result,
        int events)
    {
    }

    /**
     * An execution as the file has it, under the file's id: its index counts the executions of the command, its kind is
     * "TRADE", "REJECT" or "REDUCE". Only a trade has a maker.
     */
    public record Event(
        long seq,
        int index,
        String kind,
        int symbol,
        long orderId,
        long uid,
        byte side,
        long makerOrderId,
        long makerUid,
        long price,
        long size,
        long bidReservePrice,
        boolean completed,
        boolean makerCompleted)
    {
        /** An execution of a book, whose order may have another id in the file. */
        public static Event of(final long seq, final int index, final long fileId, final Execution e)
        {
            return new Event(seq, index, e.kind().name(), e.symbol(), fileId, e.uid(), e.side(), e.makerOrderId(),
                e.makerUid(), e.price(), e.size(), e.reservePrice(), e.completed(), e.makerCompleted());
        }
    }

    private final String name;
    private final long fnv;
    private final List<SymbolSpec> symbols;
    private final List<Command> commands = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<Long, Long> fileIdByFreshId = new HashMap<>();

    private OracleStream(final String name, final long fnv, final List<SymbolSpec> symbols)
    {
        this.name = name;
        this.fnv = fnv;
        this.symbols = symbols;
        readCommands();
        readEvents();
    }

    /** 101,000 commands of the benchmark flow on a future. */
    public static OracleStream margin100k()
    {
        return new OracleStream("margin_100k", 0x4f3ac1443e85dccfL, List.of(SymbolSpec.future(40000)));
    }

    /** 101,000 commands of the benchmark flow on a spot symbol. */
    public static OracleStream exchange100k()
    {
        return new OracleStream("exchange_100k", 0xab958e3022081be2L, List.of(SymbolSpec.spot(40000)));
    }

    /**
     * The 18,843 order commands on four symbols that passed risk. The nine that hit a resting id come under a fresh id,
     * a GTC as an IOC.
     */
    public static OracleStream coreRisk20k()
    {
        return new OracleStream("core_risk_20k", 0x86ec4f010473d9e0L, List.of(
            SymbolSpec.spot(9269), SymbolSpec.spot(9340), SymbolSpec.future(5991), SymbolSpec.future(40000)));
    }

    /** Its name, as the files are named. */
    public String name()
    {
        return name;
    }

    /** FNV-1a-64 over all executions, as the rules page defines it. */
    public long fnv()
    {
        return fnv;
    }

    /** What the engine must be made with. */
    public List<SymbolSpec> symbols()
    {
        return symbols;
    }

    /** What goes in. */
    public List<Command> commands()
    {
        return commands;
    }

    /** What must come out. */
    public List<Event> events()
    {
        return events;
    }

    /** The id in the files; another number only for the nine that came under a fresh id. */
    public long fileId(final long orderId)
    {
        return fileIdByFreshId.getOrDefault(orderId, orderId);
    }

    /**
     * Final levels of a book.
     *
     * @param symbol the symbol.
     * @return rows "side,level,price,volume,orders", asks first.
     */
    public List<String> finalLevels(final int symbol)
    {
        final List<String> levels = new ArrayList<>();
        for (final String row : rows(".final_l2.csv"))
        {
            if (symbols.size() == 1)
            {
                levels.add(row);
            }
            else if (row.startsWith(symbol + ","))
            {
                levels.add(row.substring(row.indexOf(',') + 1));
            }
        }
        return levels;
    }

    /**
     * Final orders of a book.
     *
     * @return rows "side,rank,orderId,uid,price,size,filled,reserve", asks first; none for core_risk_20k.
     */
    public List<String> finalOrders()
    {
        return symbols.size() == 1 ? rows(".final_orders.csv") : List.of();
    }

    /**
     * Final orders of the users of core_risk_20k.
     *
     * @return rows "uid,symbol,orderId,side,price,size,filled,reserve", sorted; none for the other streams.
     */
    public List<String> finalOrdersByUser()
    {
        final List<String> orders = new ArrayList<>();
        if (symbols.size() > 1)
        {
            for (final String row : rows(".final_users.csv"))
            {
                if (row.contains(",ORD,"))
                {
                    orders.add(row.replace(",,ORD,", ","));
                }
            }
        }
        orders.sort(null);
        return orders;
    }

    /**
     * A figure of the summary.
     *
     * @param key the text before the sign.
     * @return the number.
     */
    public long summary(final String key)
    {
        for (final String row : rows(".summary.txt"))
        {
            if (row.startsWith(key + "="))
            {
                return Long.parseLong(row.substring(key.length() + 1));
            }
        }
        throw new IllegalArgumentException("no " + key + " in the summary of " + name);
    }

    private void readCommands()
    {
        final boolean many = symbols.size() > 1;
        final List<OrderCommand> given = recorded(name,
            many ? CommandRows.ofAllSymbols() : CommandRows.ofOneSymbol(symbols.get(0).symbol()));
        final List<String> results = rows(".results.csv.gz");
        assertEquals(given.size(), results.size(), () -> "rows of commands and results of " + name);
        for (int seq = 0; seq < given.size(); seq++)
        {
            final String[] result = results.get(seq).split(",", -1);
            if (given.get(seq).commandType() <= CommandType.MOVE && !STOPPED_BY_RISK.contains(result[2]))
            {
                commands.add(command(seq, given.get(seq), result));
            }
        }
    }

    /**
     * Reads the commands of a stream. Skips the test when the file is missing.
     *
     * @param name of the stream.
     * @param rows decoder of its layout.
     * @return all commands of the file in order.
     */
    public static List<OrderCommand> recorded(final String name, final CommandRows rows)
    {
        try
        {
            return RecordedCommands.read(SharedFile.of("oracle/" + name + ".commands.csv.gz"), rows);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Whether a command places an order under the id of a resting one.
     *
     * @param seq its number in core_risk_20k.
     * @return true for nine commands.
     */
    public static boolean isDuplicate(final long seq)
    {
        return DUPLICATES.contains(seq);
    }

    private Command command(final long seq, final OrderCommand given, final String[] result)
    {
        final boolean many = symbols.size() > 1;
        final boolean place = given.commandType() == CommandType.PLACE;
        final boolean duplicate = many && isDuplicate(seq);
        final long orderId = duplicate ? FIRST_FRESH_ID + seq : given.orderId();
        if (duplicate)
        {
            fileIdByFreshId.put(orderId, given.orderId());
        }
        final byte type = duplicate && given.orderType() == OrderType.GTC ? OrderType.IOC : given.orderType();
        return new Command(seq, given.commandType(), given.symbol(), orderId, given.uid(), given.price(), given.size(),
            place ? given.side() : many ? NO_SIDE : side(result[4]), type, given.reservePrice(), result(result[2]),
            Integer.parseInt(result[3]));
    }

    private void readEvents()
    {
        final int shift = symbols.size() > 1 ? 1 : 0;
        for (final String line : rows(".events.csv.gz"))
        {
            final String[] row = line.split(",", -1);
            events.add(new Event(
                number(row[0]), Integer.parseInt(row[1]), row[2],
                shift == 1 ? Integer.parseInt(row[3]) : symbols.get(0).symbol(),
                number(row[3 + shift]), number(row[4 + shift]), side(row[5 + shift]), number(row[6 + shift]),
                number(row[7 + shift]), number(row[8 + shift]), number(row[9 + shift]), number(row[10 + shift]),
                row[11 + shift].equals("1"), row[12 + shift].equals("1")));
        }
    }

    private static byte side(final String text)
    {
        return (byte)List.of("BID", "ASK").indexOf(text);
    }

    private static CommandResult result(final String text)
    {
        return switch (text)
        {
            case "SUCCESS" -> CommandResult.SUCCESS;
            case "MATCHING_UNKNOWN_ORDER_ID" -> CommandResult.UNKNOWN_ORDER;
            case "MATCHING_MOVE_FAILED_PRICE_OVER_RISK_LIMIT" -> CommandResult.PRICE_OVER_RISK_LIMIT;
            case "MATCHING_REDUCE_FAILED_WRONG_SIZE" -> CommandResult.WRONG_SIZE;
            default -> throw new IllegalArgumentException("a result that is none of ours: " + text);
        };
    }

    private static long number(final String text)
    {
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    private List<String> rows(final String ending)
    {
        return rows(name, ending);
    }

    /**
     * Reads the rows of a file of a stream. Skips the test when it is missing.
     *
     * @param name   of the stream.
     * @param ending of the file.
     * @return all rows but the header of a table.
     */
    public static List<String> rows(final String name, final String ending)
    {
        final Path file = SharedFile.of("oracle/" + name + ending);
        final List<String> rows = new ArrayList<>();
        try (InputStream raw = Files.newInputStream(file);
            InputStream bytes = ending.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
            BufferedReader lines = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.US_ASCII)))
        {
            for (String line = lines.readLine(); line != null; line = lines.readLine())
            {
                rows.add(line);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file.toString(), ex);
        }
        return ending.endsWith(".txt") ? rows : rows.subList(1, rows.size());
    }
}
