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

    @Test
    void shouldReportTheTotalsOfAllUsers()
    {
        for (final long seed : List.of(1L, 2L, 3L))
        {
            final MatchingEngine engine = RiskTrial.run(seed, COMMANDS, 1, new HashMap<>());
            final Map<Integer, Long> balances = new TreeMap<>();
            final Map<Integer, Long> reserves = new TreeMap<>();
            final Map<Integer, Long> longs = new TreeMap<>();
            final Map<Integer, Long> shorts = new TreeMap<>();
            RandomRiskCommands.allUsers().forEach(uid ->
            {
                final ReportRows user = ReportRows.user(engine, uid);
                user.accounts.forEach(each -> balances.merge(each.currency(), each.balance(), Long::sum));
                user.accounts.forEach(each -> reserves.merge(each.currency(), each.reserved(), Long::sum));
                user.positions.forEach(each -> (each.volume() > 0 ? longs : shorts)
                    .merge(each.symbol(), Math.abs(each.volume()), Long::sum));
            });
            final ReportRows totals = ReportRows.totals(engine);
            assertEquals(List.copyOf(balances.keySet()),
                totals.currencies.stream().map(ReportRows.Currency::currency).sorted().toList());
            totals.currencies.forEach(each ->
            {
                assertEquals(balances.getOrDefault(each.currency(), 0L), each.balances());
                assertEquals(reserves.getOrDefault(each.currency(), 0L), each.reserved());
                assertEquals(each.adjusted(), each.balances() + each.reserved() + each.cash() + each.fees());
            });
            totals.openInterest.forEach(each ->
            {
                assertEquals(longs.getOrDefault(each.symbol(), 0L), each.longs());
                assertEquals(shorts.getOrDefault(each.symbol(), 0L), each.shorts());
            });
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
