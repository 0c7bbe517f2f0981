package io.millrace.examples;

import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs one block of {@code docs/order-types.md}: gives each command to an engine with one symbol, and writes the
 * answers in the page's form.
 */
final class OrderPage implements ExecutionListener
{
    private static final int SYMBOL = 1;
    private static final String USER = "7";
    /** Words that a number follows. */
    private static final List<String> KEYS =
        List.of("at", "for", "stop", "showing", "until", "reserve", "user", "by", "to");

    private final List<String> reported = new ArrayList<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private SymbolSpec spec = SymbolSpec.future(SYMBOL);
    private MatchingEngine engine;
    private long ownId;
    private boolean timed;

    OrderPage()
    {
        start(spec);
    }

    private void start(final SymbolSpec newSpec)
    {
        spec = newSpec;
        engine = new MatchingEngine(List.of(spec), this);
    }

    /** All lines: the commands and their answers. */
    List<String> run(final List<String> commands)
    {
        for (final String line : commands)
        {
            reported.add(line);
            run(line);
            book().verify();
        }
        return reported;
    }

    private OrderBook book()
    {
        return engine.book(SYMBOL);
    }

    private void run(final String line)
    {
        final String[] words = line.replace(":", "").split(" ");
        switch (words[0])
        {
            case "spot":
                start(new SymbolSpec(SYMBOL, SymbolSpec.spot(SYMBOL).type(), spec.orderCapacity(), spec.windowTicks()));
                break;
            case "capacity":
                start(spec.withOrderCapacity(Integer.parseInt(words[1])));
                break;
            case "prices":
                start(spec.withPrices(Long.parseLong(words[1]), Long.parseLong(words[3])));
                break;
            case "minAskPrice":
                start(spec.withMinAskPrice(Long.parseLong(words[1])));
                break;
            case "time":
                timed = true;
                engine.time(Long.parseLong(words[1]));
                break;
            case "book":
                show();
                break;
            case "levels":
                showLevels();
                break;
            default:
                command(line, words);
                break;
        }
    }

    private void command(final String line, final String[] words)
    {
        ownId = words.length > 1 && !words[0].equals("tick") ? Long.parseLong(words[1]) : Long.MIN_VALUE;
        final long hash = engine.stateHash();
        final int before = reported.size();
        final CommandResult result = words[0].equals("order") ? place(line, words) : change(line, words);
        // Orders that are due also leave before a refused command.
        if (result != CommandResult.SUCCESS && !timed)
        {
            assertEquals(before, reported.size(), () -> "a refusal was reported: " + line);
            assertEquals(hash, engine.stateHash(), () -> "a refusal changed the book: " + line);
        }
        reported.add("  " + result);
    }

    /** The numbers follow their words; all other words are names of types and policies. */
    private List<String> read(final String line, final String[] words, final int from)
    {
        final List<String> names = new ArrayList<>();
        numbers.clear();
        for (int i = from; i < words.length; i++)
        {
            if (KEYS.contains(words[i]))
            {
                numbers.put(words[i], Long.parseLong(words[++i]));
            }
            else if (!words[i].equals("of"))
            {
                names.add(words[i]);
            }
        }
        assertTrue(names.stream().allMatch(name -> typeOf(name) >= 0 || policyOf(name) >= 0), () -> "words of " + line);
        return names;
    }

    private CommandResult place(final String line, final String[] words)
    {
        final List<String> names = read(line, words, 4);
        final byte side = (byte)List.of("bid", "ask").indexOf(words[2]);
        assertTrue(Side.isValid(side), line);
        byte type = numbers.containsKey("stop") ? numbers.containsKey("at") ? OrderType.STOP_LIMIT : OrderType.STOP :
            numbers.containsKey("showing") ? OrderType.ICEBERG : numbers.containsKey("until") ? OrderType.GTD :
            numbers.containsKey("for") ? OrderType.FOK_BUDGET : OrderType.GTC;
        byte policy = SelfTradePolicy.ALLOW;
        for (final String name : names)
        {
            type = typeOf(name) >= 0 ? typeOf(name) : type;
            policy = policyOf(name) >= 0 ? policyOf(name) : policy;
        }
        final long price = number("at", number("for", 0));
        final boolean priced = numbers.containsKey("at") || numbers.containsKey("for");
        return engine.execute(SYMBOL, new BookCommand().place(type, side).selfTradePolicy(policy)
            .orderId(Long.parseLong(words[1])).uid(number("user", Long.parseLong(USER))).price(price)
            .size(Long.parseLong(words[3])).reservePrice(number("reserve", priced ? price : SymbolSpec.MAX_PRICE))
            .parameter(number("stop", number("showing", number("until", 0)))));
    }

    private CommandResult change(final String line, final String[] words)
    {
        final List<String> names = read(line, words, words.length > 1 ? 2 : 1);
        assertTrue(names.isEmpty(), line);
        final long user = number("user", Long.parseLong(USER));
        return switch (words[0])
        {
            case "cancel" -> engine.cancel(SYMBOL, ownId, user);
            case "reduce" -> engine.reduce(SYMBOL, ownId, user, numbers.get("by"));
            case "move" -> engine.move(SYMBOL, ownId, user, numbers.get("to"));
            case "replace" -> engine.replace(SYMBOL, ownId, user, numbers.get("at"), numbers.get("to"));
            case "tick" -> engine.tick(Long.parseLong(words[1]));
            case "halt" -> engine.haltSymbol(SYMBOL);
            case "resume" -> engine.resumeSymbol(SYMBOL);
            default -> throw new AssertionError("no command: " + line);
        };
    }

    private static byte typeOf(final String name)
    {
        for (byte type = 0; OrderType.isValid(type); type++)
        {
            if (OrderType.name(type).equals(name))
            {
                return type;
            }
        }
        return -1;
    }

    private static byte policyOf(final String name)
    {
        for (byte policy = 0; SelfTradePolicy.isValid(policy); policy++)
        {
            if (SelfTradePolicy.name(policy).equals(name))
            {
                return policy;
            }
        }
        return -1;
    }

    private long number(final String key, final long missing)
    {
        return numbers.getOrDefault(key, missing);
    }

    private void show()
    {
        for (final byte side : new byte[]{Side.ASK, Side.BID})
        {
            book().forEachOrder(side, (orderId, uid, s, price, size, filled, reservePrice) ->
                reported.add("  " + Side.name(side) + " " + price + ": order " + orderId + ", " + (size - filled) +
                    (filled == 0 ? "" : ", filled " + filled)));
        }
        book().forEachStop((orderId, uid, side, price, size, filled, reservePrice) ->
            reported.add("  untriggered " + Side.name(side) + ": order " + orderId + ", " + size));
    }

    private void showLevels()
    {
        for (final byte side : new byte[]{Side.ASK, Side.BID})
        {
            book().forEachLevel(side, -1, (s, price, volume, orders) ->
                reported.add("  " + Side.name(side) + " " + price +
                ": " + volume + " in " + orders + (orders == 1 ? " order" : " orders")));
        }
    }

    /** Written only for an order that the command does not name. */
    private String whose(final long orderId)
    {
        return orderId == ownId ? "" : " of order " + orderId;
    }

    @Override
    public void onTrade(
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        reported.add("  TRADE " + size + " at " + price + whose(takerOrderId) + " with order " + makerOrderId +
            (makerCompleted ? ", which is filled" : ", which is partly filled"));
    }

    @Override
    public void onReject(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        reported.add("  REJECT " + size + " at " + price + whose(orderId));
    }

    @Override
    public void onReduce(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        reported.add("  REDUCE " + size + " at " + price + whose(orderId) + (completed ? ", nothing is left" : ""));
    }

    @Override
    public void onTrigger(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long reservePrice)
    {
        reported.add("  TRIGGER at " + stopPrice + whose(orderId));
    }
}
