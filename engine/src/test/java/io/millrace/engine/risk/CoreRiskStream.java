package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * All commands of core_risk_20k, those of users and those that risk refused among them, and what must come out. The
 * nine placements that hit a live id come under a fresh one, a GTC as an IOC.
 */
public final class CoreRiskStream
{
    /** Above every id of the files; the command's number is added. */
    static final long FIRST_FRESH_ID = 1L << 40;

    private static final Path FOLDER = Path.of(System.getProperty("millrace.shared", "../../shared"), "oracle");
    private static final Set<Long> DUPLICATES = Set.of(333L, 1490L, 5797L, 6160L, 7424L, 9012L, 9289L, 10009L, 12618L);
    private static final Map<String, CommandResult> RESULTS = Map.ofEntries(
        Map.entry("SUCCESS", CommandResult.SUCCESS),
        Map.entry("AUTH_INVALID_USER", CommandResult.UNKNOWN_USER),
        Map.entry("MATCHING_INVALID_ORDER_BOOK_ID", CommandResult.UNKNOWN_SYMBOL),
        Map.entry("RISK_NSF", CommandResult.RISK_NSF),
        Map.entry("MATCHING_UNKNOWN_ORDER_ID", CommandResult.UNKNOWN_ORDER),
        Map.entry("MATCHING_MOVE_FAILED_PRICE_OVER_RISK_LIMIT", CommandResult.PRICE_OVER_RISK_LIMIT),
        Map.entry("MATCHING_REDUCE_FAILED_WRONG_SIZE", CommandResult.WRONG_SIZE),
        Map.entry("USER_MGMT_USER_ALREADY_EXISTS", CommandResult.USER_EXISTS),
        Map.entry("USER_MGMT_USER_NOT_FOUND", CommandResult.UNKNOWN_USER),
        Map.entry("USER_MGMT_USER_NOT_SUSPENDED", CommandResult.USER_NOT_SUSPENDED),
        Map.entry("USER_MGMT_USER_NOT_SUSPENDABLE_HAS_POSITIONS", CommandResult.USER_HAS_POSITIONS),
        Map.entry("USER_MGMT_USER_NOT_SUSPENDABLE_NON_EMPTY_ACCOUNTS", CommandResult.USER_HAS_BALANCE),
        Map.entry("USER_MGMT_ACCOUNT_BALANCE_ADJUSTMENT_NSF", CommandResult.BALANCE_NSF),
        Map.entry("USER_MGMT_ACCOUNT_BALANCE_ADJUSTMENT_ALREADY_APPLIED_SAME", CommandResult.ALREADY_APPLIED_SAME),
        Map.entry("USER_MGMT_ACCOUNT_BALANCE_ADJUSTMENT_ALREADY_APPLIED_MANY", CommandResult.ALREADY_APPLIED_MANY));

    /** A row of the commands, of the results. */
    public record Command(String[] row, CommandResult result, int events)
    {
        public long seq()
        {
            return Long.parseLong(row[0]);
        }

        public String kind()
        {
            return row[1];
        }

        public int symbol()
        {
            return (int)number(2);
        }

        public long orderId()
        {
            return DUPLICATES.contains(seq()) ? FIRST_FRESH_ID + seq() : number(3);
        }

        public long number(final int column)
        {
            return row[column].isEmpty() ? 0 : Long.parseLong(row[column]);
        }

        public byte orderType()
        {
            return row[8].equals("FOK_BUDGET") ? OrderType.FOK_BUDGET :
                row[8].equals("IOC") || DUPLICATES.contains(seq()) ? OrderType.IOC : OrderType.GTC;
        }

        CommandResult giveTo(final MatchingEngine engine)
        {
            final long uid = number(4);
            switch (kind())
            {
                case "ADD_USER":
                    return engine.addUser(uid);
                case "BALANCE_ADJUSTMENT":
                    return engine.adjustBalance(uid, (int)number(10), number(5), number(3));
                case "SUSPEND_USER":
                    return engine.suspendUser(uid);
                case "RESUME_USER":
                    return engine.resumeUser(uid);
                case "PLACE_ORDER":
                    return engine.place(symbol(), orderType(), row[7].equals("BID") ? Side.BID : Side.ASK, orderId(),
                        uid, number(5), number(6), number(9));
                case "CANCEL_ORDER":
                    return engine.cancel(symbol(), number(3), uid);
                case "REDUCE_ORDER":
                    return engine.reduce(symbol(), number(3), uid, number(6));
                case "MOVE_ORDER":
                    return engine.move(symbol(), number(3), uid, number(5));
                default:
                    throw new IllegalArgumentException(kind());
            }
        }
    }

    private final List<Command> commands = new ArrayList<>();

    /**
     * Read the files.
     *
     * @throws IOException when that fails.
     */
    public CoreRiskStream() throws IOException
    {
        final List<String> rows = rows("commands.csv.gz");
        final List<String> results = rows("results.csv.gz");
        for (int i = 0; i < rows.size(); i++)
        {
            final String[] result = results.get(i).split(",", -1);
            commands.add(new Command(rows.get(i).split(",", -1), RESULTS.get(result[2]), Integer.parseInt(result[3])));
        }
    }

    static boolean isThere()
    {
        return Files.exists(FOLDER.resolve("core_risk_20k.commands.csv.gz"));
    }

    static MatchingEngine engine(final ExecutionListener listener)
    {
        return new MatchingEngine(context(), listener);
    }

    /**
     * The engine that the commands are for.
     *
     * @return what it is made of.
     */
    public static EngineContext context()
    {
        final long maxPrice = 1_000_000;
        return new EngineContext()
            .risk(new RiskLimits().withUsers(64))
            .symbol(SymbolSpec.spot(9269), SymbolTerms.spot(3928, 3762, 100_000, 10))
            .symbol(SymbolSpec.spot(9340), SymbolTerms.spot(3762, 4141, 1_000_000, 10_000).withFees(1_900, 700))
            .symbol(SymbolSpec.future(5991).withPrices(0, maxPrice),
                SymbolTerms.future(840, 392, 5_000, 6_000, 1_000_000).withFees(3, 2))
            .symbol(SymbolSpec.future(40000).withPrices(0, maxPrice),
                SymbolTerms.future(978, 840, 2_200, 3_210, 1_000_000));
    }

    /**
     * All of them, in order.
     *
     * @return the commands.
     */
    public List<Command> commands()
    {
        return commands;
    }

    /** What users have at the end: rows "uid,status,kind,key,v1,v2,v3,v4,v5,v6". */
    List<String> users() throws IOException
    {
        return rows("final_users.csv");
    }

    /** A map of the summary: "392=19596 840=0". */
    Map<Integer, Long> summary(final String key) throws IOException
    {
        final Map<Integer, Long> numbers = new TreeMap<>();
        for (final String row : rows("summary.txt"))
        {
            if (row.startsWith(key + "={"))
            {
                for (final String entry : row.substring(key.length() + 2).replaceAll("\\s*}", "").split(" "))
                {
                    numbers.put(Integer.parseInt(entry.split("=")[0]), Long.parseLong(entry.split("=")[1]));
                }
            }
        }
        return numbers;
    }

    private static List<String> rows(final String ending) throws IOException
    {
        final Path file = FOLDER.resolve("core_risk_20k." + ending);
        assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
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
        return ending.endsWith(".txt") ? rows : rows.subList(1, rows.size());
    }
}
