package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.EventCounter;
import io.millrace.engine.FeedHash;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.engine.codec.EngineSnapshotDescriptor;
import io.millrace.engine.tables.LongRows;
import io.millrace.pool.ByteView;
import io.millrace.server.InVmSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J9, J11, J20: an engine is restored from the bytes of its snapshot at random commands, and both continue with the
 * same random commands: results, executions, market data and both hashes agree. Damaged bytes and impossible states
 * are refused, and change nothing.
 */
class EngineSnapshotTest
{
    private static final int SEEDS = 16;
    private static final int COMMANDS = 4_000;
    private static final int LOOK_EVERY = 100;
    private static final int SPOILT = 60;
    static final Path GOLDEN_FOLDER = Path.of("src/test/resources/golden");
    private static final Path GOLDEN = GOLDEN_FOLDER.resolve("engine-v2.mesn");
    static final int GOLDEN_COMMANDS = 1_500;
    private static final String GOLDEN_HASH = "ea922232c0503325";

    private final EngineSnapshotCodec codec = new EngineSnapshotCodec();
    private final Map<CommandResult, Integer> tally = new EnumMap<>(CommandResult.class);

    /** An engine that is given commands as a service gives them. */
    static final class Applied
    {
        final EventCounter executions = new EventCounter();
        final FeedHash feed = new FeedHash();
        final MatchingEngine engine;
        private final MatchingService service;

        Applied(final EngineContext context)
        {
            engine = new MatchingEngine(context.marketData(feed), executions);
            final ExecutionPublisher none = new ExecutionPublisher(new InVmSource<>(ExecutionEvent::new, 64));
            none.mute(true);
            service = new MatchingService("applied", engine, none);
        }

        CommandResult apply(final OrderCommand command)
        {
            return service.replay(command);
        }
    }

    private byte[] bytesOf(final MatchingEngine engine)
    {
        final EngineSnapshot taken = new EngineSnapshot();
        taken.take(engine);
        final byte[] bytes = new byte[(int)codec.lengthBytes(taken) + 3];
        // As in a buffer that is used again: reserved bytes are written, too.
        Arrays.fill(bytes, (byte)-1);
        assertEquals(bytes.length - 3, codec.encode(taken, new ByteView(bytes), 3));
        return Arrays.copyOfRange(bytes, 3, bytes.length);
    }

    private void restore(final byte[] bytes, final MatchingEngine into)
    {
        final EngineSnapshot read = new EngineSnapshot();
        codec.decode(new ByteView(bytes), 0, bytes.length, read);
        read.restoreTo(into);
    }

    private void run(final long seed, final boolean users, final int commands)
    {
        final String where = "seed " + seed + (users ? " with" : " without") + " users, command ";
        final Random random = new Random(seed);
        final RandomOrders orders = new RandomOrders(seed, users);
        final OrderCommand command = new OrderCommand();
        final Applied original = new Applied(RandomOrders.context(users));
        Applied restored = null;
        for (int i = 0; i < commands; i++)
        {
            orders.next(command);
            final CommandResult result = original.apply(command);
            tally.merge(result, 1, Integer::sum);
            if (restored != null)
            {
                assertEquals(result, restored.apply(command), () -> where + command);
            }
            if (i % LOOK_EVERY == LOOK_EVERY - 1 && restored != null)
            {
                compare(where + i, original, restored);
            }
            if (random.nextInt(commands / 4) == 0)
            {
                final byte[] bytes = bytesOf(original.engine);
                // Into a new engine, or over the state of the one before.
                restored = restored == null || random.nextBoolean() ? new Applied(RandomOrders.context(users)) :
                    restored;
                restored.executions.hash = original.executions.hash;
                restored.feed.hash = original.feed.hash;
                restore(bytes, restored.engine);
                assertArrayEquals(bytes, bytesOf(restored.engine), where + i);
                compare(where + i, original, restored);
            }
        }
    }

    private static void compare(final String where, final Applied original, final Applied restored)
    {
        restored.engine.verify();
        assertEquals(original.engine.stateHash(), restored.engine.stateHash(), where);
        assertEquals(original.engine.timedHash(), restored.engine.timedHash(), where);
        assertEquals(original.executions.hash, restored.executions.hash, where);
        assertEquals(original.feed.hash, restored.feed.hash, where);
    }

    @Test
    void shouldContinueAsTheOriginalEngine()
    {
        final Long only = Long.getLong("millrace.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++)
        {
            run(seed, seed % 4 != 0, COMMANDS);
        }
        assertTrue(tally.size() > 27, tally::toString);
    }

    @Test
    @Tag("faults")
    void shouldContinueAsTheOriginalEngineForAMillionCommands()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            run(1_000 + seed, seed % 4 != 0, 1_000_000 / SEEDS);
        }
    }

    static Applied busy(final boolean users, final int commands)
    {
        final Applied busy = new Applied(RandomOrders.context(users));
        final RandomOrders orders = new RandomOrders(1, users).onlyFirst();
        final OrderCommand command = new OrderCommand();
        for (int i = 0; i < commands; i++)
        {
            busy.apply(orders.next(command));
        }
        return busy;
    }

    private String refusal(final byte[] bytes, final Applied into)
    {
        final long before = into.engine.timedHash();
        final String message =
            assertThrows(BookSnapshotException.class, () -> restore(bytes, into.engine)).getMessage();
        assertEquals(before, into.engine.timedHash());
        return message;
    }

    @Test
    void shouldRefuseEveryChangedByteAndEveryTruncation()
    {
        final byte[] bytes = bytesOf(busy(true, 400).engine);
        final Applied into = busy(true, 100);
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] ^= (byte)(1 << (i & 7));
            refusal(bytes, into);
            bytes[i] ^= (byte)(1 << (i & 7));
            refusal(Arrays.copyOf(bytes, i), into);
        }
        refusal(Arrays.copyOf(bytes, bytes.length + 1), into);
        restore(bytes, into.engine);
    }

    @Test
    void shouldSayWhatIsWrong()
    {
        final byte[] bytes = bytesOf(busy(true, 400).engine);
        final Applied into = busy(true, 100);
        assertTrue(refusal(new byte[63], into).startsWith("length 63 is less than the 64 bytes"));
        assertTrue(refusal(new byte[64], into).startsWith("magic 0x00000000 is not 0x4e53454d"));
        final byte[] newer = bytes.clone();
        newer[4] = 3;
        assertEquals("version 3 is not in 1..2, the versions that this codec reads", refusal(newer, into));
        final Applied other = new Applied(RandomOrders.context(true).symbolCapacity(9));
        assertTrue(refusal(bytes, other).endsWith("an engine with other symbols, limits or capacities"));
        assertTrue(refusal(bytes, new Applied(RandomOrders.context(false))).startsWith("configuration "));
    }

    /** Found by SnapshotFuzz: it took the memory of a book that no command could have added. */
    @Test
    void shouldRefuseACapacityThatNoSymbolOfTheEngineCanHave()
    {
        final Applied applied = new Applied(RandomOrders.context(false).maxOrderCapacity(100));
        final EngineSnapshot snapshot = new EngineSnapshot();
        snapshot.take(applied.engine);
        final int capacityColumn = 5;
        assertEquals(128, snapshot.symbols().get(0, capacityColumn));
        snapshot.restoreTo(applied.engine);
        snapshot.symbols().set(0, capacityColumn, 129);
        assertEquals("symbol 0: order capacity 129 is not in 1..128",
            assertThrows(BookSnapshotException.class, () -> snapshot.restoreTo(applied.engine)).getMessage());
    }

    /** A hostile snapshot with a good checksum: refused, or a state in which everything adds up. */
    @Test
    void shouldRestoreAnImpossibleStateToAValidOneOrRefuseIt()
    {
        int refused = 0;
        int restored = 0;
        for (long seed = 1; seed <= SPOILT; seed++)
        {
            final boolean users = seed % 4 != 0;
            final Random random = new Random(seed);
            final Applied from = busy(users, 200 + random.nextInt(2_000));
            final Applied into = busy(users, random.nextInt(50));
            final EngineSnapshot snapshot = new EngineSnapshot();
            for (int i = 0; i < 20; i++)
            {
                snapshot.take(from.engine);
                final String what = "seed " + seed + ": " + spoil(snapshot, random);
                final long before = into.engine.timedHash();
                boolean done = true;
                try
                {
                    snapshot.restoreTo(into.engine);
                }
                catch (final BookSnapshotException ex)
                {
                    done = false;
                    assertEquals(before, into.engine.timedHash(), what);
                }
                catch (final RuntimeException ex)
                {
                    throw new AssertionError(what, ex);
                }
                refused += done ? 0 : 1;
                restored += done ? 1 : 0;
                into.engine.verify();
            }
        }
        assertTrue(refused > 400 && restored > 100, "refused " + refused + ", restored " + restored);
    }

    /** Restores use the memory of empty books, so a refused one must leave it empty. */
    @Test
    void shouldGoOnAsANewEngineAfterARefusal()
    {
        int refused = 0;
        for (long seed = 1; seed <= SPOILT / 3; seed++)
        {
            final boolean users = seed % 4 != 0;
            final Random random = new Random(seed);
            final Applied from = busy(users, 200 + random.nextInt(2_000));
            final Applied into = busy(users, 0);
            final EngineSnapshot snapshot = new EngineSnapshot();
            for (int i = 0; i < 10; i++)
            {
                snapshot.take(from.engine);
                spoil(snapshot, random);
                if (random.nextBoolean())
                {
                    twice(snapshot, random);
                }
                try
                {
                    snapshot.restoreTo(busy(users, 0).engine);
                }
                catch (final BookSnapshotException ex)
                {
                    refused++;
                    assertThrows(BookSnapshotException.class, () -> snapshot.restoreTo(into.engine));
                    into.engine.verify();
                }
            }
            final Applied original = busy(users, 0);
            final RandomOrders orders = new RandomOrders(seed, users);
            final OrderCommand command = new OrderCommand();
            for (int i = 0; i < 500; i++)
            {
                orders.next(command);
                assertEquals(original.apply(command), into.apply(command), "seed " + seed + ", command " + i);
            }
            compare("seed " + seed, original, into);
        }
        assertTrue(refused > 100, "refused " + refused);
    }

    /** Gives an order the id of another one of its book. */
    private static void twice(final EngineSnapshot snapshot, final Random random)
    {
        final BookSnapshot book = snapshot.book(random.nextInt(snapshot.symbols().count()));
        if (book.orderCount() > 1)
        {
            book.word((book.orderCount() - 1) * BookSnapshot.ROW_WORDS,
                book.word(random.nextInt(book.orderCount() - 1) * BookSnapshot.ROW_WORDS));
        }
    }

    private static String spoil(final EngineSnapshot snapshot, final Random random)
    {
        final LongRows[] tables = {snapshot.symbols(), snapshot.users().currencies(), snapshot.users().users(),
            snapshot.users().accounts(), snapshot.users().positions()};
        final LongRows table = tables[random.nextInt(snapshot.hasUsers() ? tables.length : 1)];
        if (table.count() == 0)
        {
            return "nothing";
        }
        final int row = random.nextInt(table.count());
        final int column = random.nextInt(table.width());
        final long before = table.get(row, column);
        final long[] values = {before + 1, before - 1, -before, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32,
            table.get(random.nextInt(table.count()), column), before ^ 1L << random.nextInt(Long.SIZE)};
        table.set(row, column, values[random.nextInt(values.length)]);
        return "row " + row + ", column " + column + " of " + table.width() + " from " + before + " to " +
            table.get(row, column);
    }

    /** Version 1, without trade ids and limits of orders. The market data has continued, so its sequences differ. */
    @Test
    void shouldReadTheGoldenFileOfVersionOne() throws IOException
    {
        final byte[] golden = Files.readAllBytes(GOLDEN_FOLDER.resolve("engine-v1.mesn"));
        final Applied into = new Applied(RandomOrders.context(true));
        restore(golden, into.engine);
        into.engine.verify();
        final Applied now = busy(true, GOLDEN_COMMANDS);
        assertEquals(now.engine.timedHash(), into.engine.timedHash());
        final byte[] expected = bytesOf(now.engine);
        final byte[] bytes = bytesOf(into.engine);
        assertEquals(expected.length, bytes.length);
        for (int symbol = Integer.MIN_VALUE; into.engine.bookFrom(symbol) != null;
            symbol = into.engine.bookFrom(symbol).spec().symbol() + 1)
        {
            assertEquals(0, into.engine.bookFrom(symbol).lastTradeId());
        }
    }

    /** Version 2: read and written again by every later version. */
    @Test
    void shouldReadTheGoldenFile() throws IOException
    {
        final byte[] golden = Files.readAllBytes(GOLDEN);
        final Applied into = new Applied(RandomOrders.context(true));
        restore(golden, into.engine);
        into.engine.verify();
        assertArrayEquals(golden, bytesOf(into.engine));
        assertEquals(busy(true, GOLDEN_COMMANDS).engine.timedHash(), into.engine.timedHash());
        assertEquals(GOLDEN_HASH, Long.toHexString(into.engine.timedHash()), "these commands had another result: " +
            "raise MatchingService.RULES and ExchangeCore.VERSION, so that journals from before are refused");
    }

    @Test
    void shouldDrawTheLayoutThatTheCodeHas() throws IOException
    {
        final String page =
            Files.readString(Path.of(System.getProperty("millrace.root", ".."), "docs", "snapshot.md"));
        final EngineSnapshot empty = new EngineSnapshot();
        final List<String> rows = List.of(
            "| 0 | 4 | u32 | magic | `" + EngineSnapshotDescriptor.MAGIC_TEXT + "`",
            "| " + EngineSnapshotDescriptor.VERSION_OFFSET + " | 2 | u16 | version | " +
                EngineSnapshotDescriptor.VERSION,
            "| " + EngineSnapshotDescriptor.HAS_USERS_OFFSET + " | 2 | u16 | has users",
            "| " + EngineSnapshotDescriptor.CONFIGURATION_OFFSET + " | 8 | i64 | configuration",
            "| " + EngineSnapshotDescriptor.TIME_OFFSET + " | 8 | i64 | time",
            "| " + EngineSnapshotDescriptor.SYMBOLS_OFFSET + " | 4 | u32 | symbols",
            "| " + EngineSnapshotDescriptor.RESERVED_OFFSET + " | 20 | | reserved",
            "| " + EngineSnapshotDescriptor.ROWS_OFFSET + " | " + 8 * empty.symbols().width() + " S | | symbols",
            "| | " + 8 * empty.users().currencies().width() + " C | | currencies",
            "| | " + 8 * empty.users().users().width() + " U | | users",
            "| | " + 8 * empty.users().accounts().width() + " A | | accounts",
            "| | " + 8 * empty.users().positions().width() + " P | | positions");
        assertEquals(List.of(), rows.stream().filter(row -> !page.contains(row)).toList());
    }

    /** Writes the golden file, once for each version. */
    public static void main(final String[] arguments) throws IOException
    {
        Files.createDirectories(GOLDEN.getParent());
        Files.write(GOLDEN, new EngineSnapshotTest().bytesOf(busy(true, GOLDEN_COMMANDS).engine));
    }
}
