package io.millrace.engine.risk;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OracleStream;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.replay.CommandRows;
import io.millrace.engine.service.OrderCommand;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All commands of core_risk_20k, including those of users and those that risk refuses, and their expected results. The
 * nine placements under the id of a resting order get a fresh id; a GTC becomes an IOC.
 */
public final class CoreRiskStream
{
    private static final String NAME = "core_risk_20k";
    private static final Path FOLDER = Path.of(System.getProperty("millrace.shared", "../../shared"), "oracle");
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

    /** A command, and its expected result. */
    public record Command(long seq, OrderCommand given, CommandResult result, int events)
    {
        /**
         * Gives the command to an engine.
         *
         * @param engine the engine.
         * @return its result.
         */
        CommandResult giveTo(final MatchingEngine engine)
        {
            final long uid = given.uid();
            return switch (given.commandType())
            {
                case CommandType.ADD_USER -> engine.addUser(uid);
                case CommandType.BALANCE_ADJUSTMENT ->
                    engine.adjustBalance(uid, given.symbol(), given.size(), given.orderId());
                case CommandType.SUSPEND_USER -> engine.suspendUser(uid);
                case CommandType.RESUME_USER -> engine.resumeUser(uid);
                case CommandType.PLACE ->
                    engine.execute(given.symbol(), new BookCommand().place(orderType(), given.side())
                        .orderId(orderId()).uid(uid).price(given.price()).size(given.size())
                        .reservePrice(given.reservePrice()));
                case CommandType.CANCEL -> engine.cancel(given.symbol(), given.orderId(), uid);
                case CommandType.REDUCE -> engine.reduce(given.symbol(), given.orderId(), uid, given.size());
                default -> engine.move(given.symbol(), given.orderId(), uid, given.price());
            };
        }

        private long orderId()
        {
            return OracleStream.isDuplicate(seq) ? OracleStream.FIRST_FRESH_ID + seq : given.orderId();
        }

        private byte orderType()
        {
            return OracleStream.isDuplicate(seq) && given.orderType() == OrderType.GTC ? OrderType.IOC :
                given.orderType();
        }
    }

    private final List<Command> commands = new ArrayList<>();

    CoreRiskStream()
    {
        final List<OrderCommand> given = OracleStream.recorded(NAME, CommandRows.ofAllSymbols());
        final List<String> results = OracleStream.rows(NAME, ".results.csv.gz");
        for (int i = 0; i < given.size(); i++)
        {
            final String[] result = results.get(i).split(",", -1);
            commands.add(new Command(i, given.get(i), RESULTS.get(result[2]), Integer.parseInt(result[3])));
        }
    }

    static boolean isThere()
    {
        return Files.exists(FOLDER.resolve(NAME + ".commands.csv.gz"));
    }

    static MatchingEngine engine(final ExecutionListener listener)
    {
        return new MatchingEngine(context(), listener);
    }

    /**
     * The engine that the commands are for.
     *
     * @return its parts.
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
    List<String> users()
    {
        return OracleStream.rows(NAME, ".final_users.csv");
    }

    /** A map of the summary: "392=19596 840=0". */
    Map<Integer, Long> summary(final String key)
    {
        final Map<Integer, Long> numbers = new TreeMap<>();
        for (final String row : OracleStream.rows(NAME, ".summary.txt"))
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
}
