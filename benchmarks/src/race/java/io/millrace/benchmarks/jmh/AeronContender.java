package io.millrace.benchmarks.jmh;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.status.CountersReader;

import java.util.concurrent.TimeUnit;

/**
 * Aeron IPC inside of one process: an exclusive publication, messages claimed and written in place, frames of 64 bytes
 * with their header, polled from the image.
 * <p>
 * The media driver is embedded in its INVOKER mode and so are the client's duties: the publishing thread does them
 * when it finds the term full and {@value #OFFERS_PER_DUTY} offers after the last time. So there are two busy threads,
 * as in every other contender; a driver with its own thread would be a third one on two cores.
 */
final class AeronContender extends Contender
{
    private static final int FRAME_BYTES = 64;
    private static final int HEADER_BYTES = 32;
    private static final int MESSAGE_BYTES = FRAME_BYTES - HEADER_BYTES;
    private static final int STREAM = 1;
    // Three terms of 256 KiB stay inside of an L2; half a term, 2,048 frames, may be under way.
    private static final String CHANNEL = "aeron:ipc?term-length=256k";
    // A quarter of what may be under way, so that the publisher hardly ever meets its limit.
    private static final int OFFERS_PER_DUTY = 512;
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(5);

    private final MediaDriver driver;
    private final Aeron aeron;
    private final AgentInvoker driverDuty;
    private final AgentInvoker clientDuty;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final Image image;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler handler;
    private int offersToDuty = OFFERS_PER_DUTY;

    AeronContender(final Check check)
    {
        super(check);
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        driverDuty = driver.sharedAgentInvoker();
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driverDuty));
        clientDuty = aeron.conductorAgentInvoker();
        subscription = aeron.addSubscription(CHANNEL, STREAM);
        publication = aeron.addExclusivePublication(CHANNEL, STREAM);
        awaitConnection();
        image = subscription.imageAtIndex(0);
        handler = (buffer, offset, length, header) -> handle(buffer, offset);
    }

    private void awaitConnection()
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (!publication.isConnected() || !subscription.isConnected())
        {
            duty();
            if (System.nanoTime() > giveUpNs)
            {
                close();
                throw new IllegalStateException("Aeron did not connect in 5 s");
            }
            Thread.yield();
        }
    }

    private void duty()
    {
        offersToDuty = OFFERS_PER_DUTY;
        driverDuty.invoke();
        clientDuty.invoke();
    }

    @Override
    public boolean offer(final long id)
    {
        if (--offersToDuty == 0)
        {
            duty();
        }
        if (publication.tryClaim(MESSAGE_BYTES, claim) < 0)
        {
            duty();
            return false;
        }
        final MutableDirectBuffer buffer = claim.buffer();
        final int offset = claim.offset();
        buffer.putLong(offset, id);
        buffer.putLong(offset + 8, id + 1);
        buffer.putLong(offset + 16, id + 2);
        buffer.putLong(offset + 24, id + 3);
        claim.commit();
        return true;
    }

    private void handle(final DirectBuffer buffer, final int offset)
    {
        final long id = buffer.getLong(offset);
        check.accept(id,
            id + buffer.getLong(offset + 8) + buffer.getLong(offset + 16) + buffer.getLong(offset + 24));
    }

    @Override
    int poll()
    {
        return image.poll(handler, POLL_LIMIT);
    }

    /** The driver itself must not have found fault with anything. */
    @Override
    public void verifyBalance()
    {
        duty();
        final CountersReader counters = aeron.countersReader();
        final long errors = counters.getCounterValue(SystemCounterDescriptor.ERRORS.id());
        if (errors != 0)
        {
            throw new IllegalStateException("Aeron's driver counted " + errors + " errors");
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
