package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OracleStream;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Users, balances, risk and four books compared with the recorded core_risk_20k: every result, every execution, and the
 * final state of every user.
 */
class OracleRiskTest
{
    /** The executions of a command, as the file has them. */
    private static final class Judge implements Execution.Listener
    {
        private final OracleStream stream = OracleStream.coreRisk20k();
        private CoreRiskStream.Command command;
        private int next;
        private int index;

        private void begin(final CoreRiskStream.Command given)
        {
            command = given;
            index = 0;
        }

        @Override
        public void onExecution(final Execution e)
        {
            // None is expected while the cashier trades.
            if (command != null)
            {
                final long fileId =
                    e.orderId() >= OracleStream.FIRST_FRESH_ID ? command.given().orderId() : e.orderId();
                assertEquals(stream.events().get(next), OracleStream.Event.of(command.seq(), index, fileId, e),
                    () -> "executions of " + command);
                next++;
                index++;
            }
        }
    }

    private static final Map<CommandResult, CommandResult> FINER = Map.of(
        CommandResult.RISK_MARGIN, CommandResult.RISK_NSF,
        CommandResult.RESERVE_BELOW_PRICE, CommandResult.RISK_NSF,
        CommandResult.RESERVE_NOT_BUDGET, CommandResult.RISK_NSF,
        CommandResult.ASK_BELOW_FEE, CommandResult.RISK_NSF);

    /** Withdrawals that the recording grants although the user's positions require the money: here RISK_MARGIN. */
    private static final Set<Long> OF_MARGIN = Set.of(5643L, 12294L, 13614L, 19418L);
    /** Takes the money that the recording paid out; has no money before and after. */
    private static final long CASHIER = 1L << 40;

    private final Map<CommandResult, Integer> finer = new TreeMap<>();

    /** The recorded engine, and for each currency of a future one without margin, to transfer money. */
    private static MatchingEngine engine(final Judge judge)
    {
        final SymbolTerms[] terms = {SymbolTerms.future(1, 392, 0, 0, 1), SymbolTerms.future(1, 840, 0, 0, 1)};
        final EngineContext context = CoreRiskStream.context();
        for (final SymbolTerms each : terms)
        {
            context.symbol(SymbolSpec.future(each.quoteCurrency()).withPrices(0, 1L << 24), each);
        }
        final MatchingEngine engine = new MatchingEngine(context, judge);
        assertEquals(CommandResult.SUCCESS, engine.addUser(CASHIER));
        return engine;
    }

    /**
     * After a refused withdrawal, bring the engine into the state of the recording, so that all later commands are
     * compared, too: the user buys one lot for the amount and sells it for nothing, and the seller withdraws the
     * amount.
     */
    private static void takeOut(final CoreRiskStream.Command command, final MatchingEngine engine)
    {
        final int currency = command.given().symbol();
        final long uid = command.given().uid();
        final long amount = -command.given().size();
        for (final long price : new long[]{amount, 0})
        {
            final byte side = price > 0 ? Side.BID : Side.ASK;
            assertEquals(CommandResult.SUCCESS,
                engine.execute(currency, new BookCommand().place(OrderType.GTC, (byte)(side ^ 1)).orderId(1)
                    .uid(CASHIER).price(price).size(1)));
            assertEquals(CommandResult.SUCCESS, engine.execute(currency,
                new BookCommand().place(OrderType.IOC, side).orderId(2).uid(uid).price(price).size(1)));
        }
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(CASHIER, currency, -amount, command.seq()));
        // The recording has used the id up.
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, currency, 0, command.given().orderId()));
    }

    private MatchingEngine replay(final CoreRiskStream stream)
    {
        final Judge judge = new Judge();
        final MatchingEngine engine = engine(judge);
        for (final CoreRiskStream.Command command : stream.commands())
        {
            judge.begin(command);
            // Only for refusals, because it takes time in proportion to the orders.
            final boolean ofMargin = OF_MARGIN.contains(command.seq());
            final long before = command.result() == CommandResult.SUCCESS && !ofMargin ? 0 : engine.stateHash();
            final CommandResult result = command.giveTo(engine);
            if (ofMargin)
            {
                assertEquals(CommandResult.RISK_MARGIN, result, () -> "withdrawal " + command.seq());
                assertEquals(before, engine.stateHash(), () -> "hash after the refusal of " + command.seq());
                judge.begin(null);
                takeOut(command, engine);
                continue;
            }
            assertEquals(command.result(), FINER.getOrDefault(result, result), () -> result + " of " + command.seq());
            assertEquals(command.events(), judge.index, () -> "number of executions of " + command.seq());
            if (result != CommandResult.SUCCESS)
            {
                finer.merge(result, 1, Integer::sum);
                assertEquals(before, engine.stateHash(), () -> "hash after the refusal of " + command.seq());
            }
            if (command.seq() % 100 == 0)
            {
                engine.verify();
            }
        }
        assertEquals(judge.stream.events().size(), judge.next);
        engine.verify();
        return engine;
    }

    @Test
    void shouldAnswerSettleAndEndAsTheRecordedStreamDoes() throws IOException
    {
        final CoreRiskStream stream = new CoreRiskStream();
        assertEquals(20_000, stream.commands().size());
        final MatchingEngine engine = replay(stream);
        assertEquals(49, finer.get(CommandResult.RESERVE_BELOW_PRICE) + finer.get(CommandResult.RESERVE_NOT_BUDGET));
        assertEquals(4, finer.get(CommandResult.ASK_BELOW_FEE));
        assertEquals(383 - 53, finer.get(CommandResult.RISK_NSF) + finer.get(CommandResult.RISK_MARGIN),
            "refusals for want of money or margin");
        compareUsers(stream, engine);
        compareTotals(stream, engine);
    }

    private static void compareUsers(final CoreRiskStream stream, final MatchingEngine engine) throws IOException
    {
        final List<String> expected = new ArrayList<>();
        final List<String> actual = new ArrayList<>();
        for (final String row : stream.users())
        {
            if (row.contains(",USER,"))
            {
                final String uid = row.split(",")[0];
                final ReportRows user = ReportRows.user(engine, Long.parseLong(uid));
                assertEquals(
                    row.contains("OK/ACTIVE") ? CommandResult.SUCCESS : CommandResult.UNKNOWN_USER, user.result);
                list(uid, user, actual);
            }
            else if (!row.matches("\\d+,,ACC,\\d+,0"))
            {
                expected.add(row);
            }
        }
        expected.sort(null);
        actual.sort(null);
        assertEquals(String.join("\n", expected), String.join("\n", actual));
    }

    /** The state of a user, in the form of the file, without empty accounts. */
    private static void list(final String uid, final ReportRows user, final List<String> rows)
    {
        user.accounts.stream().filter(each -> each.balance() != 0)
            .forEach(each -> rows.add(uid + ",,ACC," + each.currency() + "," + each.balance()));
        user.positions.forEach(each -> rows.add(uid + ",,POS," + each.symbol() + "," +
            (each.volume() > 0 ? "LONG" : each.volume() < 0 ? "SHORT" : "EMPTY") + "," + Math.abs(each.volume()) +
            "," + each.priceSum() + "," + each.profit() + "," + each.asks() + "," + each.bids()));
        user.orders.forEach(each -> rows.add(uid + ",,ORD," + each.symbol() + "," + each.id() + "," +
            (each.side() == Side.BID ? "BID" : "ASK") + "," + each.price() + "," + each.size() + "," + each.filled() +
            "," + each.reservePrice()));
    }

    private static void put(
        final Map<String, Map<Integer, Long>> totals, final String key, final int of, final long amount)
    {
        totals.computeIfAbsent(key, k -> new TreeMap<>()).put(of, amount);
    }

    private static void compareTotals(final CoreRiskStream stream, final MatchingEngine engine) throws IOException
    {
        final Map<String, Map<Integer, Long>> totals = new HashMap<>();
        final ReportRows rows = ReportRows.totals(engine);
        for (final ReportRows.Currency each : rows.currencies)
        {
            put(totals, "accountBalances", each.currency(), each.balances() + each.cash());
            put(totals, "ordersBalances", each.currency(), each.reserved());
            put(totals, "fees", each.currency(), each.fees());
            put(totals, "adjustments", each.currency(), -each.adjusted());
            assertEquals(each.adjusted(), each.balances() + each.reserved() + each.cash() + each.fees(),
                () -> "global balance of " + each.currency());
        }
        for (final ReportRows.OpenInterest each : rows.openInterest)
        {
            put(totals, "openInterestLong", each.symbol(), each.longs());
            put(totals, "openInterestShort", each.symbol(), each.shorts());
        }
        for (final Map.Entry<String, Map<Integer, Long>> each : totals.entrySet())
        {
            // Where nothing was reserved or earned, the summary has no entry or a zero.
            each.getValue().values().removeIf(amount -> amount == 0);
            final Map<Integer, Long> expected = stream.summary(each.getKey());
            expected.values().removeIf(amount -> amount == 0);
            assertEquals(expected, each.getValue(), each.getKey());
        }
        assertEquals(6, totals.size());
    }
}
