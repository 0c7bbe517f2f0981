package io.millrace.journal;

import java.nio.file.Path;

/**
 * The operating system's files, but a force does nothing. What a test writes survives the death of a process all the
 * same, and thousands of forces would take most of the time.
 */
final class UnforcedFiles extends PassedFiles
{
    UnforcedFiles()
    {
        super(new SystemFiles());
    }

    @Override
    public void forceDirectory(final Path directory)
    {
    }

    @Override
    JournalFile wrap(final JournalFile file)
    {
        return new PassedFile(file)
        {
            @Override
            public void force()
            {
            }
        };
    }
}
