package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M1: Every number of every command and order type at, below and above each of its limits. The expected results repeat
 * the rules as a table. A refusal does not call the listener, keeps the hash and allocates nothing.
 */
class BoundaryTest
{
    private static final long UID = 7;
    private static final long MAX = SymbolSpec.MAX_PRICE;
    private static final byte[] SIDES = {Side.BID, Side.ASK};
    /** Enough refusals for the compilers to have seen every branch. */
    private static final int PASSES = 200;
    private static final SymbolSpec WIDE = SymbolSpec.future(1).withOrderCapacity(8).withWindowTicks(64);
    private static final SymbolSpec NARROW = WIDE.withPrices(10, 200).withMinAskPrice(20);
    private static final BookCommand COMMAND = new BookCommand();
    private static final List<SymbolSpec> SPECS = List.of(WIDE, NARROW);

    /** A placement and its expected outcome. */
    private record Placement(
        byte type, byte side, long id, long uid, long price, long size, long reserve, long parameter)
    {
        BookCommand command()
        {
            return COMMAND.place(type, side).orderId(id).uid(uid).price(price).size(size)
                .reservePrice(reserve).parameter(parameter);
        }

        CommandResult giveTo(final OrderBook book)
        {
            return book.execute(command());
        }

        CommandResult expected(final SymbolSpec spec)
        {
            if (size < 1 || size > Long.MAX_VALUE / spec.orderCapacity())
            {
                return CommandResult.WRONG_SIZE;
            }
            final boolean priced = type != OrderType.MARKET && type != OrderType.STOP;
            if (priced && (isBudget() ? price < 0 : price < spec.minPrice() || price > spec.maxPrice()))
            {
                return CommandResult.WRONG_PRICE;
            }
            final CommandResult wrong = wrongParameter(spec);
            if (wrong != CommandResult.SUCCESS)
            {
                return wrong;
            }
            final BigInteger minAskPrice =
                BigInteger.valueOf(spec.minAskPrice()).multiply(BigInteger.valueOf(isBudget() ? size : 1));
            if (side == Side.ASK && priced && BigInteger.valueOf(price).compareTo(minAskPrice) < 0)
            {
                return CommandResult.ASK_BELOW_FEE;
            }
            // The best bid is 60, the best ask 100.
            return type == OrderType.POST_ONLY && (side == Side.BID ? price >= 100 : price <= 60) ?
                CommandResult.WOULD_TRADE : CommandResult.SUCCESS;
        }

        private boolean isBudget()
        {
            return type == OrderType.FOK_BUDGET || type == OrderType.IOC_BUDGET && side == Side.BID;
        }

        private CommandResult wrongParameter(final SymbolSpec spec)
        {
            return switch (type)
            {
                case OrderType.STOP, OrderType.STOP_LIMIT ->
                    parameter >= spec.minPrice() && parameter <= spec.maxPrice() ?
                        CommandResult.SUCCESS : CommandResult.WRONG_STOP_PRICE;
                case OrderType.ICEBERG -> parameter >= 1 && parameter <= size && (size - 1) / parameter + 1 <= 1_000 ?
                    CommandResult.SUCCESS : CommandResult.WRONG_DISPLAY_SIZE;
                case OrderType.GTD -> parameter >= 1 ? CommandResult.SUCCESS : CommandResult.WRONG_EXPIRY;
                default -> parameter == 0 ? CommandResult.SUCCESS : CommandResult.WRONG_PARAMETER;
            };
        }
    }

    private static OrderBook book(final SymbolSpec spec, final ExecutionListener listener)
    {
        final OrderBook book = new OrderBook(spec, listener);
        place(book, OrderType.GTC, Side.BID, 1, 60);
        place(book, OrderType.GTC, Side.BID, 2, 50);
        place(book, OrderType.ICEBERG, Side.ASK, 3, 100);
        place(book, OrderType.STOP_LIMIT, Side.BID, 4, 120);
        return book;
    }

    private static void place(final OrderBook book, final byte type, final byte side, final long id, final long price)
    {
        final long parameter = type == OrderType.ICEBERG ? 2 : type == OrderType.STOP_LIMIT ? 110 : 0;
        assertEquals(CommandResult.SUCCESS,
            book.execute(new BookCommand().place(type, side).orderId(id).uid(UID).price(price).size(5)
                .reservePrice(price).parameter(parameter)));
    }

    /** Each limit, one less and one more. */
    private static Set<Long> around(final long... limits)
    {
        final Set<Long> all = new LinkedHashSet<>();
        for (final long limit : limits)
        {
            all.add(limit - 1);
            all.add(limit);
            all.add(limit + 1);
        }
        return all;
    }

    private static long rightParameter(final byte type, final long size)
    {
        return type == OrderType.STOP || type == OrderType.STOP_LIMIT ? 150 : type == OrderType.GTD ? 1 :
            type == OrderType.ICEBERG ? Math.max(1, size) : 0;
    }

    private static List<Placement> placements(final SymbolSpec spec)
    {
        final List<Placement> all = new ArrayList<>();
        for (byte type = 0; OrderType.isValid(type); type++)
        {
            for (final byte side : SIDES)
            {
                addPlacements(all, type, side, spec);
            }
        }
        return all;
    }

    private static void addPlacements(
        final List<Placement> all, final byte type, final byte side, final SymbolSpec spec)
    {
        final long right = rightParameter(type, 3);
        for (final long size : around(Long.MIN_VALUE, Integer.MIN_VALUE, 0, 1, 1_000, Integer.MAX_VALUE, 1L << 32,
            spec.maxSize(), Long.MAX_VALUE))
        {
            all.add(new Placement(type, side, 9, UID, 90, size, 90, rightParameter(type, size)));
        }
        for (final long price : around(Long.MIN_VALUE, Integer.MIN_VALUE, 0, spec.minPrice(), spec.minAskPrice(),
            3 * spec.minAskPrice(), spec.maxPrice(), Integer.MAX_VALUE, 1L << 32, MAX))
        {
            all.add(new Placement(type, side, 9, UID, price, 3, price, right));
        }
        for (final long parameter : around(Long.MIN_VALUE, Integer.MIN_VALUE, 0, 1, 3, 10, 200, 1_000, 1L << 32, MAX))
        {
            all.add(new Placement(type, side, 9, UID, 90, 3, 90, parameter));
        }
        for (final long display : around(1, 2, 1_000, 2_000, spec.maxSize() / 1_000))
        {
            for (final long size : around(display, 1_000, 2_000, spec.maxSize()))
            {
                all.add(new Placement(type, side, 9, UID, 90, size, 90, type == OrderType.ICEBERG ? display : right));
            }
        }
        for (final long any : around(Long.MIN_VALUE, 0, Long.MAX_VALUE))
        {
            all.add(new Placement(type, side, any, UID, 90, 3, 90, right));
            all.add(new Placement(type, side, 9, any, 90, 3, 90, right));
            all.add(new Placement(type, side, 9, UID, 90, 3, any, right));
        }
    }

    @Test
    void shouldAnswerEveryPlacementAtItsLimits()
    {
        for (final SymbolSpec spec : SPECS)
        {
            final Set<CommandResult> met = new LinkedHashSet<>();
            int count = 0;
            for (final Placement placement : placements(spec))
            {
                if (placement.id >= 1 && placement.id <= 4)
                {
                    continue;
                }
                met.add(shouldAnswer(spec, placement));
                count++;
            }
            assertTrue(count > 2_000, count + " placements");
            assertTrue(met.containsAll(List.of(CommandResult.SUCCESS, CommandResult.WRONG_SIZE,
                CommandResult.WRONG_PRICE, CommandResult.WRONG_STOP_PRICE, CommandResult.WRONG_DISPLAY_SIZE,
                CommandResult.WRONG_EXPIRY, CommandResult.WRONG_PARAMETER, CommandResult.WOULD_TRADE)), met::toString);
            assertEquals(spec == NARROW, met.contains(CommandResult.ASK_BELOW_FEE));
        }
    }

    private static CommandResult shouldAnswer(final SymbolSpec spec, final Placement placement)
    {
        final EventCounter events = new EventCounter();
        final OrderBook book = book(spec, events);
        final long hash = book.stateHash();
        final CommandResult expected = placement.expected(spec);
        assertEquals(expected, book.check(placement.command()), () -> "check of " + placement + " by " + spec);
        assertEquals(hash, book.stateHash(), () -> "check of " + placement);
        assertEquals(expected, placement.giveTo(book), () -> placement + " to " + spec);
        if (expected != CommandResult.SUCCESS)
        {
            assertTrue(events.isSilent(), placement::toString);
            assertEquals(hash, book.stateHash(), placement::toString);
        }
        book.verify();
        return expected;
    }

    @Test
    void shouldAllocateNothingForARefusedPlacement()
    {
        for (final SymbolSpec spec : SPECS)
        {
            final Placement[] refused = placements(spec).stream()
                .filter(placement -> placement.expected(spec) != CommandResult.SUCCESS).toArray(Placement[]::new);
            assertTrue(refused.length > 1_000, refused.length + " refusals");
            final OrderBook book = book(spec, new EventCounter());
            Allocations.shouldBeNone(() ->
            {
                for (int pass = 0; pass < PASSES; pass++)
                {
                    for (final Placement placement : refused)
                    {
                        if (placement.giveTo(book) == CommandResult.SUCCESS)
                        {
                            throw new AssertionError(placement);
                        }
                    }
                }
            });
        }
    }

    /** A command for an order, with one number. */
    private interface Change
    {
        CommandResult give(OrderBook book, long id, long value);
    }

    private interface Rule
    {
        CommandResult of(SymbolSpec spec, long value);
    }

    private static void shouldAnswer(final String name, final Change change, final long id, final Rule rule)
    {
        for (final SymbolSpec spec : SPECS)
        {
            final List<Long> refused = new ArrayList<>();
            for (final long value : around(Long.MIN_VALUE, Integer.MIN_VALUE, 0, spec.minPrice(), spec.minAskPrice(), 5,
                60, spec.maxPrice(), 1_000, 5_000, 1L << 32, spec.maxSize(), MAX, Long.MAX_VALUE))
            {
                final EventCounter events = new EventCounter();
                final OrderBook book = book(spec, events);
                final long hash = book.stateHash();
                final CommandResult expected = rule.of(spec, value);
                assertEquals(expected, change.give(book, id, value), () -> name + " " + value + " by " + spec);
                if (expected != CommandResult.SUCCESS)
                {
                    refused.add(value);
                    assertTrue(events.isSilent(), () -> name + " " + value);
                    assertEquals(hash, book.stateHash(), () -> name + " " + value);
                }
                book.verify();
            }
            shouldAllocateNothing(change, id, refused.stream().mapToLong(Long::longValue).toArray(), spec);
        }
    }

    private static void shouldAllocateNothing(
        final Change change, final long id, final long[] values, final SymbolSpec spec)
    {
        final OrderBook book = book(spec, new EventCounter());
        Allocations.shouldBeNone(() ->
        {
            for (int pass = 0; pass < 20 * PASSES; pass++)
            {
                for (final long value : values)
                {
                    change.give(book, id, value);
                }
            }
        });
    }

    private static boolean isPrice(final SymbolSpec spec, final long value)
    {
        return value >= spec.minPrice() && value <= spec.maxPrice();
    }

    @Test
    void shouldAnswerEveryReductionAtItsLimits()
    {
        for (long order = 1; order <= 4; order++)
        {
            shouldAnswer("reduce", (book, id, value) -> book.reduce(id, UID, value), order,
                (spec, value) -> value < 1 ? CommandResult.WRONG_SIZE : CommandResult.SUCCESS);
        }
    }

    @Test
    void shouldAnswerEveryMoveAtItsLimits()
    {
        shouldAnswer("move", (book, id, value) -> book.move(id, UID, value), 1,
            (spec, value) -> isPrice(spec, value) ? CommandResult.SUCCESS : CommandResult.WRONG_PRICE);
        shouldAnswer("move ask", (book, id, value) -> book.move(id, UID, value), 3,
            (spec, value) -> !isPrice(spec, value) ? CommandResult.WRONG_PRICE :
                value < spec.minAskPrice() ? CommandResult.ASK_BELOW_FEE : CommandResult.SUCCESS);
        shouldAnswer("move stop", (book, id, value) -> book.move(id, UID, value), 4,
            (spec, value) -> isPrice(spec, value) ? CommandResult.NOT_TRIGGERED : CommandResult.WRONG_PRICE);
    }

    @Test
    void shouldAnswerEveryReplacementAtItsLimits()
    {
        shouldAnswer("replace price", (book, id, value) -> book.replace(id, UID, value, 5), 1,
            (spec, value) -> isPrice(spec, value) ? CommandResult.SUCCESS : CommandResult.WRONG_PRICE);
        shouldAnswer("replace price of ask", (book, id, value) -> book.replace(id, UID, value, 5), 3,
            (spec, value) -> !isPrice(spec, value) ? CommandResult.WRONG_PRICE :
                value < spec.minAskPrice() ? CommandResult.ASK_BELOW_FEE : CommandResult.SUCCESS);
        shouldAnswer("replace size", (book, id, value) -> book.replace(id, UID, 55, value), 1,
            (spec, value) -> value < 1 || value > spec.maxSize() ? CommandResult.WRONG_SIZE : CommandResult.SUCCESS);
        // Order 3 shows 2 at a time.
        shouldAnswer("replace size of iceberg", (book, id, value) -> book.replace(id, UID, 100, value), 3,
            (spec, value) -> value < 1 || value > spec.maxSize() ? CommandResult.WRONG_SIZE :
                value > 2_000 ? CommandResult.WRONG_DISPLAY_SIZE : CommandResult.SUCCESS);
        shouldAnswer("replace stop", (book, id, value) -> book.replace(id, UID, value, 5), 4,
            (spec, value) -> isPrice(spec, value) ? CommandResult.NOT_TRIGGERED : CommandResult.WRONG_PRICE);
    }

    @Test
    void shouldFindNoOrderExceptTheFour()
    {
        for (final long id : around(Long.MIN_VALUE, -1, 4, 1L << 32, Long.MAX_VALUE))
        {
            final CommandResult expected =
                id >= 1 && id <= 4 ? CommandResult.SUCCESS : CommandResult.UNKNOWN_ORDER;
            assertEquals(expected, book(WIDE, new EventCounter()).cancel(id, UID));
            assertEquals(expected, book(WIDE, new EventCounter()).reduce(id, UID, 1));
            final CommandResult changed = id == 4 ? CommandResult.NOT_TRIGGERED : expected;
            assertEquals(changed, book(WIDE, new EventCounter()).move(id, UID, 90));
            assertEquals(changed, book(WIDE, new EventCounter()).replace(id, UID, 90, 4));
        }
    }

    @Test
    void shouldExpireOrdersAtTheirTimeAndNotBefore()
    {
        for (final long expiry : new long[]{1, 2, 1_000, 1L << 32, Long.MAX_VALUE - 1, Long.MAX_VALUE})
        {
            final EventCounter events = new EventCounter();
            final OrderBook book = book(WIDE, events);
            assertEquals(CommandResult.SUCCESS,
                book.execute(new BookCommand().place(OrderType.GTD, Side.BID).orderId(9).uid(UID).price(55).size(5)
                    .reservePrice(55).parameter(expiry)));
            final long hash = book.stateHash();
            for (final long time : new long[]{Long.MIN_VALUE, -1, 0, expiry - 1})
            {
                book.expire(time);
                assertTrue(events.isSilent(), () -> "time " + time + ", expiry " + expiry);
                assertEquals(hash, book.stateHash());
            }
            book.expire(expiry);
            assertEquals(1, events.completed);
            assertEquals(4, book.orderCount());
            book.expire(Long.MAX_VALUE);
            assertEquals(1, events.reduces);
            book.verify();
        }
    }
}
