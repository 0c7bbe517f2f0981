package io.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes 7 bytes at most in each call, as an operating system may. */
final class ShortWrites extends PassedFiles
{
    private static final int LENGTH = 7;

    ShortWrites(final FileOps next)
    {
        super(next);
    }

    @Override
    JournalFile wrap(final JournalFile file)
    {
        return new PassedFile(file)
        {
            @Override
            public int write(final ByteBuffer source, final long position) throws IOException
            {
                final int limit = source.limit();
                source.limit(source.position() + Math.min(LENGTH, source.remaining()));
                final int written = super.write(source, position);
                source.limit(limit);
                return written;
            }
        };
    }
}
