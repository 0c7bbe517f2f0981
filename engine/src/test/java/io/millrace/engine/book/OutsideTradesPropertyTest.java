package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Trades with orders outside of the book, mixed with random commands of all types: the book against the reference,
 * after each command, and its queues now and then. A failure names its seed; {@code -Dmillrace.seed=7} runs that one
 * alone.
 */
class OutsideTradesPropertyTest
{
    private static final int SEEDS = 12;
    private static final int COMMANDS = 2_000;
    /** The queues are compared after each of so many commands, because that takes time. */
    private static final int EACH = 20;
    private static final long OUTSIDE_ID = 1L << 60;
    private static final long OUTSIDE_UID = 1L << 61;
    /** Each result must occur this often, or the test covers too little. */
    private static final int OFTEN = 100;

    private final Map<CommandResult, Integer> tally = new EnumMap<>(CommandResult.class);
    private long mostAhead;

    @Test
    void shouldMatchTheReference()
    {
        final Long only = Long.getLong("millrace.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++)
        {
            run(seed);
        }
        for (final CommandResult each : List.of(CommandResult.SUCCESS, CommandResult.WRONG_SIZE,
            CommandResult.UNKNOWN_ORDER, CommandResult.NOT_TRIGGERED))
        {
            assertTrue(only != null || tally.getOrDefault(each, 0) >= OFTEN, tally::toString);
        }
        assertTrue(only != null || mostAhead > 10, "volume ahead " + mostAhead);
    }

    private void run(final long seed)
    {
        final RandomCommands commands = new RandomCommands(seed, true);
        final Random random = new Random(seed);
        final Tape events = new Tape();
        final Tape expected = new Tape();
        final OrderBook book = new OrderBook(commands.spec(), events);
        final ReferenceBook reference = new ReferenceBook(commands.spec(), expected);
        for (int i = 0; i < COMMANDS; i++)
        {
            events.clear();
            expected.clear();
            try
            {
                if (random.nextInt(3) == 0)
                {
                    outside(random, book, reference);
                }
                else
                {
                    final RandomCommand command = commands.next(reference);
                    assertEquals(command.giveTo(reference), command.giveTo(book));
                }
                assertTrue(expected.isEqualTo(events), "executions differ");
                assertEquals(reference.lastTrade, book.lastTradePrice());
                if (i % EACH == 0)
                {
                    compare(random, book, reference);
                }
            }
            catch (final RuntimeException | AssertionError ex)
            {
                fail("seed " + seed + ", command " + i + "\nevents" + events + "\nexpected" + expected, ex);
            }
        }
    }

    private void outside(final Random random, final OrderBook book, final ReferenceBook reference)
    {
        final int count = reference.orders.size();
        final ReferenceBook.Order order = count == 0 ? null : reference.orders.get(random.nextInt(count));
        final long id = order == null || random.nextInt(10) == 0 ? random.nextInt(50) : order.orderId;
        final long uid = order == null || random.nextInt(10) == 0 ? random.nextInt(5) : order.uid;
        final long shown = order == null ? 1 : order.shown;
        final long size = random.nextInt(8) == 0 ? random.nextInt(3) - 1 : random.nextBoolean() ? shown :
            shown / (1 + random.nextInt(4)) + random.nextInt(2);
        final CommandResult result = reference.executeMaker(id, uid, OUTSIDE_ID, OUTSIDE_UID, size);
        assertEquals(result, book.executeMaker(id, uid, OUTSIDE_ID, OUTSIDE_UID, size));
        tally.merge(result, 1, Integer::sum);
    }

    private void compare(final Random random, final OrderBook book, final ReferenceBook reference)
    {
        book.verify();
        assertEquals(reference.orders.size(), book.orderCount());
        for (final ReferenceBook.Order order : reference.orders)
        {
            final List<ReferenceBook.Order> ahead = reference.ahead(order);
            final long volume = order.waits ? -1 : ahead.stream().mapToLong(each -> each.shown).sum();
            assertEquals(volume, book.volumeAhead(order.orderId));
            mostAhead = Math.max(mostAhead, volume);
        }
        if (!reference.orders.isEmpty())
        {
            visit(reference.orders.get(random.nextInt(reference.orders.size())), book, reference);
        }
        assertEquals(-1, book.volumeAhead(OUTSIDE_ID));
        assertEquals(0, book.visitOrders(Side.BID, -1, (id, uid, visible, open) -> true));
    }

    /** Stops at the order: the visited ones are those ahead of it, and it. */
    private static void visit(
        final ReferenceBook.Order last, final OrderBook book, final ReferenceBook reference)
    {
        if (last.waits)
        {
            return;
        }
        final List<ReferenceBook.Order> queue = new ArrayList<>(reference.ahead(last));
        queue.add(last);
        final List<List<Long>> visited = new ArrayList<>();
        final int count = book.visitOrders(last.side, last.price, (id, uid, visible, open) ->
        {
            visited.add(List.of(id, uid, visible, open));
            return id != last.orderId;
        });
        assertEquals(queue.stream().map(each -> List.of(each.orderId, each.uid, each.shown, each.open())).toList(),
            visited);
        assertEquals(count, visited.size());
    }

    @Test
    void shouldRefuseABookOfAnEngineWithUsers()
    {
        final OrderBook book = new OrderBook(SymbolSpec.future(3), new ExecutionListener()
        {
            @Override
            public boolean isAccountable()
            {
                return true;
            }
        });
        assertEquals("the book of symbol 3 belongs to an engine with users: it trades by commands only",
            assertThrows(IllegalStateException.class, () -> book.executeMaker(1, 1, 2, 2, 1)).getMessage());
    }
}
