package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.journal.Pieces;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An engine goes through a channel that takes and gives a few bytes at a time; the second state allocates nothing. */
class EngineStateTest
{
    private static final int COMMANDS = 1_500;
    private static final int EVERY = 100;
    /** The first command that both engines get. */
    private static final int FIRST = EVERY;
    private static final int ROWS = 64;
    private static final int STATES = 200;
    private static final int MAX_WINDOWS = 6;

    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);

    /** By the same two objects each time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 300})
    void shouldContinueAsTheOriginalThroughAChannelOfPieces(final int most) throws IOException
    {
        final boolean users = most != 7;
        final EngineSnapshotTest.Applied original = new EngineSnapshotTest.Applied(RandomOrders.context(users));
        final EngineSnapshotTest.Applied restored = new EngineSnapshotTest.Applied(RandomOrders.context(users));
        final EngineState from = new EngineState(original.engine);
        final EngineState into = new EngineState(restored.engine);
        final RandomOrders orders = new RandomOrders(most, users);
        final OrderCommand command = new OrderCommand();
        for (int i = 0; i < COMMANDS; i++)
        {
            final CommandResult result = original.apply(orders.next(command));
            if (i >= FIRST)
            {
                assertEquals(result, restored.apply(command), () -> most + ": " + command);
            }
            if (i % EVERY == EVERY - 1)
            {
                assertEquals(i > FIRST, original.engine.timedHash() == into.stateHash(), () -> most + ": " + command);
                final SnapshotOutput out = SnapshotOutput.to(new Pieces(bytes, most));
                from.writeTo(out);
                out.flush();
                into.readFrom(SnapshotInput.from(new Pieces(bytes, most), bytes.flip().remaining()));
                assertEquals(0, bytes.remaining());
                bytes.clear();
            }
        }
        restored.engine.verify();
    }

    /** Each outgrows the first buffer after its first bytes were read, which say how long it is. */
    @Test
    void shouldReadALongHeadAndALongBook() throws IOException
    {
        final EngineContext context = new EngineContext();
        for (int symbol = 1; symbol <= ROWS; symbol++)
        {
            context.symbol(SymbolSpec.future(symbol).withOrderCapacity(4 * ROWS).withPrices(1, 100));
        }
        final EngineSnapshotTest.Applied original = new EngineSnapshotTest.Applied(context);
        for (int id = 1; id <= 4 * ROWS; id++)
        {
            original.apply(new OrderCommand().limit(1, id, 1, Side.BID, 1 + id % 100, id));
        }
        final EngineSnapshotTest.Applied restored = new EngineSnapshotTest.Applied(context);
        final SnapshotOutput out = SnapshotOutput.to(new Pieces(bytes, 1_000));
        new EngineState(original.engine).writeTo(out);
        out.flush();
        bytes.flip();
        new EngineState(restored.engine).readFrom(SnapshotInput.from(new Pieces(bytes, 1_000), out.lengthBytes()));
        assertEquals(original.engine.timedHash(), restored.engine.timedHash());
    }

    @Test
    void shouldAllocateNothingForAStateThatHasNotGrown() throws IOException
    {
        final EngineState state = new EngineState(EngineSnapshotTest.busy(true, COMMANDS).engine);
        final SnapshotOutput out = SnapshotOutput.to(new Pieces(bytes, 1 << 20));
        write(state, out);
        AllocationWindows.assertNothing(STATES + " states", MAX_WINDOWS, () -> write(state, out));
        assertTrue(out.lengthBytes() > 0);
    }

    private void write(final EngineState state, final SnapshotOutput out) throws IOException
    {
        for (int i = 0; i < STATES; i++)
        {
            state.writeTo(out);
            out.flush();
            bytes.clear();
        }
    }
}
