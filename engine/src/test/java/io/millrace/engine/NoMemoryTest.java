package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The greatest capacities in the small heap of a child JVM: the error reports them, and no part remains. */
class NoMemoryTest
{
    private static final SymbolTerms TERMS = SymbolTerms.future(1, 2, 1, 1, 10);
    private static final SymbolSpec FUTURE = SymbolSpec.future(7).withWindowTicks(64).withPrices(0, 1_000);
    private static final SymbolSpec GREAT = FUTURE.withOrderCapacity(SymbolSpec.MAX_ORDER_CAPACITY);

    /** Runs in the child JVM. */
    public static void main(final String[] args)
    {
        shouldLeaveNothingOfASymbolThatRanOutOfMemory();
        shouldReportTheLimitsThatExceedTheMemory();
    }

    private static void shouldLeaveNothingOfASymbolThatRanOutOfMemory()
    {
        final MatchingEngine engine = new MatchingEngine(new EngineContext()
            .risk(new RiskLimits().withUsers(4)).maxOrderCapacity(GREAT.orderCapacity())
            .maxAddedCapacity(2L * GREAT.orderCapacity()), new EventCounter());
        final long hash = engine.stateHash();
        final String message =
            assertThrows(OutOfMemoryError.class, () -> engine.addSymbol(GREAT, TERMS)).getMessage();
        assertTrue(message.startsWith("no memory for SymbolSpec[symbol=7,"), message);
        assertTrue(message.contains("orderCapacity=16777216"), message);
        engine.verify();
        assertEquals(hash, engine.stateHash());
        engine.totalsReport(new TotalsConsumer()
        {
            @Override
            public void onOpenInterest(final int symbol, final long longs, final long shorts)
            {
                throw new AssertionError("there is no symbol " + symbol);
            }
        });
        assertEquals(CommandResult.UNKNOWN_SYMBOL, engine.haltSymbol(7));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(FUTURE.withOrderCapacity(16), TERMS));
        engine.verify();
    }

    private static void shouldReportTheLimitsThatExceedTheMemory()
    {
        final EngineContext context = new EngineContext()
            .risk(new RiskLimits().withUsers(RiskLimits.MAX_CAPACITY / 4));
        final String message = assertThrows(
            OutOfMemoryError.class, () -> new MatchingEngine(context, new EventCounter())).getMessage();
        assertTrue(message.startsWith("no memory for RiskLimits[userCapacity=4194304,"), message);
    }

    @Test
    void shouldReportThePartThatRanOutOfMemoryAndRemoveIt() throws Exception
    {
        new ChildJvm().flags("-Xmx32m", "-XX:+UseSerialGC").lines(NoMemoryTest.class);
    }
}
