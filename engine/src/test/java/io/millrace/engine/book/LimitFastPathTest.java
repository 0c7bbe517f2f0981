package io.millrace.engine.book;

import io.millrace.engine.FeedHash;
import io.millrace.engine.Listeners;
import io.millrace.engine.tables.OrderIndex;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The fast path against the general path. Four books execute the same commands: by each command's own method, by {@link
 * OrderBook#execute}, the same with market data, and the same on the general path: each of its plain orders has an
 * expiry that never comes. They must agree in everything; the last two also in the order of all calls of the listeners,
 * and in what a listener reads from the book.
 */
class LimitFastPathTest
{
    // The window begins at minAskPrice. So it contains the greatest price and 13 above it, but not the least price.
    private static final SymbolSpec SPEC =
        SymbolSpec.spot(1).withOrderCapacity(40).withWindowTicks(64).withPrices(100, 170).withMinAskPrice(120);
    // Less than half of the window is valid on both sides.
    private static final SymbolSpec FEW = SPEC.withPrices(100, 153).withMinAskPrice(140);
    private static final byte[] SIDES = {Side.BID, Side.ASK};
    private static final byte[] COMMANDS =
        {BookCommand.PLACE, BookCommand.CANCEL, BookCommand.REDUCE, BookCommand.MOVE, BookCommand.REPLACE};
    private static final long UID = 7;
    private static final long OTHER = 8;
    private static final long[] EXTREMES = {0, 1, -1, Long.MIN_VALUE, Long.MIN_VALUE + 1, -(1L << 62), 1L << 62,
        SymbolSpec.MAX_PRICE, Long.MAX_VALUE};

    private static final int FED = 2;
    private static final int GENERAL = 3;
    private static final int BOOKS = 4;

    // Executions of each book.
    private final Tape[] tapes = tapes();
    // Executions and market data of the last two books.
    private final Tape[] all = tapes();
    private final Tape[] listings = tapes();
    private OrderBook[] books = books(SPEC);

    private static Tape[] tapes()
    {
        return Stream.generate(Tape::new).limit(BOOKS).toArray(Tape[]::new);
    }

    private OrderBook[] books(final SymbolSpec spec)
    {
        return new OrderBook[]{new OrderBook(spec, tapes[0]), new OrderBook(spec, tapes[1]), fed(spec, FED),
            fed(spec, GENERAL)};
    }

    private OrderBook fed(final SymbolSpec spec, final int which)
    {
        return new OrderBook(spec, new Listeners(tapes[which], all[which], () -> look(which)), new FeedHash()
        {
            @Override
            protected void add(
                final int kind,
                final int symbol,
                final long sequence,
                final byte side,
                final long orderId,
                final long price,
                final long size,
                final int orders)
            {
                all[which].add(Tape.FEED, kind, sequence, side, orderId, price, size, orders);
                all[which].add(Tape.STATE, books[which].volumeAt(side, price));
                if (kind != LEVEL_CHANGED)
                {
                    books[which].withOrder(orderId, all[which]);
                }
                look(which);
            }
        });
    }

    /** What a listener can read. */
    private void look(final int which)
    {
        final OrderBook book = books[which];
        all[which].add(Tape.STATE, book.bestPrice(Side.BID), book.bestPrice(Side.ASK), book.orderCount(),
            book.lastTradePrice(), book.orderSequence(), book.levelSequence());
    }

    private Tape listing(final int which)
    {
        final Tape listing = listings[which];
        listing.clear();
        books[which].forEachOrder(Side.BID, listing);
        books[which].forEachOrder(Side.ASK, listing);
        books[which].forEachStop(listing);
        return listing;
    }

    private static BookCommand command(
        final byte command,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long id,
        final long uid,
        final long price,
        final long size,
        final long reserve,
        final long parameter)
    {
        return new BookCommand().commandType(command).orderType(type).side(side).selfTradePolicy(selfTrade).orderId(id)
            .uid(uid).price(price).size(size).reservePrice(reserve).parameter(parameter);
    }

    private static CommandResult giveAlone(final OrderBook book, final BookCommand c)
    {
        return switch (c.commandType())
        {
            case BookCommand.PLACE -> book.execute(c);
            case BookCommand.CANCEL -> book.cancel(c.orderId(), c.uid());
            case BookCommand.REDUCE -> book.reduce(c.orderId(), c.uid(), c.size());
            case BookCommand.MOVE -> book.move(c.orderId(), c.uid(), c.price());
            case BookCommand.REPLACE -> book.replace(c.orderId(), c.uid(), c.price(), c.size());
            default -> CommandResult.UNKNOWN_COMMAND;
        };
    }

    /** Executes one command in all books; returns their answer, which must be the same. */
    private CommandResult give(final BookCommand command)
    {
        Stream.of(tapes, all).flatMap(Stream::of).forEach(Tape::clear);
        final CommandResult result = giveAlone(books[0], command);
        final CommandResult atOnce = books[1].execute(command);
        final CommandResult fed = books[FED].execute(command);
        if ((command.orderType() | command.selfTradePolicy() | command.parameter()) == 0)
        {
            command.orderType(OrderType.GTD).parameter(Long.MAX_VALUE);
        }
        final CommandResult general = books[GENERAL].execute(command);
        final boolean same = result == atOnce && result == fed && result == general &&
            tapes[0].isEqualTo(tapes[1]) && tapes[0].isEqualTo(tapes[FED]) && all[FED].isEqualTo(all[GENERAL]) &&
            books[0].stateHash() == books[1].stateHash() && books[0].stateHash() == books[FED].stateHash() &&
            listing(FED).isEqualTo(listing(GENERAL));
        assertTrue(same, () -> "as the general path got it: " + command + ": " + result + tapes[0] + ", at once " +
            atOnce + tapes[1] + ", with market data " + fed + all[FED] + ", in general " + general + all[GENERAL]);
        return result;
    }

    private CommandResult give(
        final byte command, final byte side, final long id, final long price, final long size, final long reserve)
    {
        return give(command(
            command, OrderType.GTC, side, SelfTradePolicy.ALLOW, id, UID, price, size, reserve, 0));
    }

    private void place(final byte side, final long id, final long price)
    {
        assertEquals(CommandResult.SUCCESS, give(BookCommand.PLACE, side, id, price, 5, price));
    }

    private void verify()
    {
        for (final OrderBook book : books)
        {
            book.verify();
        }
    }

    private static Stream<SymbolSpec> specs()
    {
        return Stream.of(SPEC, FEW);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void shouldEnforceAllLimitsOfAPlacementBehindTheBestPrice(final SymbolSpec spec)
    {
        books = books(spec);
        placeBehindTheBest();
        final long[] prices = LongStream.concat(LongStream.of(EXTREMES), LongStream.of(
            99, 100, 101, 119, 120, 121, 139, 140, 149, 150, 151, 152, 153, 154, 169, 170, 171)).toArray();
        final long[] sizes = LongStream.concat(LongStream.of(EXTREMES),
            LongStream.of(5, SPEC.maxSize() - 1, SPEC.maxSize(), SPEC.maxSize() + 1)).toArray();
        for (final byte side : SIDES)
        {
            for (final long price : prices)
            {
                for (final long size : sizes)
                {
                    if (give(BookCommand.PLACE, side, 3, price, size, price) == CommandResult.SUCCESS)
                    {
                        give(BookCommand.CANCEL, side, 3, price, size, price);
                    }
                    setUp();
                }
            }
        }
        verify();
    }

    /** A best and a second best price on each side: the fast path moves orders from behind these only. */
    private void placeBehindTheBest()
    {
        place(Side.BID, 1, 150);
        place(Side.ASK, 2, 151);
        place(Side.BID, 4, 149);
        place(Side.ASK, 5, 152);
    }

    /** Restores the size that a crossing placement has taken. */
    private void setUp()
    {
        for (final byte side : SIDES)
        {
            final long id = 1 + side;
            give(BookCommand.CANCEL, side, id, 0, 0, 0);
            place(side, id, 150 + side);
        }
    }

    @ParameterizedTest
    @MethodSource("specs")
    void shouldEnforceAllLimitsOfAMoveBehindTheBestPrice(final SymbolSpec spec)
    {
        books = books(spec);
        final long[] prices = LongStream.concat(LongStream.of(EXTREMES), LongStream.of(
            99, 100, 119, 120, 121, 130, 131, 139, 140, 149, 150, 153, 154, 160, 169, 170, 171)).toArray();
        placeBehindTheBest();
        for (final byte side : SIDES)
        {
            for (final long reserve :
                LongStream.concat(LongStream.of(EXTREMES), LongStream.of(100, 130, 170)).toArray())
            {
                for (final long price : prices)
                {
                    final long placed = side == Side.BID ? 140 : Math.min(160, spec.maxPrice());
                    give(BookCommand.PLACE, side, 3, placed, 5, reserve);
                    give(BookCommand.MOVE, side, 3, price, 0, 0);
                    give(BookCommand.CANCEL, side, 3, 0, 0, 0);
                    setUp();
                }
            }
        }
        verify();
    }

    /** A restore creates a book in the memory of another one, and may be refused after it. */
    @Test
    void shouldKeepItsPriceLimitsBesideAnEmptyBookWithOthersOfTheSameSize()
    {
        place(Side.BID, 1, 150);
        place(Side.BID, 2, 140);
        give(BookCommand.CANCEL, Side.BID, 1, 0, 0, 0);
        give(BookCommand.CANCEL, Side.BID, 2, 0, 0, 0);
        for (final SymbolSpec other : new SymbolSpec[]{SPEC.withPrices(0, SymbolSpec.MAX_PRICE).withMinAskPrice(0),
            SPEC.withPrices(130, 170), SPEC.withPrices(100, 160), SPEC.withMinAskPrice(125)})
        {
            for (final OrderBook book : books)
            {
                shouldKeepItsLimits(new OrderBook(other, new Tape(), null, book));
            }
            place(Side.BID, 1, 150);
            place(Side.BID, 2, 149);
            for (final long price : new long[]{99, 100, 119, 120, 148, 160, 161, 170, 171})
            {
                give(BookCommand.PLACE, Side.BID, 3, price, 5, price);
                give(BookCommand.CANCEL, Side.BID, 3, 0, 0, 0);
                give(BookCommand.PLACE, Side.ASK, 3, 165, 5, 0);
                assertEquals(price > 170 || price < 100 ? CommandResult.WRONG_PRICE :
                    price < 120 ? CommandResult.ASK_BELOW_FEE : CommandResult.SUCCESS,
                    give(BookCommand.MOVE, Side.ASK, 3, price, 0, 0));
                give(BookCommand.CANCEL, Side.ASK, 3, 0, 0, 0);
                give(BookCommand.CANCEL, Side.BID, 1, 0, 0, 0);
                give(BookCommand.CANCEL, Side.BID, 2, 0, 0, 0);
                place(Side.BID, 1, 150);
                place(Side.BID, 2, 149);
            }
            give(BookCommand.CANCEL, Side.BID, 1, 0, 0, 0);
            give(BookCommand.CANCEL, Side.BID, 2, 0, 0, 0);
        }
        verify();
    }

    private static void shouldKeepItsLimits(final OrderBook book)
    {
        final SymbolSpec spec = book.spec();
        for (long price = 95; price < 175; price++)
        {
            for (final byte side : SIDES)
            {
                final CommandResult expected = price < spec.minPrice() || price > spec.maxPrice() ?
                    CommandResult.WRONG_PRICE : side == Side.ASK && price < spec.minAskPrice() ?
                    CommandResult.ASK_BELOW_FEE : CommandResult.SUCCESS;
                assertEquals(expected, giveAlone(book, command(
                    BookCommand.PLACE, OrderType.GTC, side, (byte)0, 1, UID, price, 5, price, 0)));
                book.cancel(1, UID);
            }
        }
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldAnswerEveryByteAsTheSingleMethodsDo()
    {
        place(Side.BID, 1, 150);
        place(Side.ASK, 2, 151);
        place(Side.BID, 3, 140);
        for (int i = Byte.MIN_VALUE; i <= Byte.MAX_VALUE; i++)
        {
            final byte any = (byte)i;
            for (final byte command : COMMANDS)
            {
                for (final long id : new long[]{3, 4})
                {
                    give(command(command, any, Side.BID, (byte)0, id, UID, 140, 5, 140, 0));
                    give(command(command, (byte)0, any, (byte)0, id, UID, 139, 4, 140, 0));
                    give(command(command, (byte)0, Side.BID, any, id, UID, 138, 3, 140, 0));
                    give(command(command, (byte)0, Side.ASK, (byte)0, id, UID, 160, any, 140, 0));
                    give(command(command, (byte)0, Side.ASK, (byte)0, id, UID, 160, 1, 140, any));
                    give(command(command, (byte)0, Side.BID, (byte)0, id, any, any, 1, 140, 0));
                }
            }
            if ((i < BookCommand.PLACE || i > BookCommand.REPLACE) && i != BookCommand.REPLACE_OPEN)
            {
                assertEquals(CommandResult.UNKNOWN_COMMAND,
                    give(command(
                    any, OrderType.GTC, Side.BID, SelfTradePolicy.ALLOW, 1, UID, 140, 1, 140, 0)));
            }
        }
        assertEquals(CommandResult.UNKNOWN_COMMAND, books[0].change(BookCommand.PLACE, 5, UID, 140, 1));
        verify();
    }

    @Test
    void shouldFindAnIdInTheOverflowWhoseBucketIsEmpty()
    {
        final long[] ids = CollidingIds.of(SPEC.orderCapacity(), OrderIndex.BUCKET + 2);
        place(Side.BID, -1, 150);
        for (final long id : ids)
        {
            place(Side.BID, id, 140);
        }
        for (int i = 0; i < OrderIndex.BUCKET; i++)
        {
            assertEquals(CommandResult.SUCCESS, give(BookCommand.CANCEL, Side.BID, ids[i], 0, 0, 0));
        }
        for (int i = OrderIndex.BUCKET; i < ids.length; i++)
        {
            assertEquals(CommandResult.DUPLICATE_ORDER, give(BookCommand.PLACE, Side.BID, ids[i], 140, 5, 140));
            assertEquals(CommandResult.SUCCESS, give(BookCommand.MOVE, Side.BID, ids[i], 139, 0, 0));
            assertEquals(CommandResult.SUCCESS, give(BookCommand.REDUCE, Side.BID, ids[i], 0, 1, 0));
            assertEquals(CommandResult.SUCCESS, give(BookCommand.CANCEL, Side.BID, ids[i], 0, 0, 0));
        }
        verify();
    }

    @Test
    void shouldSwapSidesOverBitsOfEmptyLevels()
    {
        final Random random = new Random(6);
        for (int round = 0; round < 60; round++)
        {
            final byte side = (byte)(round & 1);
            final int best = side == Side.BID ? 160 : 130;
            final int worse = side == Side.BID ? -1 : 1;
            for (int i = 0; i < 30; i++)
            {
                place(side, i, best + (long)worse * (round % 4 < 2 ? i : 29 - i));
            }
            for (int i = 0; i < 30; i++)
            {
                // From the worst, from the best, and in between.
                final int next = round % 3 == 0 ? 29 - i : round % 3 == 1 ? i : (i * 7 + 3) % 30;
                if (random.nextInt(3) == 0)
                {
                    give(BookCommand.MOVE, side, next, best + (long)worse * random.nextInt(40), 0, 0);
                }
                assertEquals(CommandResult.SUCCESS, give(BookCommand.CANCEL, side, next, 0, 0, 0));
                verify();
            }
            assertEquals(0, books[0].levelCount(side));
        }
    }

    @Test
    void shouldMatchTheGeneralPathWithAnyMixOfCommands()
    {
        for (int seed = 1; seed <= 20; seed++)
        {
            final Random random = new Random(seed);
            final long centre = seed % 4 == 0 ? SymbolSpec.MAX_PRICE - 40 : seed % 4 == 1 ? 20 : 1_000;
            final SymbolSpec wide = new SymbolSpec(1, seed % 3 == 0 ? SymbolType.FUTURE : SymbolType.SPOT,
                1 + random.nextInt(60), 64);
            // On each side of the centre fewer prices than the window has, or more.
            books = books(seed % 2 == 0 ? wide : wide.withPrices(Math.max(0, centre - random.nextInt(100)),
                Math.min(SymbolSpec.MAX_PRICE, centre + random.nextInt(100)))
                .withMinAskPrice(Math.max(0, centre - random.nextInt(30))));
            for (int i = 0; i < 2_000; i++)
            {
                giveAny(random, centre, i / 100 % 3);
            }
            verify();
        }
    }

    private void giveAny(final Random random, final long centre, final int phase)
    {
        final byte side = (byte)random.nextInt(2);
        final byte command = phase == 0 && random.nextBoolean() ? BookCommand.PLACE :
            COMMANDS[random.nextInt(COMMANDS.length)];
        final boolean plain = random.nextInt(5) > 0;
        final byte type = plain ? 0 : (byte)random.nextInt(12);
        // Sometimes over the edges of the window, and sometimes as an order of the other side.
        final long distance = random.nextInt(random.nextInt(6) == 0 ? 200 : 12) - 2;
        final long price = centre + (side == Side.BID ? -distance : distance);
        final long size = random.nextInt(40) == 0 ? EXTREMES[random.nextInt(EXTREMES.length)] : 1 + random.nextInt(6);
        final long reserve =
            random.nextInt(10) == 0 ? EXTREMES[random.nextInt(EXTREMES.length)] : price + random.nextInt(5) - 1;
        final long parameter = plain ? 0 : type == OrderType.ICEBERG ? 1 + random.nextInt(3) : Math.max(0, price);
        give(command(command, type, side, plain ? 0 : (byte)random.nextInt(6), random.nextInt(60),
            random.nextInt(15) == 0 ? OTHER : UID, price, size, reserve, parameter));
    }
}
