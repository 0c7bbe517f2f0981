package io.millrace.benchmarks.exchange;

import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.service.OrderCommand;
import io.millrace.journal.RecordDescriptor;
import io.millrace.pool.ByteView;
import io.millrace.server.pipeline.EventHandler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The baseline of a journal's stage: encodes each command at the place that it has in a journal, writes the bytes of a
 * batch and forces them. No checksum, no header but the number, no segments: over and over one prepared file. Used by
 * the thread of its stage.
 */
final class BareLog implements EventHandler<OrderCommand>
{
    private static final int BUFFER = 256 * 1024;

    private final OrderCommandCodec codec = new OrderCommandCodec();
    private final int longest = RecordDescriptor.recordLength(codec.maxLengthBytes());
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final ByteView view = new ByteView(buffer);
    private final FileChannel file;
    private final int length;
    private final boolean forces;
    private long at;
    private int pending;
    private long number;

    BareLog(final Path prepared, final int length, final boolean forces) throws IOException
    {
        file = FileChannel.open(prepared, StandardOpenOption.WRITE);
        this.length = length;
        this.forces = forces;
    }

    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch) throws IOException
    {
        if (BUFFER - pending < longest)
        {
            write();
        }
        final int payload = codec.encode(command, view, pending + RecordDescriptor.HEADER_LENGTH);
        view.putLong(pending + RecordDescriptor.SEQUENCE_OFFSET, ++number);
        pending += RecordDescriptor.recordLength(payload);
        if (endOfBatch)
        {
            write();
            if (forces)
            {
                file.force(false);
            }
        }
    }

    private void write() throws IOException
    {
        if (at + pending > length)
        {
            at = 0;
        }
        buffer.limit(pending).position(0);
        while (buffer.hasRemaining())
        {
            file.write(buffer, at + buffer.position());
        }
        at += pending;
        pending = 0;
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return true;
    }

    @Override
    public void onClose()
    {
        try
        {
            // As the journal does at its close: so nothing is left to be written in the round of another.
            file.force(false);
            file.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
