package io.millrace.engine.risk;

import io.millrace.engine.MatchingEngine;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Totals are sums that every payment updates; the check adds up everything and compares. */
class RiskTotalsTest
{
    private static final int COMMANDS = 3_000;

    private final Map<Integer, Long> balances = new TreeMap<>();
    private final Map<Integer, Long> reserves = new TreeMap<>();
    private final Map<Integer, Long> longs = new TreeMap<>();
    private final Map<Integer, Long> shorts = new TreeMap<>();

    private final UserReportConsumer adder = new UserReportConsumer()
    {
        @Override
        public void onAccount(final int currency, final long balance, final long reserved)
        {
            balances.merge(currency, balance, Long::sum);
            reserves.merge(currency, reserved, Long::sum);
        }

        @Override
        public void onPosition(
            final int symbol,
            final long volume,
            final long openPriceSum,
            final long profit,
            final long pendingSell,
            final long pendingBuy)
        {
            (volume > 0 ? longs : shorts).merge(symbol, Math.abs(volume), Long::sum);
        }
    };

    private final TotalsConsumer comparer = new TotalsConsumer()
    {
        @Override
        public void onCurrency(
            final int currency,
            final long total,
            final long reserved,
            final long cash,
            final long fees,
            final long adjusted)
        {
            assertEquals(balances.getOrDefault(currency, 0L), total);
            assertEquals(reserves.getOrDefault(currency, 0L), reserved);
            assertEquals(adjusted, total + reserved + cash + fees);
        }

        @Override
        public void onOpenInterest(final int symbol, final long lotsLong, final long lotsShort)
        {
            assertEquals(longs.getOrDefault(symbol, 0L), lotsLong);
            assertEquals(shorts.getOrDefault(symbol, 0L), lotsShort);
        }
    };

    @Test
    void shouldReportTheTotalsOfAllUsers()
    {
        for (final long seed : List.of(1L, 2L, 3L))
        {
            final MatchingEngine engine = RiskTrial.run(seed, COMMANDS, 1, new HashMap<>());
            List.of(balances, reserves, longs, shorts).forEach(Map::clear);
            RandomRiskCommands.allUsers().forEach(uid -> engine.userReport(uid, adder));
            engine.totalsReport(comparer);
            assertFalse(balances.isEmpty() || longs.isEmpty(), "seed " + seed);
        }
    }

    @Test
    void shouldDetectAnAccountMissingFromTheSums()
    {
        final RiskLimits limits = new RiskLimits().withUsers(2);
        final Ledger ledger = new Ledger(limits);
        final Positions positions = new Positions(2, ledger);
        final RiskState state = new RiskState(ledger, positions, new SymbolRisk[0]);
        ledger.addUser(7);
        final int account = ledger.open(ledger.users.find(7), ledger.currency(100));
        ledger.pay(account, 5);
        ledger.currencies.add(ledger.currency(100), Ledger.ADJUSTED, 5);
        state.verify();
        ledger.accounts.add(account, Ledger.BALANCE, 1);
        ledger.currencies.add(ledger.currency(100), Ledger.ADJUSTED, 1);
        final IllegalStateException found = assertThrows(IllegalStateException.class, state::verify);
        assertTrue(found.getMessage().contains("stored sums differ"), found::getMessage);
    }
}
