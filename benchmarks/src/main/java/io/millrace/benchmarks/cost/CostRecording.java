package io.millrace.benchmarks.cost;

import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import io.millrace.server.file.FileSink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Recording of events in a folder of its own, which is deleted after the round. Stateless.
 */
final class CostRecording
{
    // Two files at most, which stay in the page cache.
    private static final long FILE_BYTES = 64L << 20;
    private static final int SCHEMA = 1;
    private static final int LENGTH = 3 * Long.BYTES;
    private static final EventCodec<CostEvent> CODEC = new EventCodec<>()
    {
        @Override
        public int encode(final CostEvent event, final ByteView into, final int offset)
        {
            into.putLong(offset, event.id);
            into.putLong(offset + Long.BYTES, event.stampNs);
            into.putLong(offset + 2 * Long.BYTES, event.sum());
            return LENGTH;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final CostEvent into)
        {
            throw new UnsupportedOperationException("nothing is replayed");
        }

        @Override
        public int maxLengthBytes()
        {
            return LENGTH;
        }
    };

    private CostRecording()
    {
    }

    static Path newFolder()
    {
        try
        {
            return Files.createTempDirectory("millrace-cost");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    static FileSink<CostEvent> sink(final Path folder)
    {
        return FileSink.recording(folder.resolve("events"), SCHEMA, CODEC, event -> event.id).rotate(FILE_BYTES, 1);
    }
}
