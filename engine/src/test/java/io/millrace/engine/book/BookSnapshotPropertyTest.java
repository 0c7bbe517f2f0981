package io.millrace.engine.book;

import io.millrace.engine.codec.BookSnapshotCodec;
import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A book is restored from its snapshot at a random command, and both go on with the same random commands of all types:
 * results, executions, market data, state hash and the book's own check of itself agree. A failure names its seed.
 */
class BookSnapshotPropertyTest
{
    private static final int SEEDS = 25;
    private static final int MAX_BEFORE = 3_000;
    private static final int AFTER = 10_000;
    private static final int LOOK_EVERY = 500;

    private int notes;
    private int stops;

    private void run(final long seed)
    {
        final RandomCommands commands = new RandomCommands(seed, false);
        final String from = "seed " + seed + " (" + commands + ")";
        final ReferenceBook reference = new ReferenceBook(commands.spec(), new Tape());
        final Tape events = new Tape();
        final Tape eventsAgain = new Tape();
        final FeedHash feed = new FeedHash();
        final FeedHash feedAgain = new FeedHash();
        final OrderBook book = new OrderBook(commands.spec(), events, feed);
        final int before = new Random(seed).nextInt(MAX_BEFORE);
        for (int i = 0; i < before; i++)
        {
            final RandomCommand command = commands.next(reference);
            command.giveTo(reference);
            command.giveTo(book);
        }
        feed.hash = Fnv.OFFSET;
        final OrderBook again = new OrderBook(commands.spec(), eventsAgain, feedAgain);
        if (seed % 2 == 0)
        {
            makeUsedAndEmpty(again);
            eventsAgain.clear();
            feedAgain.hash = Fnv.OFFSET;
        }
        restore(book, again);
        assertTrue(eventsAgain.isEmpty(), "a restoration is no execution");
        compare(from, book, again);
        for (int i = 0; i < AFTER; i++)
        {
            events.clear();
            eventsAgain.clear();
            final RandomCommand command = commands.next(reference);
            command.giveTo(reference);
            final CommandResult result = command.giveTo(book);
            final String what = from + ", command " + i + " after the snapshot of " + before + ": " + command;
            assertEquals(result, command.giveTo(again), what);
            assertTrue(events.isEqualTo(eventsAgain), what);
            assertEquals(feed.hash, feedAgain.hash, what);
            if (i % LOOK_EVERY == 0)
            {
                compare(what, book, again);
            }
        }
        compare(from, book, again);
    }

    private static void makeUsedAndEmpty(final OrderBook book)
    {
        final long price = book.spec().maxPrice();
        book.place(OrderType.GTC, Side.ASK, 1, 1, price, 2, 0);
        book.place(OrderType.IOC, Side.BID, 2, 1, price, 1, price);
        book.cancel(1, 1);
    }

    private void restore(final OrderBook from, final OrderBook into)
    {
        final BookSnapshot taken = new BookSnapshot(from.spec().orderCapacity());
        taken.take(from);
        notes += taken.noteCount();
        stops += taken.stopCount();
        final BookSnapshotCodec codec = new BookSnapshotCodec();
        final ByteView bytes = new ByteView(new byte[codec.lengthBytes(taken) + 3]);
        final int length = codec.encode(taken, bytes, 3);
        final BookSnapshot read = new BookSnapshot(Math.max(1, taken.orderCount()));
        codec.decode(bytes, 3, length, read);
        read.restoreTo(into);
    }

    private static void compare(final String what, final OrderBook book, final OrderBook again)
    {
        again.verify();
        assertEquals(book.stateHash(), again.stateHash(), what);
        assertEquals(book.orderCount(), again.orderCount(), what);
        assertEquals(book.orderSequence(), again.orderSequence(), what);
        assertEquals(book.levelSequence(), again.levelSequence(), what);
        assertEquals(book.lastTradePrice(), again.lastTradePrice(), what);
    }

    @Test
    void shouldGoOnAsTheBookThatItWasTakenOf()
    {
        final Long only = Long.getLong("millrace.seed");
        if (only != null)
        {
            run(only);
            return;
        }
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            run(seed);
        }
        assertTrue(notes > SEEDS && stops > SEEDS, "orders with notes " + notes + ", stops " + stops);
    }
}
