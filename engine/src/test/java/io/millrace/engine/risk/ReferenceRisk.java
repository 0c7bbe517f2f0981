package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import static io.millrace.engine.book.CommandResult.SUCCESS;
import static java.math.BigInteger.ZERO;

/**
 * The rules of risk in the simplest form. Accounts have the balances of the users; reserved and pending amounts are
 * added up from the open orders at each use. The books are those of an engine without users, which gets the checked
 * commands.
 */
final class ReferenceRisk
{
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(62);

    /** An order with an open size, also while its command runs. */
    record Order(int symbol, long id, long uid, byte side, byte type, long price, long reserve, long parameter,
        long[] open)
    {
    }

    final Map<Long, Map<Integer, BigInteger>> owned = new TreeMap<>();
    final Map<Integer, BigInteger> fees = new TreeMap<>();
    final List<Execution> events = new ArrayList<>();
    private final Map<Long, Map<Integer, ReferencePosition>> positions = new TreeMap<>();
    private final Map<Integer, BigInteger> adjusted = new TreeMap<>();
    private final Map<Long, Long> lastAdjustments = new TreeMap<>();
    /** The intervals in which each of a user's commands succeeded. */
    private final Map<Long, List<Long>> rates = new TreeMap<>();
    final List<Order> orders = new ArrayList<>();
    /** The users whose state the last command may have changed. */
    final TreeSet<Long> touched = new TreeSet<>();
    private final TreeSet<Integer> halted = new TreeSet<>();
    private final RiskLimits limits;
    private final Map<Integer, SymbolTerms> terms;
    private final MatchingEngine books;
    /** For each future the price of its last trade between two users. */
    private final Map<Integer, Long> lastPrices = new TreeMap<>();
    /** How often a position was marked, and how. */
    final Map<String, Integer> marks = new TreeMap<>();
    private int symbol;
    private long grown;

    ReferenceRisk(final RiskLimits limits, final Map<Integer, SymbolTerms> terms, final EngineContext bare)
    {
        this.limits = limits;
        this.terms = terms;
        books = new MatchingEngine(bare, (Execution.Listener)this::onExecution);
    }

    CommandResult give(final RiskCommand c)
    {
        grown = 0;
        touched.clear();
        touched.add(c.uid);
        expire(c.timeNs);
        symbol = c.symbol;
        final CommandResult checked = check(c);
        if (checked != SUCCESS || !c.isOfOrders())
        {
            return checked;
        }
        if (c.kind == RiskCommand.Kind.PLACE)
        {
            orders.add(order(c, c.size));
            if (terms.get(c.symbol).maxPosition() > 0)
            {
                positions.get(c.uid).computeIfAbsent(c.symbol, of -> new ReferencePosition());
            }
        }
        else if (grown > 0)
        {
            find(c.orderId).open[0] += grown;
        }
        final CommandResult result = c.giveTo(books);
        terms.keySet().stream().filter(books::isHalted).forEach(halted::add);
        if (result == SUCCESS && c.mayTrade())
        {
            final long now = interval(c);
            rates.computeIfAbsent(c.uid, uid -> new ArrayList<>()).removeIf(of -> of < now);
            rates.get(c.uid).add(now);
        }
        return result;
    }

    /** All due orders of all symbols: by their expiry, then by their symbol, then in the order of the book. */
    private void expire(final long timeNs)
    {
        final TreeSet<Long> due = new TreeSet<>();
        orders.stream().filter(order -> order.type == OrderType.GTD && order.parameter <= timeNs)
            .forEach(order -> due.add(order.parameter));
        for (final long expiry : due)
        {
            for (final int each : terms.keySet())
            {
                if (orders.stream().anyMatch(order -> order.symbol == each && order.type == OrderType.GTD &&
                    order.parameter == expiry))
                {
                    books.book(each).expire(expiry);
                }
            }
        }
    }

    private static Order order(final RiskCommand c, final long lots)
    {
        return new Order(c.symbol, c.orderId, c.uid, c.side, c.type, c.price, c.reserve,
            c.parameter, new long[]{lots});
    }

    /** A command with an earlier time than another before counts in the interval of that one. */
    private long interval(final RiskCommand c)
    {
        final List<Long> before = rates.getOrDefault(c.uid, List.of(0L));
        return Math.max(before.get(before.size() - 1), c.timeNs / limits.rateIntervalNs());
    }

    private CommandResult check(final RiskCommand c)
    {
        final boolean known = owned.containsKey(c.uid);
        final boolean place = c.kind == RiskCommand.Kind.PLACE;
        if (!c.isOfOrders())
        {
            return administer(c, known);
        }
        return place && !known ? CommandResult.UNKNOWN_USER :
            c.kind == RiskCommand.Kind.MASS_CANCEL_USER ? SUCCESS :
            !terms.containsKey(c.symbol) ? CommandResult.UNKNOWN_SYMBOL :
            c.mayTrade() && halted.contains(c.symbol) ? CommandResult.SYMBOL_HALTED :
            c.mayTrade() && known && rates.getOrDefault(c.uid, List.of()).stream().filter(of -> of == interval(c))
            .count() >= limits.rateCommands() ? CommandResult.RATE_LIMIT :
            place && OrderType.rests(c.type) && orders.stream().filter(order -> order.uid == c.uid).count() >=
            limits.maxOpenOrders() ? CommandResult.TOO_MANY_ORDERS : checkBookAndRisk(c);
    }

    private CommandResult checkBookAndRisk(final RiskCommand c)
    {
        final OrderBook book = books.book(c.symbol);
        if (c.kind == RiskCommand.Kind.PLACE)
        {
            final CommandResult result = book.check(c.placement());
            return result != SUCCESS ? result :
                c.type == OrderType.GTD && c.parameter <= c.timeNs ? CommandResult.WRONG_EXPIRY :
                afford(order(c, c.size));
        }
        return c.isChange() ? checkChange(c, book) : SUCCESS;
    }

    private CommandResult checkChange(final RiskCommand c, final OrderBook book)
    {
        final long newSize = c.kind == RiskCommand.Kind.REPLACE ? c.size : book.totalSize(c.orderId, c.uid, c.size);
        final CommandResult result = book.checkReplace(c.orderId, c.uid, c.price, newSize);
        if (result != SUCCESS)
        {
            return result;
        }
        final Order order = find(c.orderId);
        book.withOrder(c.orderId, (id, uid, side, price, size, filled, reserve) -> grown = newSize - size);
        return grown <= 0 ? SUCCESS : afford(new Order(order.symbol, order.id, order.uid, order.side,
            OrderType.GTC, 0, order.reserve, 0, new long[]{grown}));
    }

    private CommandResult administer(final RiskCommand c, final boolean known)
    {
        switch (c.kind)
        {
            case ADD_USER:
            case RESUME:
                owned.computeIfAbsent(c.uid, uid -> new TreeMap<>());
                positions.computeIfAbsent(c.uid, uid -> new TreeMap<>());
                return !known ? SUCCESS : c.kind == RiskCommand.Kind.RESUME ? CommandResult.USER_NOT_SUSPENDED :
                    CommandResult.USER_EXISTS;
            case ADJUST:
                return known ? adjust(c) : CommandResult.UNKNOWN_USER;
            case SUSPEND:
                return known ? suspend(c.uid) : CommandResult.UNKNOWN_USER;
            case HALT:
                return !terms.containsKey(c.symbol) ? CommandResult.UNKNOWN_SYMBOL :
                    halted.add(c.symbol) ? SUCCESS : CommandResult.SYMBOL_HALTED;
            case RESUME_SYMBOL:
                books.resumeSymbol(c.symbol);
                return !terms.containsKey(c.symbol) ? CommandResult.UNKNOWN_SYMBOL :
                    halted.remove(c.symbol) ? SUCCESS : CommandResult.SYMBOL_NOT_HALTED;
            default:
                return c.timeNs < 1 ? CommandResult.WRONG_TIME : SUCCESS;
        }
    }

    private CommandResult adjust(final RiskCommand c)
    {
        final long last = lastAdjustments.getOrDefault(c.uid, 0L);
        if (c.size <= last)
        {
            return c.size == last ? CommandResult.ALREADY_APPLIED_SAME : CommandResult.ALREADY_APPLIED_MANY;
        }
        final BigInteger all = adjusted.getOrDefault(c.currency, ZERO).add(big(c.price));
        if (c.price > 0 && all.compareTo(MOST.shiftRight(2)) > 0)
        {
            return CommandResult.BALANCE_OVERFLOW;
        }
        if (c.price < 0 && balance(c.uid, c.currency).add(big(c.price)).signum() < 0)
        {
            return CommandResult.BALANCE_NSF;
        }
        if (c.price < 0 && balance(c.uid, c.currency).add(big(c.price)).compareTo(claim(c.uid, c.currency)) < 0)
        {
            return CommandResult.RISK_MARGIN;
        }
        lastAdjustments.put(c.uid, c.size);
        adjusted.put(c.currency, all);
        own(c.uid, c.currency, big(c.price));
        return SUCCESS;
    }

    private CommandResult suspend(final long uid)
    {
        if (!positions.get(uid).isEmpty())
        {
            return CommandResult.USER_HAS_POSITIONS;
        }
        if (orders.stream().anyMatch(order -> order.uid == uid))
        {
            return CommandResult.USER_HAS_ORDERS;
        }
        if (owned.get(uid).values().stream().anyMatch(amount -> amount.signum() != 0))
        {
            return CommandResult.USER_HAS_BALANCE;
        }
        owned.remove(uid);
        lastAdjustments.remove(uid);
        rates.remove(uid);
        return SUCCESS;
    }

    /** Whether a new order, or the growth of an order, is covered. */
    private CommandResult afford(final Order order)
    {
        final SymbolTerms of = terms.get(order.symbol);
        final boolean bid = order.side == Side.BID;
        if (of.maxPosition() > 0)
        {
            return affordMargin(order, of, bid);
        }
        if (bid && OrderType.hasBudget(order.type, order.side) && order.reserve != order.price)
        {
            return CommandResult.RESERVE_NOT_BUDGET;
        }
        if (bid && order.reserve < (OrderType.isMarket(order.type) ? 0 : order.price))
        {
            return CommandResult.RESERVE_BELOW_PRICE;
        }
        final int currency = bid ? of.quoteCurrency() : of.baseCurrency();
        return reserved(order).compareTo(MOST) > 0 ? CommandResult.RISK_OVERFLOW :
            balance(order.uid, currency).subtract(reserved(order)).compareTo(claim(order.uid, currency)) < 0 ?
            CommandResult.RISK_NSF : SUCCESS;
    }

    private CommandResult affordMargin(final Order order, final SymbolTerms of, final boolean bid)
    {
        final ReferencePosition position = positions.get(order.uid).getOrDefault(order.symbol, new ReferencePosition());
        final BigInteger before = margin(order.uid, order.symbol, position);
        orders.add(order);
        final BigInteger after = margin(order.uid, order.symbol, position);
        final BigInteger most = pending(order.uid, order.symbol, order.side)
            .add(bid ? position.volume : position.volume.negate());
        orders.remove(orders.size() - 1);
        return most.compareTo(big(of.maxPosition())) > 0 ? CommandResult.POSITION_LIMIT :
            after.compareTo(before) > 0 && after.compareTo(balance(order.uid, of.quoteCurrency())
            .add(estimate(order.uid, order.symbol, position))
            .add(freeMargin(order.uid, of.quoteCurrency(), order.symbol))) > 0 ? CommandResult.RISK_MARGIN : SUCCESS;
    }

    private BigInteger reserved(final Order order)
    {
        final SymbolTerms of = terms.get(order.symbol);
        final BigInteger open = big(order.open[0]);
        final BigInteger fee = open.multiply(big(of.takerFee()));
        final BigInteger scale = big(of.quoteScaleK());
        return of.maxPosition() > 0 ? ZERO : order.side == Side.ASK ? open.multiply(big(of.baseScaleK())) :
            OrderType.hasBudget(order.type, order.side) ? big(order.price).multiply(scale).add(fee) :
            open.multiply(big(order.reserve)).multiply(scale).add(fee);
    }

    BigInteger reserved(final long uid, final int currency)
    {
        return orders.stream().filter(order -> order.uid == uid && currency == (order.side == Side.BID ?
            terms.get(order.symbol).quoteCurrency() : terms.get(order.symbol).baseCurrency()))
            .map(this::reserved).reduce(ZERO, BigInteger::add);
    }

    BigInteger balance(final long uid, final int currency)
    {
        return owned.get(uid).getOrDefault(currency, ZERO).subtract(reserved(uid, currency));
    }

    private BigInteger freeMargin(final long uid, final int currency, final int except)
    {
        return positions.get(uid).entrySet().stream()
            .filter(each -> each.getKey() != except && terms.get(each.getKey()).quoteCurrency() == currency)
            .map(each -> estimate(uid, each.getKey(), each.getValue())
            .subtract(margin(uid, each.getKey(), each.getValue()))).reduce(ZERO, BigInteger::add);
    }

    /** What must stay in an account: margins, and the loss of each position, without the profits of others. */
    private BigInteger claim(final long uid, final int currency)
    {
        return positions.get(uid).entrySet().stream()
            .filter(each -> terms.get(each.getKey()).quoteCurrency() == currency)
            .map(each -> margin(uid, each.getKey(), each.getValue())
            .subtract(estimate(uid, each.getKey(), each.getValue()).min(ZERO))).reduce(ZERO, BigInteger::add);
    }

    private BigInteger estimate(final long uid, final int of, final ReferencePosition position)
    {
        return position.estimate(uid, books.book(of), terms.get(of), lastPrices.getOrDefault(of, 0L), marks);
    }

    private BigInteger pending(final long uid, final int of, final byte side)
    {
        return orders.stream().filter(order -> order.uid == uid && order.symbol == of && order.side == side)
            .map(order -> big(order.open[0])).reduce(ZERO, BigInteger::add);
    }

    private BigInteger margin(final long uid, final int of, final ReferencePosition position)
    {
        final BigInteger buy = pending(uid, of, Side.BID).add(position.volume);
        final BigInteger sell = pending(uid, of, Side.ASK).subtract(position.volume);
        return big(terms.get(of).marginBuy()).multiply(buy).max(big(terms.get(of).marginSell()).multiply(sell));
    }

    /** What may be withdrawn; negative if the claims exceed the balance. */
    BigInteger spare(final long uid, final int currency)
    {
        return balance(uid, currency).subtract(claim(uid, currency));
    }

    long volume(final long uid, final int of)
    {
        final ReferencePosition position = positions.getOrDefault(uid, Map.of()).get(of);
        return position == null ? 0 : position.volume.longValueExact();
    }

    private Order find(final long id)
    {
        return orders.stream().filter(order -> order.symbol == symbol && order.id == id).findFirst().orElseThrow();
    }

    private void take(final long id, final long lots)
    {
        final Order order = find(id);
        touched.add(order.uid);
        order.open[0] -= lots;
        orders.removeIf(each -> each.open[0] == 0);
    }

    private void own(final long uid, final int currency, final BigInteger amount)
    {
        owned.get(uid).merge(currency, amount, BigInteger::add);
    }

    private void pay(final long uid, final BigInteger fee)
    {
        own(uid, terms.get(symbol).quoteCurrency(), fee.negate());
        fees.merge(terms.get(symbol).quoteCurrency(), fee, BigInteger::add);
    }

    /** One side of a trade. */
    private void settle(final long uid, final int sign, final BigInteger price, final BigInteger lots, final long fee)
    {
        final SymbolTerms of = terms.get(symbol);
        if (of.maxPosition() == 0)
        {
            own(uid, of.baseCurrency(), lots.multiply(big(sign * of.baseScaleK())));
            own(uid, of.quoteCurrency(), lots.multiply(price).multiply(big(-sign * of.quoteScaleK())));
            pay(uid, lots.multiply(big(fee)));
            return;
        }
        pay(uid, positions.get(uid).get(symbol).trade(sign, price, lots).multiply(big(fee)));
    }

    private void closeIfEmpty(final long uid)
    {
        final ReferencePosition position = positions.get(uid).get(symbol);
        if (position != null && position.volume.signum() == 0 &&
            orders.stream().noneMatch(order -> order.uid == uid && order.symbol == symbol))
        {
            own(uid, terms.get(symbol).quoteCurrency(), position.profit);
            positions.get(uid).remove(symbol);
        }
    }

    /** Also when lots leave a book without a trade. */
    private void onExecution(final Execution execution)
    {
        events.add(execution);
        if (execution.kind() != Execution.Kind.TRIGGER)
        {
            symbol = execution.symbol();
            take(execution.orderId(), execution.size());
            if (execution.kind() == Execution.Kind.TRADE)
            {
                settle(execution);
            }
            closeIfEmpty(execution.uid());
        }
    }

    private void settle(final Execution trade)
    {
        take(trade.makerOrderId(), trade.size());
        if (trade.makerUid() != trade.uid())
        {
            lastPrices.put(symbol, trade.price());
        }
        final int sign = trade.side() == Side.BID ? 1 : -1;
        final BigInteger price = big(trade.price());
        final BigInteger size = big(trade.size());
        settle(trade.uid(), sign, price, size, terms.get(symbol).takerFee());
        settle(trade.makerUid(), -sign, price, size, terms.get(symbol).makerFee());
        closeIfEmpty(trade.makerUid());
    }

    /** The state of a user, in the form in which {@link RiskTrial} lists the engine's report. */
    List<String> listing(final long uid)
    {
        final List<String> rows = new ArrayList<>();
        final TreeSet<Integer> currencies = new TreeSet<>(owned.get(uid).keySet());
        currencies.removeIf(of -> balance(uid, of).signum() == 0 && reserved(uid, of).signum() == 0);
        currencies.forEach(of -> rows.add("account " + of + ": " + balance(uid, of) + " " + reserved(uid, of)));
        positions.get(uid).forEach((of, position) -> rows.add("position " + of + ": " + position.volume + " " +
            position.sum + " " + position.profit + " " + pending(uid, of, Side.ASK) + " " +
            pending(uid, of, Side.BID)));
        orders.stream().filter(order -> order.uid == uid)
            .forEach(order -> rows.add("order " + order.symbol + ": " + order.id + " " + order.open[0]));
        rows.sort(null);
        return rows;
    }

    private static BigInteger big(final long number)
    {
        return BigInteger.valueOf(number);
    }
}
