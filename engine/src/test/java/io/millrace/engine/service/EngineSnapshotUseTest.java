package io.millrace.engine.service;

import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.codec.BookSnapshotCodec;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A snapshot that is used again, a view that is too short, and symbols that no engine can have. */
class EngineSnapshotUseTest
{
    private final EngineSnapshotCodec codec = new EngineSnapshotCodec();

    private byte[] bytesOf(final EngineSnapshot taken)
    {
        final byte[] bytes = new byte[(int)codec.lengthBytes(taken)];
        assertEquals(bytes.length, codec.encode(taken, new ByteView(bytes), 0));
        return bytes;
    }

    @Test
    void shouldRefuseATypeThatIsNoneAndASymbolThatIsThereTwice()
    {
        final EngineSnapshotTest.Applied applied = EngineSnapshotTest.busy(false, 400);
        final EngineSnapshot snapshot = new EngineSnapshot();
        snapshot.take(applied.engine);
        final int numberColumn = 0;
        final int typeColumn = 4;
        final long number = snapshot.symbols().get(0, numberColumn);
        snapshot.symbols().set(1, numberColumn, number);
        assertEquals("symbol 1: number " + number + " is not above the one before",
            assertThrows(BookSnapshotException.class, () -> snapshot.restoreTo(applied.engine)).getMessage());
        snapshot.take(applied.engine);
        snapshot.symbols().set(0, typeColumn, 2);
        assertEquals("symbol 0, column 4: 2 is not in 0..1",
            assertThrows(BookSnapshotException.class, () -> snapshot.restoreTo(applied.engine)).getMessage());
    }

    @Test
    void shouldWriteNothingIntoAViewThatIsTooShort()
    {
        final EngineSnapshot taken = new EngineSnapshot();
        taken.take(EngineSnapshotTest.busy(true, 400).engine);
        final byte[] bytes = new byte[(int)codec.lengthBytes(taken) - 1];
        final ByteView view = new ByteView(bytes);
        assertEquals(BookSnapshotCodec.INSUFFICIENT_CAPACITY, codec.encode(taken, view, 0));
        assertEquals(BookSnapshotCodec.INSUFFICIENT_CAPACITY,
            codec.encodeHead(taken, view, bytes.length + 1 - codec.headLengthBytes(taken)));
        assertArrayEquals(new byte[bytes.length], bytes);
    }

    private static void spoilSymbols(final EngineSnapshot snapshot)
    {
        for (int row = 0; row < snapshot.symbols().count(); row++)
        {
            for (int column = 0; column < snapshot.symbols().width(); column++)
            {
                snapshot.symbols().set(row, column, 7);
            }
        }
    }

    /** What an earlier state has left in its tables is gone. */
    @Test
    void shouldTakeAndReadAnotherStateWithTheSameSnapshot() throws IOException
    {
        final EngineSnapshot reused = new EngineSnapshot();
        reused.take(EngineSnapshotTest.busy(true, 400).engine);
        spoilSymbols(reused);
        final EngineSnapshotTest.Applied without = EngineSnapshotTest.busy(false, 400);
        reused.take(without.engine);
        final EngineSnapshot fresh = new EngineSnapshot();
        fresh.take(without.engine);
        assertArrayEquals(bytesOf(fresh), bytesOf(reused));
        spoilSymbols(reused);
        // Without limits of orders.
        final byte[] golden = Files.readAllBytes(EngineSnapshotTest.GOLDEN_FOLDER.resolve("engine-v1.mesn"));
        codec.decode(new ByteView(golden), 0, golden.length, reused);
        final EngineSnapshotTest.Applied into = new EngineSnapshotTest.Applied(RandomOrders.context(true));
        reused.restoreTo(into.engine);
        final EngineSnapshotTest.Applied now = EngineSnapshotTest.busy(true, EngineSnapshotTest.GOLDEN_COMMANDS);
        assertEquals(now.engine.timedHash(), into.engine.timedHash());
    }
}
