package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * An engine with users on a page, in the words of docs/risk.md: lines in, the engine's answers and state out.
 * Currencies are named; the price steps of futures end at 10,000.
 */
final class RiskPage
{
    private static final long MAX_FUTURE_PRICE = 10_000;
    private static final Pattern SPOT = Pattern.compile(
        "spot (\\d+): (\\w+) for (\\w+), lot (\\d+), step (\\d+)(?:, fees (\\d+) and (\\d+))?");
    private static final Pattern FUTURE = Pattern.compile(
        "future (\\d+): in (\\w+), margins (\\d+) and (\\d+), position (\\d+)(?:, fees (\\d+) and (\\d+))?");
    private static final Pattern WITH = Pattern.compile("user (\\d+) with (.+)");
    private static final Pattern ADJUST = Pattern.compile("adjust user (\\d+) by (-?\\d+) (\\w+), id (\\d+)");
    private static final Pattern PLACE = Pattern.compile("user (\\d+), order (\\d+) on (\\d+): (bid|ask) (-?\\d+)" +
        "(?: (at|for) (-?\\d+))?(?: reserve (-?\\d+))?(?: ([A-Z_]+))?(?: stop (\\d+))?(?: until (\\d+))?");
    private static final Pattern CHANGE = Pattern.compile("user (\\d+) (cancels|reduces|moves|replaces) (\\d+) on " +
        "(\\d+)(?: (?:by|to) (\\d+))?(?: at (\\d+))?");

    private final List<String> currencies = new ArrayList<>();
    private final EngineContext context = new EngineContext();
    private RiskLimits limits = new RiskLimits().withUsers(16);
    private MatchingEngine engine;
    private long adjustments;

    MatchingEngine engine()
    {
        if (engine == null)
        {
            engine = new MatchingEngine(context.risk(limits), new EventCounter());
        }
        return engine;
    }

    /** What a line gives; nothing for a line that sets up. */
    List<String> give(final String line)
    {
        final String[] words = line.split(" ");
        if (line.matches("(spot|future) \\d.*"))
        {
            setUp(line);
            return List.of();
        }
        if (line.startsWith("at most"))
        {
            final int most = Integer.parseInt(words[2]);
            limits = words[3].equals("commands") ? limits.withRate(most, Long.parseLong(words[5])) :
                limits.withMaxOpenOrders(most);
            return List.of();
        }
        final Matcher with = WITH.matcher(line);
        if (with.matches())
        {
            begin(Long.parseLong(with.group(1)), with.group(2));
            return List.of();
        }
        if (line.startsWith("at "))
        {
            engine().time(Long.parseLong(words[1]));
            return List.of();
        }
        final List<String> reported = line.matches("user \\d+") ? user(Long.parseLong(words[1])) :
            line.equals("totals") ? totals() : List.of(command(line, words).name());
        engine().verify();
        return reported;
    }

    private int currency(final String name)
    {
        if (!currencies.contains(name))
        {
            currencies.add(name);
        }
        return currencies.indexOf(name);
    }

    private void setUp(final String line)
    {
        final Matcher spot = SPOT.matcher(line);
        final Matcher future = FUTURE.matcher(line);
        if (spot.matches())
        {
            context.symbol(SymbolSpec.spot((int)number(spot, 1)).withOrderCapacity(64), SymbolTerms.spot(
                currency(spot.group(2)), currency(spot.group(3)), number(spot, 4), number(spot, 5))
                .withFees(number(spot, 6), number(spot, 7)));
        }
        else if (future.matches())
        {
            context.symbol(SymbolSpec.future((int)number(future, 1)).withOrderCapacity(128)
                .withPrices(0, MAX_FUTURE_PRICE), SymbolTerms.future(currency("contract " + future.group(1)),
                currency(future.group(2)), number(future, 3), number(future, 4), number(future, 5))
                .withFees(number(future, 6), number(future, 7)));
        }
        else
        {
            throw new IllegalArgumentException(line);
        }
    }

    private void begin(final long uid, final String deposits)
    {
        assertEquals(CommandResult.SUCCESS, engine().addUser(uid));
        for (final String deposit : deposits.split(" and "))
        {
            final String[] words = deposit.split(" ");
            adjustments++;
            assertEquals(CommandResult.SUCCESS,
                engine().adjustBalance(uid, currency(words[1]), Long.parseLong(words[0]), adjustments));
        }
    }

    private static long number(final Matcher line, final int group)
    {
        return line.group(group) == null ? 0 : Long.parseLong(line.group(group));
    }

    private CommandResult command(final String line, final String[] words)
    {
        final Matcher place = PLACE.matcher(line);
        final Matcher change = CHANGE.matcher(line);
        final Matcher adjust = ADJUST.matcher(line);
        if (place.matches())
        {
            return place(place);
        }
        if (change.matches())
        {
            return change(change);
        }
        if (adjust.matches())
        {
            return engine().adjustBalance(
                number(adjust, 1), currency(adjust.group(3)), number(adjust, 2), number(adjust, 4));
        }
        final long last = Long.parseLong(words[words.length - 1]);
        return switch (line.replaceAll("\\d+", "").trim())
        {
            case "add user" -> engine().addUser(last);
            case "suspend user" -> engine().suspendUser(last);
            case "resume user" -> engine().resumeUser(last);
            case "halt" -> engine().haltSymbol((int)last);
            case "resume" -> engine().resumeSymbol((int)last);
            case "remove" -> engine().removeSymbol((int)last);
            case "tick" -> engine().tick(last);
            default -> throw new IllegalArgumentException(line);
        };
    }

    private CommandResult place(final Matcher line)
    {
        final byte side = line.group(4).equals("bid") ? Side.BID : Side.ASK;
        byte type = "for".equals(line.group(6)) ? OrderType.FOK_BUDGET : OrderType.GTC;
        byte policy = SelfTradePolicy.ALLOW;
        for (byte b = 0; b < 16 && line.group(9) != null; b++)
        {
            type = OrderType.isValid(b) && OrderType.name(b).equals(line.group(9)) ? b : type;
            policy = SelfTradePolicy.isValid(b) && SelfTradePolicy.name(b).equals(line.group(9)) ? b : policy;
        }
        final long price = number(line, 7);
        final long reserve = line.group(8) != null ? number(line, 8) : side == Side.BID ? price : 0;
        return engine().execute((int)number(line, 3), new BookCommand().place(type, side).selfTradePolicy(policy)
            .orderId(number(line, 2)).uid(number(line, 1)).price(price).size(number(line, 5)).reservePrice(reserve)
            .parameter(number(line, 10) + number(line, 11)));
    }

    private CommandResult change(final Matcher line)
    {
        final int symbol = (int)number(line, 4);
        final long id = number(line, 3);
        final long uid = number(line, 1);
        return switch (line.group(2))
        {
            case "cancels" -> engine().cancel(symbol, id, uid);
            case "reduces" -> engine().reduce(symbol, id, uid, number(line, 5));
            case "moves" -> engine().move(symbol, id, uid, number(line, 5));
            default -> engine().replace(symbol, id, uid, number(line, 6), number(line, 5));
        };
    }

    private List<String> user(final long uid)
    {
        final ReportRows user = ReportRows.user(engine(), uid);
        final List<String> accounts = new ArrayList<>();
        final List<String> positions = new ArrayList<>();
        user.accounts.stream().filter(each -> each.balance() != 0 || each.reserved() != 0)
            .forEach(each -> accounts.add(currencies.get(each.currency()) + " " + each.balance() +
                (each.reserved() == 0 ? "" : ", reserved " + each.reserved())));
        user.positions.forEach(each -> positions.add("on " + each.symbol() + ": " + (each.volume() == 0 ? "flat" :
            (each.volume() > 0 ? "long " : "short ") + Math.abs(each.volume()) + " for " + each.priceSum()) +
            (each.profit() == 0 ? "" : ", profit " + each.profit()) +
            (each.bids() == 0 ? "" : ", bids " + each.bids()) + (each.asks() == 0 ? "" : ", asks " + each.asks())));
        accounts.sort(null);
        positions.sort(null);
        accounts.addAll(positions);
        return user.result != CommandResult.SUCCESS ? List.of(user.result.name()) :
            accounts.isEmpty() ? List.of("nothing") : accounts;
    }

    private List<String> totals()
    {
        final ReportRows rows = ReportRows.totals(engine());
        final List<String> totals = new ArrayList<>();
        for (final ReportRows.Currency each : rows.currencies)
        {
            if ((each.balances() | each.reserved() | each.cash() | each.fees() | each.adjusted()) != 0)
            {
                totals.add(currencies.get(each.currency()) + " balances " + each.balances() + ", reserved " +
                    each.reserved() + ", cash " + each.cash() + ", fees " + each.fees() + ", adjusted " +
                    each.adjusted());
            }
        }
        rows.openInterest.forEach(each ->
            totals.add("on " + each.symbol() + ": longs " + each.longs() + ", shorts " + each.shorts()));
        return totals;
    }
}
