package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.FeedHash;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.EngineSnapshotTest.Applied;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.journal.RecoveryReport;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.server.InVmSource;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** J9, J21, J22: the engine behind its journal continues after a restart as if there had been none. */
class DurableMatchingTest
{
    private static final int STARTS = 3;
    private static final int COMMANDS = 1_000;
    /** Pairs of commands in a window: less than a segment takes. */
    private static final int WINDOW = 500;
    private static final int WINDOWS = 100;
    /** Its book needs more than the heap of the child JVM. */
    private static final SymbolSpec GREAT = SymbolSpec.future(9).withWindowTicks(64).withPrices(0, 1_000)
        .withOrderCapacity(1 << 20);

    @TempDir
    private Path folder;

    /** A reference without a journal, given the same commands. */
    private static Applied reference(final boolean users, final long commands)
    {
        final Applied reference = new Applied(RandomOrders.context(users));
        final RandomOrders orders = new RandomOrders(7, users);
        final OrderCommand command = new OrderCommand();
        for (long i = 0; i < commands; i++)
        {
            reference.apply(orders.next(command));
        }
        return reference;
    }

    @ParameterizedTest
    @CsvSource({"true, 0, 0, EVERY_BATCH", "false, 0, 0, OS_CACHE", "true, 300, 0, EVERY_BATCH",
        "false, 400, 0, INTERVAL", "true, 0, 1000, EVERY_BATCH"})
    void shouldContinueAfterARestart(
        final boolean users, final long snapshotEvery, final long followEvery, final Durability durability)
    {
        final RandomOrders orders = new RandomOrders(7, users);
        final Applied reference = new Applied(RandomOrders.context(users));
        final RandomOrders again = new RandomOrders(7, users);
        final OrderCommand command = new OrderCommand();
        for (int start = 0; start < STARTS; start++)
        {
            try (DurableServer server = new DurableServer(
                folder.resolve("j"), RandomOrders.context(users), durability, snapshotEvery, followEvery, true))
            {
                assertEquals(0, server.heard, "executions were published again");
                assertEquals(0, server.feed.count, "market data was published again");
                assertEquals(0, server.server.counters().value("matching.executions.lost"), "counted in the replay");
                assertEquals(0, server.server.counters().value("matching.executions.TRADE"), "counted in the replay");
                assertEquals((long)start * COMMANDS, server.report().sequence());
                assertTrue(snapshotEvery == 0 || start == 0 || server.report().replayed() <= snapshotEvery + 64,
                    () -> server.report().text());
                assertEquals(reference.engine.timedHash(), server.durable.stateHash());
                final long feed = reference.feed.count;
                server.lastResult = (long)start * COMMANDS;
                server.give(orders, COMMANDS);
                for (int i = 0; i < COMMANDS; i++)
                {
                    reference.apply(again.next(command));
                }
                assertEquals(List.of(), server.errors);
                assertEquals((start + 1L) * COMMANDS, server.lastResult);
                assertEquals(reference.engine.timedHash(), server.durable.stateHash());
                assertEquals(reference.feed.count - feed, server.feed.count);
                server.matching.engine().verify();
            }
        }
    }

    @Test
    void shouldGoOnWhenASnapshotCannotBeWritten() throws IOException
    {
        final Path directory = folder.resolve("j");
        final RandomOrders orders = new RandomOrders(7, true);
        final long stateHash;
        try (DurableServer server = new DurableServer(
            directory, RandomOrders.context(true), Durability.OS_CACHE, 32, 0, true))
        {
            // No snapshot of record 32 can be written.
            final Path inTheWay = directory.resolve(String.format(Locale.ROOT, "snapshot-%019d.tmp", 32));
            Files.createDirectories(inTheWay.resolve("full"));
            server.give(orders, 32);
            final String why = server.errors.get(0).getCause().getMessage();
            assertTrue(why.contains("no snapshot of record 32 could be written: "), why);
            server.give(orders, 64);
            assertEquals(1, server.errors.size());
            assertEquals(96, server.lastResult);
            stateHash = server.durable.stateHash();
            Files.delete(inTheWay.resolve("full"));
        }
        try (DurableServer server = new DurableServer(
            directory, RandomOrders.context(true), Durability.OS_CACHE, 32, 0, true))
        {
            assertEquals(96, server.report().snapshot());
            assertEquals(stateHash, server.durable.stateHash());
        }
    }

    /**
     * The executions' queue is read by the thread that executes, so a batch fills it. The command without capacity is
     * in the journal: nothing behind it is executed, and the next start executes it.
     */
    @Test
    void shouldExecuteNothingBehindACommandWithoutCapacity()
    {
        long executed = 0;
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH, 0, 0, false))
        {
            final RandomOrders orders = new RandomOrders(7, true);
            for (int i = 0; i < 64; i++)
            {
                server.commands.publish(orders.next(server.commands.claim()));
            }
            assertThrows(Throwable.class, () ->
            {
                server.invoke();
                throw server.server.failure();
            });
            assertEquals(64, server.journal.committedSequence());
            for (final CommandResult result : CommandResult.values())
            {
                executed += server.server.counters().value("matching.commands." + result);
            }
            assertTrue(executed > 20 && executed < 64, "executed " + executed);
            assertEquals(1, server.server.counters().value("matching.commands.insufficientCapacity"));
            assertEquals(reference(true, executed).engine.timedHash(), server.durable.stateHash());
            final OrderCommand next = new OrderCommand().nop();
            assertInstanceOf(ExecutionCapacityException.class, assertThrows(
                IllegalStateException.class, () -> server.matching.onEvent(next, 99, true)).getCause());
        }
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            assertEquals(64, server.report().replayed());
            assertEquals(reference(true, 64).engine.timedHash(), server.durable.stateHash());
        }
    }

    private static DurableServer greatServer(final Path directory)
    {
        return new DurableServer(directory, new EngineContext().maxOrderCapacity(GREAT.orderCapacity())
            .maxAddedCapacity(2L * GREAT.orderCapacity()), Durability.EVERY_BATCH);
    }

    /** Runs in a child JVM. Its server ends at a symbol without memory. */
    public static void main(final String[] args)
    {
        try (DurableServer server = greatServer(Path.of(args[0])))
        {
            server.commands.publish(server.commands.claim().addSymbol(GREAT, null));
            server.invoke();
            assertInstanceOf(OutOfMemoryError.class, server.server.failure().getCause());
            assertEquals(1, server.journal.committedSequence());
            final OrderCommand next = new OrderCommand().limit(GREAT.symbol(), 1, 7, Side.BID, 1, 1);
            assertInstanceOf(OutOfMemoryError.class, assertThrows(
                IllegalStateException.class, () -> server.matching.onEvent(next, 2, true)).getCause());
        }
    }

    /** A start with more memory has the symbol, so the command behind it would have another result. */
    @Test
    void shouldExecuteNothingBehindASymbolWithoutMemory() throws Exception
    {
        new ChildJvm().flags("-Xmx32m", "-XX:+UseSerialGC").lines(DurableMatchingTest.class, folder.resolve("j"));
        try (DurableServer server = greatServer(folder.resolve("j")))
        {
            assertEquals(1, server.report().replayed());
            assertEquals(GREAT, server.matching.engine().book(GREAT.symbol()).spec());
        }
    }

    /** With a batch still to come, then without events. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWriteASnapshotOnRequest(final boolean whileBusy) throws Exception
    {
        final int commands = 200;
        try (DurableServer server =
            new DurableServer(folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            final RandomOrders orders = new RandomOrders(7, true);
            server.give(orders, commands - 16);
            Future<Long> request = whileBusy ? server.journal.requestSnapshot() : null;
            server.give(orders, 16);
            if (!whileBusy)
            {
                request = server.journal.requestSnapshot();
                server.invoke();
            }
            assertEquals(commands, request.get(0, TimeUnit.SECONDS));
        }
        try (DurableServer server =
            new DurableServer(folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            assertEquals(commands, server.report().snapshot());
            assertEquals(0, server.report().replayed());
            assertEquals(reference(true, commands).engine.timedHash(), server.durable.stateHash());
        }
    }

    /** During the close, after the last event. */
    @Test
    void shouldWriteTheSnapshotOfARequestWhenDrained() throws Exception
    {
        try (DurableServer server =
            new DurableServer(folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            server.give(new RandomOrders(7, true), 100);
            final Future<Long> request = server.journal.requestSnapshot();
            server.durable.onDrained();
            assertEquals(100, request.get(0, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldRecoverFromASnapshotThatTheFollowerBuilt()
    {
        final int commands = 4_000;
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.OS_CACHE, 0, 1_000, true))
        {
            server.give(new RandomOrders(7, true), commands);
            Await.until("snapshots", () -> server.server.counters().value("journal.snapshots") >= 2);
            assertEquals(0, server.server.counters().value("journal.followerFailures"));
            assertEquals(reference(true, commands).feed.count, server.feed.count, "the copy is muted");
        }
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.OS_CACHE))
        {
            assertEquals(2_000, server.report().snapshot());
            assertEquals(reference(true, commands).engine.timedHash(), server.durable.stateHash());
        }
    }

    @Test
    void shouldExecuteNoCommandThatIsNotCommitted()
    {
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            final String refusal = assertThrows(IllegalStateException.class, () ->
                server.durable.onEvent(new OrderCommand().nop(), 0, true)).getMessage();
            assertEquals(
                "record 1 is not committed: declare the stage of 'matching' after that of the journal", refusal);
        }
    }

    /** Without forces, for which the warm-up would wait; {@code JournalAllocationTest} has all policies. */
    @ParameterizedTest
    @EnumSource(value = Durability.class, names = {"INTERVAL", "OS_CACHE"})
    @Tag("normal")
    void shouldAllocateNothingForACommand(final Durability durability)
    {
        try (DurableServer server = new DurableServer(folder.resolve("j"),
            new EngineContext().symbol(SymbolSpec.future(1).withPrices(1, 1_000)), durability))
        {
            final long[] id = {0};
            AllocationWindows.assertNothing(2 * WINDOW + " commands", WINDOWS, () ->
            {
                for (int i = 0; i < WINDOW; i++, id[0]++)
                {
                    server.commands.publish(server.commands.claim()
                        .limit(1, id[0], 7, Side.BID, 1 + id[0] % 900, 1));
                    server.commands.publish(server.commands.claim().immediate(1, -1 - id[0], 8, Side.ASK, 1, 1));
                    server.invoke();
                }
            });
            assertEquals(2 * id[0], server.lastResult);
        }
    }

    @Test
    void shouldRefuseTheJournalOfAnotherConfiguration()
    {
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            server.give(new RandomOrders(7, true), 100);
        }
        final String refusal = assertThrows(IllegalStateException.class, () -> new DurableServer(
            folder.resolve("j"), RandomOrders.context(true).symbolCapacity(9), Durability.EVERY_BATCH)).getMessage();
        assertTrue(refusal.contains("schema"), refusal);
    }

    @Test
    void shouldFallBackFromADamagedSnapshot() throws IOException
    {
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH, 64, 0, true))
        {
            server.give(new RandomOrders(7, true), 640);
        }
        try (var files = Files.list(folder.resolve("j")))
        {
            final Path newest = files.filter(file -> file.toString().endsWith(".snap")).sorted().toList().get(1);
            final byte[] bytes = Files.readAllBytes(newest);
            bytes[100] ^= 1;
            Files.write(newest, bytes);
        }
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(true), Durability.EVERY_BATCH))
        {
            assertEquals(1, server.report().snapshotFallbacks());
            assertEquals(reference(true, 640).engine.timedHash(), server.durable.stateHash());
        }
    }

    /** J22: time is a field of a command. It jumps by an hour, goes back, and stands still. */
    @Test
    void shouldRecoverTheSameStateFromCommandsWhoseTimeGoesBack()
    {
        final long hourNs = TimeUnit.HOURS.toNanos(1);
        final long[] stepsNs = {0, 1, hourNs, 1, -hourNs, 0, -1_000_000, 2_000, hourNs};
        final RandomOrders orders = new RandomOrders(7, true);
        final RandomOrders again = new RandomOrders(7, true);
        final Applied reference = new Applied(RandomOrders.context(true));
        final OrderCommand command = new OrderCommand();
        for (int start = 0; start <= STARTS; start++)
        {
            try (DurableServer server =
                new DurableServer(folder.resolve("j"), RandomOrders.context(true), Durability.OS_CACHE))
            {
                assertEquals(reference.engine.timedHash(), server.durable.stateHash());
                long timeNs = 10 * hourNs;
                for (int i = 0; i < COMMANDS; i++)
                {
                    timeNs += stepsNs[i / 10 % stepsNs.length];
                    server.commands.publish(orders.next(server.commands.claim()).timestampNs(timeNs));
                    server.invoke();
                    reference.apply(again.next(command).timestampNs(timeNs));
                }
                assertEquals(List.of(), server.errors);
                assertEquals(reference.engine.timedHash(), server.durable.stateHash());
                server.matching.engine().verify();
            }
        }
    }

    /** J9 through the files. */
    @Tag("faults")
    @Test
    void shouldFallBackFromAnyDamageOfASnapshot() throws IOException
    {
        final Path directory = folder.resolve("j");
        try (DurableServer server =
            new DurableServer(directory, RandomOrders.context(true), Durability.EVERY_BATCH, 64, 0, true))
        {
            server.give(new RandomOrders(7, true), 256);
        }
        final long expected = reference(true, 256).engine.timedHash();
        final Path newest;
        try (var files = Files.list(directory))
        {
            newest = files.filter(file -> file.toString().endsWith(".snap")).sorted().toList().get(1);
        }
        final byte[] whole = Files.readAllBytes(newest);
        int cases = 0;
        for (int at = 0; at < whole.length; at += 2)
        {
            final byte[] changed = whole.clone();
            changed[at] ^= (byte)(1 << cases % 8);
            assertFallsBack(newest, changed, expected);
            assertFallsBack(newest, Arrays.copyOf(whole, at), expected);
            cases += 2;
        }
        System.out.println(cases + " damaged snapshots of " + whole.length + " bytes");
        assertTrue(cases >= 2_000, "only " + cases);
    }

    private static void assertFallsBack(final Path snapshot, final byte[] bytes, final long expected)
        throws IOException
    {
        Files.write(snapshot, bytes);
        final MatchingService matching = new MatchingService(
            "matching", RandomOrders.context(true).marketData(new FeedHash()), new InVmSource<>(
            ExecutionEvent::new, 64));
        try (Journal<OrderCommand> journal =
            Journal.open(DurableMatching.context(snapshot.getParent(), matching).watermarkBytes(0)))
        {
            final DurableMatching durable = new DurableMatching(journal, matching);
            final RecoveryReport report = journal.recoverTo(durable, Long.MAX_VALUE, Long.MAX_VALUE);
            assertEquals(1, report.snapshotFallbacks(), report.text());
            assertEquals(256, report.sequence());
            assertEquals(expected, durable.stateHash());
        }
    }
}
