package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A book of an engine with users cannot be restored alone: its orders would have no reserve. */
class RestoreUnderUsersTest
{
    private static final SymbolSpec SPOT =
        SymbolSpec.spot(5).withOrderCapacity(16).withWindowTicks(64).withPrices(1, 900);
    private static final SymbolSpec FUTURE =
        SymbolSpec.future(6).withOrderCapacity(16).withWindowTicks(64).withPrices(1, 900);

    private final BookSnapshot snapshot = new BookSnapshot(16);

    private static MatchingEngine withUsers()
    {
        return new MatchingEngine(new EngineContext().risk(new RiskLimits().withUsers(4))
            .symbol(SPOT, SymbolTerms.spot(1, 2, 1, 1))
            .symbol(FUTURE, SymbolTerms.future(1, 2, 40, 50, 100)), new EventCounter());
    }

    @Test
    void shouldRefuseABookOfAnEngineWithUsers()
    {
        for (final SymbolSpec spec : new SymbolSpec[] {SPOT, FUTURE})
        {
            for (int orders = 0; orders < 2; orders++)
            {
                final OrderBook alone = new OrderBook(spec, new EventCounter());
                for (int i = 0; i < orders; i++)
                {
                    alone.execute(new BookCommand().place(OrderType.GTC, Side.ASK).orderId(1).uid(7).price(100)
                        .size(5));
                }
                snapshot.take(alone);
                final MatchingEngine engine = withUsers();
                final long hash = engine.stateHash();
                final BookSnapshotException refusal = assertThrows(
                    BookSnapshotException.class, () -> snapshot.restoreTo(engine.book(spec.symbol())));
                assertEquals("symbol " + spec.symbol() + " belongs to an engine with users: no money " +
                    "would be reserved for the snapshot's orders; restore to a book without users",
                    refusal.getMessage());
                assertEquals(hash, engine.stateHash());
                engine.verify();
            }
        }
    }

    @Test
    void shouldRestoreABookOfAnEngineWithoutUsers()
    {
        final MatchingEngine from = new MatchingEngine(new EngineContext().symbol(SPOT), new EventCounter());
        assertEquals(CommandResult.SUCCESS, from.execute(5, new BookCommand().place(OrderType.GTC, Side.ASK).orderId(1)
            .uid(7).price(100).size(5)));
        snapshot.take(from.book(5));
        final MatchingEngine to = new MatchingEngine(new EngineContext().symbol(SPOT), new EventCounter());
        snapshot.restoreTo(to.book(5));
        assertEquals(from.stateHash(), to.stateHash());
    }
}
