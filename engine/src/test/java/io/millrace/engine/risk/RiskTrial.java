package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * An engine with users and the reference, given the same commands. Compared after each: result and executions. Compared
 * at each inspection: fees; accounts, reserves, positions and open orders of the users of the command. After each
 * square of so many commands also the hash after a refusal, and after ten times that what all users have, and the
 * engine's own check of itself, which adds everything up.
 */
final class RiskTrial
{
    private final List<Execution> events = new ArrayList<>();
    private final MatchingEngine engine;
    private final ReferenceRisk reference;
    private final Map<String, Integer> tally;

    RiskTrial(final RandomRiskCommands random, final Map<String, Integer> tally)
    {
        this.tally = tally;
        final RiskLimits limits = random.limits();
        final EngineContext withUsers = new EngineContext().risk(limits);
        final EngineContext bare = new EngineContext();
        RandomRiskCommands.TERMS.forEach((symbol, terms) ->
        {
            withUsers.symbol(random.spec(symbol), terms);
            bare.symbol(random.spec(symbol).withMinAskPrice(
                terms.maxPosition() > 0 ? 0 : (terms.takerFee() + terms.quoteScaleK() - 1) / terms.quoteScaleK()));
        });
        engine = new MatchingEngine(withUsers, (Execution.Listener)events::add);
        reference = new ReferenceRisk(limits, RandomRiskCommands.TERMS, bare);
    }

    /** The engine at the end. */
    static MatchingEngine run(
        final long seed, final int commands, final int lookEvery, final Map<String, Integer> tally)
    {
        final RandomRiskCommands random = new RandomRiskCommands(seed);
        final RiskTrial trial = new RiskTrial(random, tally);
        for (int i = 0; i < commands; i++)
        {
            final RiskCommand command = random.next(trial.reference);
            try
            {
                trial.give(command, i, lookEvery);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                fail("seed " + seed + ", command " + i + ": " + command + "\nevents " + trial.events + "\nexpected " +
                    trial.reference.events, ex);
            }
        }
        trial.reference.marks.forEach((mark, times) -> tally.merge("marked " + mark, times, Integer::sum));
        return trial.engine;
    }

    private void give(final RiskCommand command, final int number, final int lookEvery)
    {
        events.clear();
        reference.events.clear();
        final boolean hashes = number % (lookEvery * lookEvery) == 0;
        final long hash = hashes ? engine.stateHash() : 0;
        final CommandResult expected = reference.give(command);
        final CommandResult result = command.giveTo(engine);
        assertEquals(expected, result);
        assertEquals(reference.events, events);
        if (hashes && result != CommandResult.SUCCESS && events.isEmpty())
        {
            assertEquals(hash, engine.stateHash(), "a refusal changes nothing");
        }
        if (number % (10 * lookEvery * lookEvery) == 0)
        {
            engine.verify();
            RandomRiskCommands.allUsers().forEach(this::compareUser);
        }
        if (number % lookEvery == 0)
        {
            reference.touched.forEach(this::compareUser);
            compareFees();
        }
        tally.merge(command.kind + " " + result, 1, Integer::sum);
        events.forEach(event -> tally.merge(event.kind().name(), 1, Integer::sum));
        if (events.stream().anyMatch(event -> event.symbol() != command.symbol))
        {
            tally.merge("expiry elsewhere " + (command.isOfUser() ? "of a user's command" : result), 1, Integer::sum);
        }
    }

    private void compareUser(final long uid)
    {
        final ReportRows user = ReportRows.user(engine, uid);
        final boolean isKnown = user.result == CommandResult.SUCCESS;
        assertEquals(reference.owned.containsKey(uid), isKnown);
        assertEquals(isKnown ? reference.listing(uid) : List.of(), listing(user));
    }

    private void compareFees()
    {
        final Map<Integer, Long> earned = new TreeMap<>();
        ReportRows.totals(engine).currencies.forEach(each -> earned.put(each.currency(), each.fees()));
        reference.fees.forEach((currency, fee) -> assertEquals(fee.longValueExact(), earned.get(currency)));
    }

    private static List<String> listing(final ReportRows user)
    {
        final List<String> rows = new ArrayList<>();
        user.accounts.stream().filter(each -> each.balance() != 0 || each.reserved() != 0)
            .forEach(each -> rows.add("account " + each.currency() + ": " + each.balance() + " " + each.reserved()));
        user.positions.forEach(each -> rows.add("position " + each.symbol() + ": " + each.volume() + " " +
            each.priceSum() + " " + each.profit() + " " + each.asks() + " " + each.bids()));
        user.orders.forEach(each ->
            rows.add("order " + each.symbol() + ": " + each.id() + " " + (each.size() - each.filled())));
        rows.sort(null);
        return rows;
    }
}
