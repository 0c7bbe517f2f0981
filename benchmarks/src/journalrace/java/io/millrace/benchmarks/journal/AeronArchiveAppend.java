package io.millrace.benchmarks.journal;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Aeron Archive: an exclusive IPC publication, records claimed in place, recorded by an embedded archive. A batch is
 * safe when the recording position has passed it; forced with file sync level 1. Driver and archive are SHARED, an
 * agent each, because two cores have no place for more; all threads yield while they wait.
 */
public final class AeronArchiveAppend implements AppendPath
{
    private static final String CHANNEL = "aeron:ipc?term-length=64m";
    private static final String CONTROL = "aeron:ipc";
    private static final int STREAM = 1;
    private static final int REPLAY_STREAM = 2;
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(20);

    private final ArchivingMediaDriver driver;
    private final AeronArchive archive;
    private final ExclusivePublication publication;
    private final CountersReader counters;
    private final int counter;
    private final BufferClaim claim = new BufferClaim();
    private long number;

    /**
     * A new archive.
     *
     * @param directory for its files.
     * @param forces    whether it forces what it writes.
     */
    public AeronArchiveAppend(final Path directory, final boolean forces)
    {
        final int level = forces ? 1 : 0;
        final String aeron = "/dev/shm/millrace-archive-" + ProcessHandle.current().pid();
        driver = ArchivingMediaDriver.launch(
            new MediaDriver.Context().aeronDirectoryName(aeron).threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(YieldingIdleStrategy.INSTANCE).spiesSimulateConnection(true)
                .dirDeleteOnStart(true).dirDeleteOnShutdown(true),
            new Archive.Context().aeronDirectoryName(aeron).archiveDirectoryName(directory.toString())
                .threadingMode(ArchiveThreadingMode.SHARED).idleStrategySupplier(() -> YieldingIdleStrategy.INSTANCE)
                .controlChannelEnabled(false).archiveClientContext(
                    new AeronArchive.Context().aeronDirectoryName(aeron).controlResponseChannel(CONTROL))
                .localControlChannel(CONTROL).replicationChannel(CONTROL)
                .recordingEventsEnabled(false).fileSyncLevel(level).catalogFileSyncLevel(level));
        archive = AeronArchive.connect(new AeronArchive.Context().aeronDirectoryName(aeron)
            .controlRequestChannel(CONTROL).controlResponseChannel(CONTROL));
        publication = archive.addRecordedExclusivePublication(CHANNEL, STREAM);
        counters = archive.context().aeron().countersReader();
        counter = awaitCounter();
    }

    private int awaitCounter()
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        int found;
        do
        {
            found = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
            check(giveUpNs);
        }
        while (found == CountersReader.NULL_COUNTER_ID);
        return found;
    }

    private static void check(final long giveUpNs)
    {
        Thread.yield();
        if (System.nanoTime() > giveUpNs)
        {
            throw new IllegalStateException("Aeron did nothing for 20 s");
        }
    }

    @Override
    public AppendRound run(final int batches, final int batch) throws Exception
    {
        return AppendRound.measure((long)batches * batch, () ->
        {
            for (int i = 0; i < batches; i++)
            {
                append(batch);
                await(publication.position());
            }
        });
    }

    private void append(final int batch)
    {
        for (int i = 0; i < batch; i++)
        {
            number++;
            long giveUpNs = 0;
            while (publication.tryClaim(WORDS * Long.BYTES, claim) < 0)
            {
                giveUpNs = giveUpNs == 0 ? System.nanoTime() + HANG_NS : giveUpNs;
                check(giveUpNs);
            }
            final MutableDirectBuffer buffer = claim.buffer();
            for (int word = 0; word < WORDS; word++)
            {
                buffer.putLong(claim.offset() + word * Long.BYTES, AppendPath.word(number, word));
            }
            claim.commit();
        }
    }

    private void await(final long position)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (counters.getCounterValue(counter) < position)
        {
            check(giveUpNs);
        }
    }

    @Override
    public long contents()
    {
        final long end = publication.position();
        final long recording = RecordingPos.getRecordingId(counters, counter);
        final long[] hashAndCount = {number, 0};
        final FragmentHandler reader = (buffer, offset, length, header) ->
        {
            hashAndCount[1]++;
            for (int at = 0; at < length; at += Long.BYTES)
            {
                hashAndCount[0] = AppendPath.add(hashAndCount[0], buffer.getLong(offset + at));
            }
        };
        try (Subscription replay = archive.replay(recording, 0, end, CHANNEL, REPLAY_STREAM))
        {
            long giveUpNs = System.nanoTime() + HANG_NS;
            while (hashAndCount[1] < number)
            {
                if (replay.poll(reader, 256) > 0)
                {
                    giveUpNs = System.nanoTime() + HANG_NS;
                }
                else
                {
                    check(giveUpNs);
                }
            }
        }
        finally
        {
            CloseHelper.closeAll(archive, driver);
        }
        return hashAndCount[0];
    }
}
