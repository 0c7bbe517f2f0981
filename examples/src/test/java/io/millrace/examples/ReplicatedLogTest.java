package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.EngineState;
import io.millrace.engine.service.ExecutionCapacityException;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.pool.ByteView;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.codec.DecodeResult;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The part of docs/matching.md about a log that others replicate: as the user of a cluster, by the public API. */
class ReplicatedLogTest
{
    private static final int SYMBOL = 1;
    private static final int ENTRIES = 2_000;
    private static final int USERS = 10;

    /** What a cluster's service does with the entries of its log. */
    private static final class Replica implements AutoCloseable
    {
        final List<String> sent = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        boolean failsToSend;
        private final InVmSource<ExecutionEvent> executions =
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        private final MatchingService matching = new MatchingService("matching", context(), executions);
        private final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(failures::add).service(matching)
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("send", (execution, sequence, endOfBatch) -> send(execution))));
        private final EngineState state = new EngineState(matching.engine());
        private final OrderCommandCodec codec = new OrderCommandCodec();
        private final OrderCommand command = new OrderCommand();

        void onEntry(final ByteView entry, final int length, final long position, final long timeNs)
        {
            if (codec.decode(entry, 0, length, command) == DecodeResult.OK)
            {
                matching.onEvent(command.timestampNs(timeNs), position, true);
            }
        }

        void onTimer(final long position, final long timeNs)
        {
            matching.onEvent(command.tick(timeNs), position, true);
        }

        private void send(final ExecutionEvent execution)
        {
            if (failsToSend)
            {
                throw new IllegalStateException("not sent");
            }
            sent.add(execution.toString());
        }

        void snapshot(final WritableByteChannel channel) throws IOException
        {
            final SnapshotOutput out = SnapshotOutput.to(channel);
            state.writeTo(out);
            out.flush();
        }

        void load(final ReadableByteChannel channel, final long lengthBytes) throws IOException
        {
            state.readFrom(SnapshotInput.from(channel, lengthBytes));
        }

        /** The same bytes at once, without the journal's classes: up to 2 GB. */
        byte[] snapshot()
        {
            final EngineSnapshot snapshot = new EngineSnapshot();
            snapshot.take(matching.engine());
            final EngineSnapshotCodec snapshots = new EngineSnapshotCodec();
            final byte[] bytes = new byte[(int)snapshots.lengthBytes(snapshot)];
            snapshots.encode(snapshot, new ByteView(bytes), 0);
            return bytes;
        }

        void load(final byte[] bytes)
        {
            final EngineSnapshot snapshot = new EngineSnapshot();
            new EngineSnapshotCodec().decode(new ByteView(bytes), 0, bytes.length, snapshot);
            snapshot.restoreTo(matching.engine());
        }

        long hash()
        {
            return matching.engine().timedHash();
        }

        @Override
        public void close()
        {
            server.close();
        }
    }

    private static EngineContext context()
    {
        return new EngineContext().risk(new RiskLimits().withUsers(USERS))
            .symbol(SymbolSpec.future(SYMBOL).withPrices(1, 1_000).withOrderCapacity(ENTRIES),
                SymbolTerms.future(2, 3, 1, 1, ENTRIES * 10L));
    }

    private static List<byte[]> log(final long seed)
    {
        final Random random = new Random(seed);
        final OrderCommandCodec codec = new OrderCommandCodec();
        final ByteView view = new ByteView(new byte[codec.maxLengthBytes()]);
        final List<byte[]> log = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++)
        {
            final OrderCommand command = new OrderCommand();
            final int user = i % USERS;
            final byte side = random.nextBoolean() ? Side.BID : Side.ASK;
            if (i < 2 * USERS)
            {
                log.add(record(codec, view,
                    i < USERS ? command.addUser(user) : command.adjustBalance(user, 3, 1 << 30, 1)));
            }
            else if (random.nextInt(5) == 0)
            {
                log.add(record(codec, view, command.cancel(SYMBOL, random.nextInt(i), user)));
            }
            else
            {
                log.add(record(codec, view, command.goodTillDate(SYMBOL, i, user, side, 95 + random.nextInt(11),
                    1 + random.nextInt(9), i + 1L + random.nextInt(400))));
            }
        }
        return log;
    }

    private static byte[] record(final OrderCommandCodec codec, final ByteView view, final OrderCommand command)
    {
        final byte[] record = new byte[codec.encode(command, view, 0)];
        for (int i = 0; i < record.length; i++)
        {
            record[i] = view.getByte(i);
        }
        return record;
    }

    private static void run(final Replica replica, final List<byte[]> log, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            replica.onEntry(new ByteView(log.get(i)), log.get(i).length, i, i);
            if (i % 50 == 49)
            {
                replica.onTimer(i, i);
            }
        }
    }

    @Test
    void shouldGoOnFromASnapshotAsTheFirstReplica()
    {
        final long seed = System.nanoTime();
        final List<byte[]> log = log(seed);
        try (Replica first = new Replica(); Replica second = new Replica())
        {
            run(first, log, 0, ENTRIES / 2);
            second.load(first.snapshot());
            first.sent.clear();
            run(first, log, ENTRIES / 2, ENTRIES);
            run(second, log, ENTRIES / 2, ENTRIES);
            assertEquals(first.sent, second.sent, () -> "seed " + seed);
            assertEquals(first.hash(), second.hash(), () -> "seed " + seed);
            assertEquals(first.matching.schema(), second.matching.schema());
            assertNotEquals(first.matching.schema(),
                new MatchingService("matching", context(), second.executions).allowReset().schema());
        }
    }

    /** By channels, as a cluster gives them; and the bytes are those of the codec. */
    @Test
    void shouldRestoreASnapshotThatWentThroughAChannel() throws IOException
    {
        final long seed = System.nanoTime();
        final List<byte[]> log = log(seed);
        try (Replica first = new Replica(); Replica second = new Replica(); Replica third = new Replica())
        {
            run(first, log, 0, ENTRIES / 2);
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            first.snapshot(Channels.newChannel(bytes));
            assertArrayEquals(first.snapshot(), bytes.toByteArray());
            second.load(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())), bytes.size());
            assertEquals(first.hash(), second.hash(), () -> "seed " + seed);
            assertEquals(first.state.stateHash(), second.state.stateHash());
            run(first, log, ENTRIES / 2, ENTRIES);
            run(second, log, ENTRIES / 2, ENTRIES);
            assertEquals(first.hash(), second.hash(), () -> "seed " + seed);
            // A part of a snapshot changes nothing.
            final long before = third.hash();
            assertThrows(EOFException.class, () -> third.load(Channels.newChannel(
                new ByteArrayInputStream(bytes.toByteArray(), 0, bytes.size() - 1)), bytes.size()));
            assertEquals(before, third.hash());
        }
    }

    /** The page says that a failure ends the replica: its engine does not get the entries that follow. */
    @Test
    void shouldNotExecuteWhatFollowsAnExecutionThatCouldNotBeSent()
    {
        final List<byte[]> log = log(1);
        try (Replica replica = new Replica(); Replica other = new Replica())
        {
            run(replica, log, 0, 2 * USERS);
            run(other, log, 0, ENTRIES);
            replica.failsToSend = true;
            run(replica, log, 2 * USERS, 2 * USERS + 1);
            assertEquals("not sent", replica.failures.get(0).getCause().getMessage());
            replica.failsToSend = false;
            final ExecutionCapacityException refused = assertThrows(ExecutionCapacityException.class,
                () -> run(replica, log, 2 * USERS + 1, ENTRIES));
            assertFalse(refused.isExecuted());
            assertNotEquals(other.hash(), replica.hash());
        }
    }
}
