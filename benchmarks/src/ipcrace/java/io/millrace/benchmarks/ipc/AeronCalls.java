package io.millrace.benchmarks.ipc;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AgentInvoker;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Aeron IPC between two processes: an exclusive publication each way, messages claimed and written in place, polled
 * from the image. The media driver is in the host, in its INVOKER mode, and so are the clients' duties: the calling
 * thread does the host's, every {@value #CALLS_PER_DUTY} calls. So there are two busy threads, as in every other
 * contender. The limits on the duties' pauses are an hour, because nobody does them while other contenders run.
 */
final class AeronCalls implements RivalCalls
{
    private static final int BYTES = CallGuest.BYTES;
    private static final int REQUESTS = 1;
    private static final int RESPONSES = 2;
    // Three terms of 256 KiB stay inside of an L2.
    private static final String CHANNEL = "aeron:ipc?term-length=256k";
    // A quarter of what may be under way: half a term.
    private static final int CALLS_PER_DUTY = 256;
    private static final int POLLS_PER_DUTY = 1 << 14;
    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);
    /** So long after the last call the guest's thread sleeps, and so long at a time. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final AgentInvoker driverDuty;
    private final Path directory;
    private final boolean isHost;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler onRequest = (buffer, offset, length, header) -> answer(buffer, offset);
    private final FragmentHandler onResponse = (buffer, offset, length, header) -> check(buffer, offset, length);
    private AgentInvoker clientDuty;
    private ExclusivePublication publication;
    private Image image;
    private long first;
    private int wrong;
    private int calls;

    /** The guest's end connects in {@link #serve()}, the host's in its first call: they need each other. */
    AeronCalls(final Path directory, final boolean isHost)
    {
        this.directory = directory;
        this.isHost = isHost;
        driverDuty = isHost ? MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(directory.toString())
            .threadingMode(ThreadingMode.INVOKER).dirDeleteOnStart(true)
            .clientLivenessTimeoutNs(NEVER_NS).publicationUnblockTimeoutNs(2 * NEVER_NS)).sharedAgentInvoker() : null;
    }

    private void connect()
    {
        final Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory.toString())
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(NEVER_NS)).useConductorAgentInvoker(true)
            .driverAgentInvoker(driverDuty));
        clientDuty = aeron.conductorAgentInvoker();
        publication = aeron.addExclusivePublication(CHANNEL, isHost ? REQUESTS : RESPONSES);
        final Subscription subscription = aeron.addSubscription(CHANNEL, isHost ? RESPONSES : REQUESTS);
        final long startNs = System.nanoTime();
        while (!publication.isConnected() || !subscription.isConnected())
        {
            duty();
            if (isHost && System.nanoTime() - startNs > HANG_NS)
            {
                throw new IllegalStateException("Aeron did not connect in 10 s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        image = subscription.imageAtIndex(0);
    }

    private void duty()
    {
        if (driverDuty != null)
        {
            driverDuty.invoke();
        }
        clientDuty.invoke();
    }

    private void claim()
    {
        while (publication.tryClaim(BYTES, claim) < 0)
        {
            duty();
        }
    }

    @Override
    public int call(final long newFirst)
    {
        if (image == null)
        {
            connect();
        }
        if (++calls % CALLS_PER_DUTY == 0)
        {
            duty();
        }
        first = newFirst;
        wrong = 1;
        claim();
        final MutableDirectBuffer buffer = claim.buffer();
        final int offset = claim.offset();
        for (int i = 0; i < BYTES; i += Long.BYTES)
        {
            buffer.putLong(offset + i, newFirst + i);
        }
        claim.commit();
        for (long polls = 1; image.poll(onResponse, 1) == 0; polls++)
        {
            if (polls % POLLS_PER_DUTY == 0)
            {
                duty();
            }
            if (image.isClosed())
            {
                return 1;
            }
            Thread.onSpinWait();
        }
        return wrong;
    }

    private void check(final DirectBuffer buffer, final int offset, final int length)
    {
        boolean right = length == BYTES;
        for (int i = 0; i < BYTES; i += Long.BYTES)
        {
            right &= buffer.getLong(offset + i) == first + i + 1;
        }
        wrong = right ? 0 : 1;
    }

    @Override
    public void serve()
    {
        connect();
        long lastNs = System.nanoTime();
        for (long polls = 1; true; polls++)
        {
            if (image.poll(onRequest, 1) > 0)
            {
                lastNs = 0;
            }
            else if (polls % POLLS_PER_DUTY == 0)
            {
                duty();
                final long nowNs = System.nanoTime();
                lastNs = lastNs == 0 ? nowNs : lastNs;
                while (nowNs - lastNs > IDLE_NS && image.poll(onRequest, 1) == 0)
                {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
            else
            {
                Thread.onSpinWait();
            }
        }
    }

    private void answer(final DirectBuffer request, final int from)
    {
        claim();
        final MutableDirectBuffer buffer = claim.buffer();
        final int offset = claim.offset();
        for (int i = 0; i < BYTES; i += Long.BYTES)
        {
            buffer.putLong(offset + i, request.getLong(from + i) + 1);
        }
        claim.commit();
    }
}
