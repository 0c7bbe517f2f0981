package io.millrace.engine.risk;

import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.tables.Fnv;
import io.millrace.engine.tables.RowTable;

/**
 * Walks over the whole state of the risk engine: computes totals and hash, and checks that they add up. One thread.
 */
final class RiskState
{
    private static final int NONE = RowTable.NONE;

    private final Ledger ledger;
    private final Positions positions;
    private final SymbolRisk[] symbols;

    RiskState(final Ledger ledger, final Positions positions, final SymbolRisk[] symbols)
    {
        this.ledger = ledger;
        this.positions = positions;
        this.symbols = symbols;
    }

    void totals(final TotalsConsumer consumer)
    {
        final RowTable currencies = ledger.currencies;
        for (int c = 0; c < currencies.end(); c++)
        {
            consumer.onCurrency(ledger.currencyNumber(c), currencies.get(c, Ledger.BALANCES),
                currencies.get(c, Ledger.RESERVES), ledger.cash(c), currencies.get(c, Ledger.FEES),
                currencies.get(c, Ledger.ADJUSTED));
        }
        for (int slot = 0; slot < symbols.length; slot++)
        {
            if (symbols[slot] instanceof FutureRisk)
            {
                consumer.onOpenInterest(
                    symbols[slot].spec().symbol(), positions.longs(slot), positions.shorts(slot));
            }
        }
    }

    long hash()
    {
        long sum = 0;
        for (int user = ledger.firstUser(); user != NONE; user = ledger.users.next(user))
        {
            sum += hashOfUser(user);
        }
        final RowTable currencies = ledger.currencies;
        for (int c = 0; c < currencies.end(); c++)
        {
            sum += Fnv.mix(hash(
                4, currencies.key(c), currencies.get(c, Ledger.ADJUSTED), currencies.get(c, Ledger.FEES)));
        }
        for (int slot = 0; slot < symbols.length; slot++)
        {
            sum += symbols[slot] == null ? 0 : hashOf(symbols[slot]);
        }
        return sum;
    }

    private long hashOfUser(final int user)
    {
        final RowTable users = ledger.users;
        final RowTable accounts = ledger.accounts;
        long sum = Fnv.mix(hash(1, users.key(user), users.get(user, Ledger.LAST_ADJUSTMENT),
            users.get(user, Ledger.INTERVAL), users.get(user, Ledger.COMMANDS)));
        for (int account = ledger.firstAccount(user); account != NONE; account = accounts.next(account))
        {
            sum += Fnv.mix(hash(2, users.key(user), ledger.currencyNumber(Ledger.otherOf(accounts.key(account))),
                accounts.get(account, Ledger.BALANCE), accounts.get(account, Ledger.RESERVED)));
        }
        for (int position = positions.first(user); position != NONE; position = positions.table.next(position))
        {
            sum += hashOf(position);
        }
        return sum;
    }

    private static long hashOf(final SymbolRisk symbol)
    {
        final long hash = symbol.terms().addToHash(Fnv.add(Fnv.add(Fnv.OFFSET, 5), symbol.spec().symbol()));
        return Fnv.mix(Fnv.add(hash, symbol.lastPrice()));
    }

    private long hashOf(final int position)
    {
        final RowTable table = positions.table;
        long hash = hash(3, ledger.users.key(Ledger.userOf(table.key(position))),
            positions.symbolOf(position).spec().symbol(), table.get(position, Positions.VOLUME),
            table.get(position, Positions.PRICE_SUM));
        for (int column = Positions.PROFIT; column <= Positions.PENDING_BUY; column++)
        {
            hash = Fnv.add(hash, table.get(position, column));
        }
        return Fnv.mix(hash);
    }

    private static long hash(final long kind, final long a, final long b, final long c, final long d)
    {
        return Fnv.add(hash(kind, a, b, c), d);
    }

    private static long hash(final long kind, final long a, final long b, final long c)
    {
        return Fnv.add(Fnv.add(Fnv.add(Fnv.add(Fnv.OFFSET, kind), a), b), c);
    }

    void verify()
    {
        verifyTables();
        verifyMoney();
        verifyOpenInterest();
        final long[] reserved = new long[ledger.accounts.end()];
        final long[] openOrders = new long[ledger.users.end()];
        final long[] bids = new long[positions.table.end()];
        final long[] asks = new long[positions.table.end()];
        for (final SymbolRisk symbol : symbols)
        {
            if (symbol != null)
            {
                collect(symbol, reserved, openOrders, bids, asks);
            }
        }
        compare(reserved, openOrders, bids, asks);
    }

    private void verifyMoney()
    {
        final RowTable accounts = ledger.accounts;
        // What each account has with the cash of its positions, and what it keeps in the worst case.
        final long[] groups = new long[accounts.end()];
        final long[] least = new long[accounts.end()];
        for (int a = 0; a < groups.length; a++)
        {
            if (accounts.isUsed(a))
            {
                least[a] = accounts.get(a, Ledger.BALANCE);
                groups[a] = least[a] + accounts.get(a, Ledger.RESERVED);
            }
        }
        for (int position = 0; position < positions.table.end(); position++)
        {
            if (positions.table.isUsed(position))
            {
                final int a = positions.account(position);
                groups[a] = sum(groups[a], positions.cash(position), "account and positions", "user",
                    userOfAccount(a));
                least[a] += positions.worstCashOf(position);
            }
        }
        verifyCurrencies(groups, least);
    }

    private void verifyCurrencies(final long[] groups, final long[] least)
    {
        final RowTable currencies = ledger.currencies;
        // The stored sums may wrap separately; only the sum of the groups must be correct.
        final long[] balances = new long[currencies.end()];
        final long[] reserves = new long[currencies.end()];
        final long[] sums = new long[currencies.end()];
        for (int a = 0; a < groups.length; a++)
        {
            if (ledger.accounts.isUsed(a))
            {
                expect(least[a] >= -ledger.maxDebt(), "the debt is above the greatest, of user", userOfAccount(a));
                final int c = Ledger.otherOf(ledger.accounts.key(a));
                balances[c] += ledger.accounts.get(a, Ledger.BALANCE);
                reserves[c] += ledger.accounts.get(a, Ledger.RESERVED);
                sums[c] = sum(sums[c], groups[a], "the accounts", "currency", currencies.key(c));
            }
        }
        for (int c = 0; c < currencies.end(); c++)
        {
            expect(balances[c] == currencies.get(c, Ledger.BALANCES) && reserves[c] ==
                currencies.get(c, Ledger.RESERVES),
                "the stored sums differ from the accounts, of currency", currencies.key(c));
            expect(sums[c] + currencies.get(c, Ledger.FEES) == currencies.get(c, Ledger.ADJUSTED),
                "balances, reserves, cash of positions and fees do not add up to the adjustments, of currency",
                currencies.key(c));
        }
    }

    /**
     * Adds two amounts of at most 2^62 each. Refuses a sum beyond 2^62: no valid state has one, and it could wrap to a
     * right one later.
     */
    private static long sum(final long a, final long b, final String of, final String kind, final long where)
    {
        final long sum = a + b;
        if (sum < -RiskRestorer.MAX_AMOUNT || sum > RiskRestorer.MAX_AMOUNT)
        {
            expect(false, of + " have more than 2^62, of " + kind, where);
        }
        return sum;
    }

    private long userOfAccount(final int account)
    {
        return ledger.users.key(Ledger.userOf(ledger.accounts.key(account)));
    }

    private void verifyOpenInterest()
    {
        final long[] longs = new long[symbols.length];
        final long[] shorts = new long[symbols.length];
        final int[] counts = new int[symbols.length];
        for (int position = 0; position < positions.table.end(); position++)
        {
            if (positions.table.isUsed(position))
            {
                final int slot = positions.symbolOf(position).slot();
                counts[slot]++;
                longs[slot] += Math.max(0, positions.volume(position));
                shorts[slot] -= Math.min(0, positions.volume(position));
            }
        }
        for (int slot = 0; slot < symbols.length; slot++)
        {
            final int symbol = symbols[slot] == null ? 0 : symbols[slot].spec().symbol();
            expect(longs[slot] == shorts[slot], "long and short lots differ, of symbol", symbol);
            expect(longs[slot] == positions.longs(slot) && shorts[slot] == positions.shorts(slot),
                "the stored open interest differs from the positions, of symbol", symbol);
            expect(counts[slot] == positions.count(slot), "the number of positions is wrong, of symbol", symbol);
        }
    }

    private void verifyTables()
    {
        expect(ledger.users.isInOrder(), "users are not found by their numbers", 0);
        expect(ledger.accounts.isInOrder(), "accounts are not found by their keys", 0);
        expect(ledger.currencies.isInOrder(), "currencies are not found by their numbers", 0);
        expect(positions.table.isInOrder(), "positions are not found by their keys", 0);
        int accounts = 0;
        int ofFutures = 0;
        for (int user = 0; user < ledger.users.end(); user++)
        {
            if (ledger.users.isUsed(user))
            {
                for (int a = ledger.firstAccount(user); a != NONE; a = ledger.accounts.next(a))
                {
                    expect(Ledger.userOf(ledger.accounts.key(a)) == user, "another user's account is in the chain of",
                        ledger.users.key(user));
                    accounts++;
                }
                for (int p = positions.first(user); p != NONE; p = positions.table.next(p))
                {
                    expect(Ledger.userOf(positions.table.key(p)) == user, "another user's position is in the chain of",
                        ledger.users.key(user));
                    ofFutures++;
                }
            }
        }
        expect(accounts == ledger.accounts.used(), "accounts in chains are not all accounts", accounts);
        expect(ofFutures == positions.table.used(), "positions in chains are not all positions", ofFutures);
        verifyWorstCases();
    }

    private void verifyWorstCases()
    {
        final long[] worstCases = new long[ledger.accounts.end()];
        for (int p = 0; p < positions.table.end(); p++)
        {
            if (positions.table.isUsed(p))
            {
                final long key = positions.table.key(p);
                final int account = positions.account(p);
                expect(account == ledger.account(Ledger.userOf(key), positions.symbolOf(p).quote()),
                    "a position refers to another account, of user", ledger.users.key(Ledger.userOf(key)));
                worstCases[account] += positions.worstCaseOf(p);
            }
        }
        for (int a = 0; a < worstCases.length; a++)
        {
            if (ledger.accounts.isUsed(a))
            {
                expect(ledger.worstCase(a) <= worstCases[a],
                    "an account's worst case is above those of its positions, of user",
                    userOfAccount(a));
            }
        }
    }

    private void collect(
        final SymbolRisk symbol, final long[] reserved, final long[] openOrders, final long[] bids, final long[] asks)
    {
        final OrderConsumer each = (id, uid, side, price, size, filled, reserve) ->
        {
            final int user = ledger.users.find(uid);
            expect(user != NONE, "there is an order of an unknown user:", id);
            openOrders[user]++;
            final long open = size - filled;
            if (symbol instanceof SpotRisk)
            {
                final SpotRisk spot = (SpotRisk)symbol;
                final int account = ledger.account(user, spot.reserveCurrency(side));
                expect(account != NONE, "no account reserves for order", id);
                expect(side == Side.ASK || reserve >= price, "the reserve price is below the price of order", id);
                final long cost = spot.cost(side, open, reserve);
                // Compares with what is left, because a sum could overflow.
                expect(cost != Amounts.OVERFLOW &&
                    cost <= ledger.accounts.get(account, Ledger.RESERVED) - reserved[account],
                    "its account has not reserved the cost of order", id);
                reserved[account] += cost;
            }
            else
            {
                final int position =
                    positions.table.find(Ledger.key(user, symbol.slot()), positions.first(user));
                expect(position != NONE, "no position has the open lots of order", id);
                (side == Side.BID ? bids : asks)[position] += open;
            }
        };
        symbol.book().forEachOrder(Side.BID, each);
        symbol.book().forEachOrder(Side.ASK, each);
        symbol.book().forEachStop(each);
    }

    private void compare(final long[] reserved, final long[] openOrders, final long[] bids, final long[] asks)
    {
        for (int a = 0; a < reserved.length; a++)
        {
            if (ledger.accounts.isUsed(a))
            {
                expect(ledger.accounts.get(a, Ledger.RESERVED) == reserved[a],
                    "the reserve of an account differs from its orders, of user",
                    userOfAccount(a));
            }
        }
        for (int user = 0; user < openOrders.length; user++)
        {
            expect(!ledger.users.isUsed(user) || ledger.users.get(user, Ledger.OPEN_ORDERS) == openOrders[user],
                "the number of open orders is wrong, of user", ledger.users.key(user));
        }
        for (int p = 0; p < bids.length; p++)
        {
            if (positions.table.isUsed(p))
            {
                expect(positions.table.get(p, Positions.PENDING_BUY) == bids[p] &&
                    positions.table.get(p, Positions.PENDING_SELL) == asks[p],
                    "pending lots of a position differ from its orders, of user",
                    ledger.users.key(Ledger.userOf(positions.table.key(p))));
            }
        }
    }

    private static void expect(final boolean isRight, final String problem, final long where)
    {
        if (!isRight)
        {
            throw new IllegalStateException("risk: " + problem + " " + where);
        }
    }
}
