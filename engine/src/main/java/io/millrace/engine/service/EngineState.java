package io.millrace.engine.service;

import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.codec.BookSnapshotCodec;
import io.millrace.engine.codec.BookSnapshotDescriptor;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.engine.codec.EngineSnapshotDescriptor;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.journal.Snapshotable;
import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The whole state of an engine in the layout of {@link EngineSnapshotDescriptor}, written and read in pieces: also a
 * state of more than 2 GB. For a log that others keep, such as that of a cluster; {@link DurableMatching} is for the
 * journal. A state of another configuration is refused, but not one of other rules: keep {@link
 * MatchingService#schema()} with it.
 * <p>
 * Call it on the engine's thread, between two commands. The engine executes none meanwhile. An object holds a copy of
 * the last state and a buffer for its largest book. {@link #writeTo} allocates only when the state has grown, so keep
 * one; {@link #readFrom} makes new tables and books for the engine.
 */
public final class EngineState implements Snapshotable
{
    private static final int LEAST_LENGTH = 4_096;

    private final MatchingEngine engine;
    private final EngineSnapshot snapshot = new EngineSnapshot();
    private final EngineSnapshotCodec codec = new EngineSnapshotCodec();
    private final BookSnapshotCodec books = new BookSnapshotCodec();
    private ByteBuffer bytes = ByteBuffer.allocate(LEAST_LENGTH);
    private ByteView view = new ByteView(bytes);

    /**
     * The state of an engine.
     *
     * @param engine for example {@link MatchingService#engine()}.
     */
    public EngineState(final MatchingEngine engine)
    {
        this.engine = Objects.requireNonNull(engine, "engine");
    }

    /**
     * Copies the engine, and writes the copy.
     *
     * @param out takes the bytes.
     * @throws IOException           when they cannot be written; the engine has not changed.
     * @throws BookSnapshotException when the rows outside of the books have more than 2 GB.
     */
    @Override
    public void writeTo(final SnapshotOutput out) throws IOException
    {
        snapshot.take(engine);
        write(out, codec.encodeHead(snapshot, reserve(codec.headLengthBytes(snapshot), 0), 0));
        for (int row = 0; row < snapshot.symbols().count(); row++)
        {
            write(out, books.encode(snapshot.book(row), reserve(books.lengthBytes(snapshot.book(row)), 0), 0));
        }
    }

    private void write(final SnapshotOutput out, final int length) throws IOException
    {
        out.putBytes(bytes.limit(length).position(0));
    }

    /**
     * Replaces the whole state of the engine.
     *
     * @param in has exactly the bytes of a state.
     * @throws IOException           when they cannot be read; the engine has not changed.
     * @throws BookSnapshotException when they are no state of this engine; it has not changed.
     */
    @Override
    public void readFrom(final SnapshotInput in) throws IOException
    {
        final long ofHead = in.remaining();
        read(in, 0, (int)Math.min(EngineSnapshotDescriptor.ROWS_OFFSET, ofHead));
        final int head = codec.headLengthBytes(view, 0, ofHead);
        read(in, EngineSnapshotDescriptor.ROWS_OFFSET, head);
        codec.decodeHead(view, 0, head, snapshot);
        for (int row = 0; row < snapshot.symbols().count(); row++)
        {
            final long ofBook = in.remaining();
            read(in, 0, (int)Math.min(BookSnapshotDescriptor.FIRST_ROWS_OFFSET, ofBook));
            final int length = codec.bookLengthBytes(view, 0, ofBook, snapshot, row);
            read(in, BookSnapshotDescriptor.FIRST_ROWS_OFFSET, length);
            codec.decodeBook(view, 0, length, snapshot, row);
        }
        if (in.remaining() != 0)
        {
            throw new BookSnapshotException(in.remaining() + " bytes follow the last book");
        }
        snapshot.restoreTo(engine);
    }

    /** Reads the bytes from one offset of the buffer to another. */
    private void read(final SnapshotInput in, final int from, final int to) throws IOException
    {
        reserve(to, from);
        in.getBytes(bytes.limit(to).position(from));
    }

    /** Makes the buffer long enough; keeps its first bytes. */
    private ByteView reserve(final int length, final int kept)
    {
        if (bytes.capacity() < length)
        {
            final ByteBuffer grown =
                ByteBuffer.allocate((int)Math.max(length, Math.min(2L * bytes.capacity(), Integer.MAX_VALUE / 2)));
            grown.put(bytes.limit(kept).position(0));
            bytes = grown;
            view = new ByteView(grown.clear());
        }
        return view;
    }

    /** @return {@link MatchingEngine#timedHash()}. */
    @Override
    public long stateHash()
    {
        return engine.timedHash();
    }
}
