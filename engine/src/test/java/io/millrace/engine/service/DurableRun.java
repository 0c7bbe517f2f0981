package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.OracleStream;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.journal.Durability;
import io.millrace.pool.ByteView;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Prints state hashes of engines behind their journals, for {@link DurableHashTest} to compare over JVMs: live, after
 * recovery, after a snapshot and the records behind it; and the checksum of the snapshot's bytes.
 */
public final class DurableRun
{
    private static final Path ORACLE = Path.of(System.getProperty("millrace.shared", "../../shared"), "oracle");
    /** Interpreted, the recorded streams would take too long. */
    private static final int LEAST_FOR_STREAMS = 100_000;

    private final Path folder;
    private final List<String> hashes = new ArrayList<>();

    private DurableRun(final Path folder)
    {
        this.folder = folder;
    }

    /**
     * Runs and prints.
     *
     * @param arguments an empty folder, and how many random commands.
     */
    public static void main(final String[] arguments)
    {
        hashes(Path.of(arguments[0]), Integer.parseInt(arguments[1])).forEach(System.out::println);
    }

    static List<String> hashes(final Path folder, final int commands)
    {
        final DurableRun run = new DurableRun(folder);
        for (final boolean users : new boolean[] {true, false})
        {
            run.compare("random " + users, commands, RandomOrders.context(users), server ->
                server.give(new RandomOrders(1, users), commands));
        }
        if (commands >= LEAST_FOR_STREAMS && Files.exists(ORACLE))
        {
            for (final OracleStream stream : List.of(
                OracleStream.margin100k(), OracleStream.exchange100k(), OracleStream.coreRisk20k()))
            {
                final EngineContext context = new EngineContext();
                stream.symbols().forEach(context::symbol);
                run.compare(stream.name(), stream.commands().size(), context, server -> give(server, stream));
            }
        }
        return run.hashes;
    }

    private interface Commands
    {
        void giveTo(DurableServer server);
    }

    private static void give(final DurableServer server, final OracleStream stream)
    {
        int given = 0;
        for (final OracleStream.Command c : stream.commands())
        {
            server.commands.publish(server.commands.claim().set(c.type(), c.orderType(), c.side(),
                SelfTradePolicy.ALLOW, c.symbol(), c.orderId(), c.uid(), c.price(), c.size(), c.reservePrice(), 0, 0));
            if (++given % DurableServer.BATCH == 0)
            {
                server.invoke();
            }
        }
        server.invoke();
    }

    private void compare(final String name, final int count, final EngineContext context, final Commands commands)
    {
        final Path plain = folder.resolve(name.replace(' ', '-'));
        final String live = live(plain, context, 0, commands);
        hashes.add(name + " " + live);
        equal(name + " after recovery", live, recovered(plain, context, count, false));
        final Path snapshots = folder.resolve(name.replace(' ', '-') + "-snapshots");
        equal(name + " with snapshots", live, live(snapshots, context, count / 3 + 1, commands));
        equal(name + " after a snapshot", live, recovered(snapshots, context, count, true));
    }

    private static void equal(final String what, final String expected, final String actual)
    {
        if (!expected.equals(actual))
        {
            throw new AssertionError(what + ": " + actual + " is not " + expected);
        }
    }

    private static String live(
        final Path directory, final EngineContext context, final int snapshotEvery, final Commands commands)
    {
        try (DurableServer server =
            new DurableServer(directory, context, Durability.OS_CACHE, snapshotEvery, 0, true))
        {
            commands.giveTo(server);
            if (!server.errors.isEmpty())
            {
                throw new AssertionError(server.errors.toString());
            }
            return state(server);
        }
    }

    private static String recovered(
        final Path directory, final EngineContext context, final int count, final boolean fromSnapshot)
    {
        try (DurableServer server = new DurableServer(directory, context, Durability.OS_CACHE))
        {
            if (server.report().sequence() != count || fromSnapshot != server.report().snapshot() > 0)
            {
                throw new AssertionError(server.report().text());
            }
            return state(server);
        }
    }

    private static String state(final DurableServer server)
    {
        final MatchingEngine engine = server.matching.engine();
        final EngineSnapshot snapshot = new EngineSnapshot();
        snapshot.take(engine);
        final EngineSnapshotCodec codec = new EngineSnapshotCodec();
        final byte[] bytes = new byte[(int)codec.lengthBytes(snapshot)];
        codec.encode(snapshot, new ByteView(bytes), 0);
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return Long.toHexString(engine.stateHash()) + " " + Long.toHexString(engine.timedHash()) + " snapshot of " +
            bytes.length + " bytes " + Long.toHexString(checksum.getValue());
    }
}
