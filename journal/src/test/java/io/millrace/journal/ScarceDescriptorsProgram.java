package io.millrace.journal;

import io.millrace.pool.testkit.Descriptors;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Behind its first records it has no free file descriptor while the keeper looks at the disk. Argument: directory. */
final class ScarceDescriptorsProgram
{
    private ScarceDescriptorsProgram()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        // A look is due in each round.
        try (Journal<Command> journal = Journal.open(Journals.context(Path.of(arguments[0]))
            .fileOps(new SystemFiles()).clock(Journals.clock(SegmentKeeper.LOOK_NS))))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 5, 5);
            final List<Closeable> files = Descriptors.takeAll();
            Journals.append(journal, 11, 15, 5);
            journal.segmentKeeper().doWork();
            System.out.println(files.size() > 0 && journal.problem().contains("Too many open files"));
            for (final Closeable file : files)
            {
                file.close();
            }
            journal.segmentKeeper().doWork();
            System.out.println(journal.failure());
            Journals.append(journal, 16, 20, 5);
        }
    }
}
