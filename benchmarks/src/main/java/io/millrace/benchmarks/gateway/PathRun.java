package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.util.concurrent.TimeUnit;

/**
 * A sender and a receiver that stay for all rounds of a path, so that all code is compiled once.
 */
final class PathRun
{
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final String name;
    private final QuotePath path;
    private final OpenLoop loop;
    private long missingBefore;

    PathRun(final String name, final QuotePath path, final OpenLoop loop)
    {
        this.name = name;
        this.path = path;
        this.loop = loop;
    }

    /** Untimed packets in small groups, so that no buffer overflows. */
    void warmUp(final int count)
    {
        path.receiver();
        for (int done = 0; done < count; done += 64)
        {
            loop.sendUntimed(64);
            missingBefore = path.await(loop.sent());
        }
    }

    /** Sends on the calling thread, which is pinned already. */
    WireRounds.Round round(final long count, final long perSecond)
    {
        path.reset();
        final ThreadProbe receiver = path.receiver();
        final HostFiles.Ticks ticks = HostFiles.HERE.ticks(Pinning.allowed());
        final long sentBefore = loop.sent();
        final long bytes = receiver.allocatedBytes();
        final long cpuNs = receiver.cpuNs();
        final long startNs = System.nanoTime() + LEAD_NS;
        loop.sendOnSchedule(count, perSecond, startNs);
        final long endNs = System.nanoTime();
        final long usedNs = receiver.cpuNs() - cpuNs;
        final long allocated = receiver.allocatedBytes() - bytes;
        final long sent = loop.sent() - sentBefore;
        final long missingNow = path.await(loop.sent());
        final long missing = missingNow - missingBefore;
        missingBefore = missingNow;
        final double wallNs = endNs - startNs;
        return new WireRounds.Round(path.wire.copy(), path.inside.copy(), sent, missing,
            sent * 1e9 / Math.max(wallNs, sent * 1e9 / perSecond), usedNs / wallNs,
            HostFiles.HERE.ticks(Pinning.allowed()).stealSince(ticks), allocated);
    }

    /** Sequence numbers prove what was lost: what the path does not miss by them, the handler has seen. */
    void checkLost()
    {
        if (path.lost() > missingBefore)
        {
            throw new WrongAnswerException(name + ": " + path.lost() + " sequence numbers are missing, but only " +
                missingBefore + " packets");
        }
    }
}
