package io.millrace.engine.book;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.CommandResult.BOOK_FULL;
import static io.millrace.engine.book.CommandResult.DUPLICATE_ORDER;
import static io.millrace.engine.book.CommandResult.SUCCESS;
import static io.millrace.engine.book.CommandResult.UNKNOWN_ORDER;
import static io.millrace.engine.book.CommandResult.WRONG_PRICE;
import static io.millrace.engine.book.CommandResult.WRONG_SIDE;
import static io.millrace.engine.book.CommandResult.WRONG_SIZE;
import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** 0 bytes allocated by over 1,000,000 calls of every kind and with every refusal, after warm-up. */
@Tag("normal")
class MarketByOrderBookAllocationTest
{
    private static final int CALLS = 1_000_000;
    /** Enough for the compilers to have seen every branch. */
    private static final int WARM_UP = 400_000;
    private static final int MAX_WINDOWS = 6;
    private static final int CAPACITY = 256;

    private final MarketByOrderBook book =
        new MarketByOrderBook(SymbolSpec.future(1).withOrderCapacity(CAPACITY).withWindowTicks(64));
    private int calls;
    private long reported;
    private final PriceLevelConsumer levels = (side, price, volume, orders) -> reported += price + volume + orders;
    private final OrderConsumer orders = (id, uid, side, price, size, filled, reserve) -> reported += id + price + size;

    private void expect(final CommandResult expected, final CommandResult result)
    {
        calls++;
        if (result != expected)
        {
            throw new AssertionError(result + " instead of " + expected);
        }
    }

    /** Fills the book, some prices inside the window and some outside, and empties it in every possible way. */
    private void round(final int turn)
    {
        for (int id = 0; id < CAPACITY; id++)
        {
            final long price = id % 8 == 0 ? 1L << id % 60 : 10_000 + turn % 200 + id % 16;
            expect(SUCCESS, book.add(id, (byte)(id & 1), price, 10));
        }
        expect(BOOK_FULL, book.add(CAPACITY, BID, 1, 1));
        expect(DUPLICATE_ORDER, book.add(1, BID, 1, 1));
        refuse();
        for (int id = 0; id < CAPACITY; id++)
        {
            expect(SUCCESS, book.reduce(id, 1));
            expect(SUCCESS, book.execute(id, 1));
            expect(SUCCESS, book.replace(id, id + CAPACITY, 10_000 + turn % 200 + id % 16, 9));
            if (id % 64 == 0)
            {
                ask();
            }
        }
        for (int id = CAPACITY; id < 2 * CAPACITY - 3; id += 3)
        {
            expect(SUCCESS, book.reduce(id, 9));
            expect(SUCCESS, book.execute(id + 1, 9));
            expect(id % 2 == 0 ? SUCCESS : WRONG_SIZE, book.reduce(id + 2, id % 2 == 0 ? 9 : 10));
            if (id % 2 != 0)
            {
                expect(SUCCESS, book.cancel(id + 2));
            }
        }
        book.clear();
        calls++;
    }

    private void refuse()
    {
        expect(WRONG_SIDE, book.add(1, (byte)2, 1, 1));
        expect(WRONG_SIZE, book.add(1, BID, 1, 0));
        expect(WRONG_PRICE, book.add(1, BID, -1, 1));
        expect(WRONG_SIZE, book.reduce(1, 11));
        expect(WRONG_SIZE, book.execute(1, 0));
        expect(UNKNOWN_ORDER, book.reduce(-1, 1));
        expect(UNKNOWN_ORDER, book.execute(-1, 1));
        expect(UNKNOWN_ORDER, book.cancel(-1));
        expect(WRONG_SIZE, book.replace(1, 2, 1, 0));
        expect(WRONG_PRICE, book.replace(1, 2, -1, 1));
        expect(UNKNOWN_ORDER, book.replace(-1, 2, 1, 1));
        expect(DUPLICATE_ORDER, book.replace(1, 2, 1, 1));
    }

    private void ask()
    {
        reported += book.forEachLevel(BID, 10, levels) + book.forEachLevel(ASK, -1, levels);
        book.forEachOrder(BID, orders);
        book.forEachOrder(ASK, orders);
        reported += book.bestPrice(BID) + book.bestVolume(ASK) + book.volumeAt(ASK, 10_000) + book.levelCount(BID) +
            book.orderCount();
        assertTrue(book.withOrder(CAPACITY, orders));
    }

    private void run(final int count)
    {
        final int end = calls + count;
        for (int turn = 0; calls < end; turn++)
        {
            round(turn);
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        run(WARM_UP);
        AllocationWindows.assertNothing(CALLS + " calls", MAX_WINDOWS, () -> run(CALLS));
        assertTrue(reported != 0);
    }
}
