package io.millrace.engine.book;

import io.millrace.engine.FeedHash;
import io.millrace.engine.codec.BookSnapshotCodec;
import io.millrace.engine.tables.Fnv;
import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A book is restored from its snapshot at a random command, and both continue with the same random commands of all
 * types: results, executions, market data, state hash and the book's own check of itself agree. A failure names its
 * seed.
 */
class BookSnapshotPropertyTest
{
    private static final int SEEDS = 20;
    private static final int MAX_BEFORE = 3_000;
    private static final int AFTER = 10_000;
    private static final int LOOK_EVERY = 500;
    private static final int SPOILT = 1_000;

    private int extraFields;
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
        book.execute(new BookCommand().place(OrderType.GTC, Side.ASK).orderId(1).uid(1).price(price).size(2));
        book.execute(new BookCommand().place(OrderType.IOC, Side.BID).orderId(2).uid(1).price(price).size(1)
            .reservePrice(price));
        book.cancel(1, 1);
    }

    private void restore(final OrderBook from, final OrderBook into)
    {
        final BookSnapshot taken = new BookSnapshot(from.spec().orderCapacity());
        taken.take(from);
        extraFields += taken.extraFieldCount();
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
    void shouldContinueAsTheOriginalBook()
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
        assertTrue(extraFields > SEEDS && stops > SEEDS,
            "orders with extra fields " + extraFields + ", stops " + stops);
    }

    @Test
    void shouldRestoreACorruptSnapshotToAValidBookOrRefuseIt()
    {
        int restored = 0;
        int refused = 0;
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final RandomCommands commands = new RandomCommands(seed, false);
            final ReferenceBook reference = new ReferenceBook(commands.spec(), new Tape());
            final OrderBook book = new OrderBook(commands.spec(), new Tape());
            final OrderBook again = new OrderBook(commands.spec(), new Tape());
            final BookSnapshot snapshot = new BookSnapshot(commands.spec().orderCapacity());
            final Random random = new Random(seed);
            for (int i = 0; i < SPOILT; i++)
            {
                final RandomCommand command = commands.next(reference);
                command.giveTo(reference);
                command.giveTo(book);
                snapshot.take(book);
                final String what = "seed " + seed + ", command " + i + ": " + spoil(snapshot, random);
                if (isRestored(snapshot, again, what))
                {
                    restored++;
                    assertSame(what, snapshot, again);
                }
                else
                {
                    refused++;
                }
                empty(again);
            }
        }
        assertTrue(restored > 1_000 && refused > 1_000, "restored " + restored + ", refused " + refused);
    }

    private static String spoil(final BookSnapshot snapshot, final Random random)
    {
        if (snapshot.orderCount() == 0)
        {
            return "nothing";
        }
        final int to = random.nextInt(snapshot.orderCount() * BookSnapshot.ROW_WORDS);
        final int from = random.nextInt(snapshot.orderCount()) * BookSnapshot.ROW_WORDS + to % BookSnapshot.ROW_WORDS;
        final long before = snapshot.word(to);
        final long[] values = {before + 1, before - 1, snapshot.word(from), -before, 0, Long.MIN_VALUE, Long.MAX_VALUE,
            before ^ 1L << random.nextInt(Long.SIZE), random.nextInt(20)};
        snapshot.word(to, values[random.nextInt(values.length)]);
        if (snapshot.extraFieldCount() > 0 && random.nextInt(4) == 0)
        {
            final int extraField = random.nextInt(snapshot.extraFieldCount());
            snapshot.extraField(extraField, snapshot.extraField(extraField) + random.nextInt(5) - 2);
        }
        return "word " + to + " from " + before + " to " + snapshot.word(to);
    }

    private static boolean isRestored(final BookSnapshot snapshot, final OrderBook into, final String what)
    {
        final long hash = into.stateHash();
        boolean restored = true;
        try
        {
            snapshot.restoreTo(into);
        }
        catch (final BookSnapshotException ex)
        {
            restored = false;
            assertEquals(0, into.orderCount(), what);
            assertEquals(hash, into.stateHash(), what);
        }
        try
        {
            into.verify();
        }
        catch (final IllegalStateException ex)
        {
            throw new AssertionError(what, ex);
        }
        return restored;
    }

    private static void assertSame(final String what, final BookSnapshot snapshot, final OrderBook book)
    {
        final BookSnapshot taken = new BookSnapshot(book.spec().orderCapacity());
        taken.take(book);
        assertEquals(snapshot.orderCount(), taken.orderCount(), what);
        for (int i = 0; i < taken.orderCount() * BookSnapshot.ROW_WORDS; i++)
        {
            assertEquals(snapshot.word(i), taken.word(i), what);
        }
        for (int i = 0; i < taken.extraFieldCount(); i++)
        {
            assertEquals(snapshot.extraField(i), taken.extraField(i), what);
        }
    }

    private static void empty(final OrderBook book)
    {
        final List<Long> ids = new ArrayList<>();
        final List<Long> users = new ArrayList<>();
        final OrderConsumer consumer = (id, uid, side, price, size, filled, reserve) ->
        {
            ids.add(id);
            users.add(uid);
        };
        book.forEachOrder(Side.BID, consumer);
        book.forEachOrder(Side.ASK, consumer);
        book.forEachStop(consumer);
        for (int i = 0; i < ids.size(); i++)
        {
            assertEquals(CommandResult.SUCCESS, book.cancel(ids.get(i), users.get(i)));
        }
    }
}
