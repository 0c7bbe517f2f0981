package io.millrace.gateway.mold;

import io.millrace.pool.Range;

import java.util.concurrent.TimeUnit;

/**
 * Limits of a {@link MoldReceiver}. Set before the receiver is made. Each setter throws an {@link
 * IllegalArgumentException} that names value and range.
 */
public final class MoldReceiverContext
{
    /** Begin with the first message that arrives. */
    public static final long JOIN = 0;

    private static final long MAX_NS = TimeUnit.HOURS.toNanos(1);

    String session;
    long firstSequence = JOIN;
    /** Longer than any packet of a network of 1,500 bytes. */
    int packetLength = 2_048;
    /** 128 packets: 3,000 and more messages, 256 KB. */
    int heldPackets = 128;
    long reorderNs = TimeUnit.MILLISECONDS.toNanos(1);
    long requestTimeoutNs = TimeUnit.MILLISECONDS.toNanos(50);
    int requestAttempts = 5;
    int requestMessages = 1_000;
    long maxGap = 1_000_000;
    long silenceNs = TimeUnit.SECONDS.toNanos(5);

    /** The defaults. */
    public MoldReceiverContext()
    {
    }

    /**
     * The only session to take.
     *
     * @param name 1 to 10 characters; default: the first session that arrives, later ones after it is silent.
     * @return this.
     */
    public MoldReceiverContext session(final String name)
    {
        MoldPacketEncoder.session(name);
        session = name;
        return this;
    }

    /**
     * First message to deliver.
     *
     * @param sequence from 1: earlier messages are skipped, missing ones requested; later sessions are wanted from 1.
     *                 {@value #JOIN}, the default: the first one that arrives.
     * @return this.
     */
    public MoldReceiverContext firstSequence(final long sequence)
    {
        firstSequence = Range.check("firstSequence", sequence, JOIN, Long.MAX_VALUE);
        return this;
    }

    /**
     * Longest packet.
     *
     * @param bytes 20 to 65,507, default 2,048; a longer one counts as malformed.
     * @return this.
     */
    public MoldReceiverContext packetLength(final int bytes)
    {
        packetLength =
            Range.check("packetLength", bytes, MoldDescriptor.HEADER_LENGTH, MoldDescriptor.MAX_PACKET_LENGTH);
        return this;
    }

    /**
     * Packets behind a gap that are kept until it is filled.
     *
     * @param count 1 to 4,096, default 128; a further one is dropped, and requested later.
     * @return this.
     */
    public MoldReceiverContext heldPackets(final int count)
    {
        heldPackets = Range.check("heldPackets", count, 1, 4_096);
        return this;
    }

    /**
     * Wait before the first request, because packets may overtake each other.
     *
     * @param ns 0 to an hour, default 1 ms.
     * @return this.
     */
    public MoldReceiverContext reorderNs(final long ns)
    {
        reorderNs = Range.check("reorderNs", ns, 0, MAX_NS);
        return this;
    }

    /**
     * Requests of one gap.
     *
     * @param timeoutNs wait for the answer of one, 1 to an hour; default 50 ms.
     * @param attempts  requests without any progress, 0 to 1,000, default 5; then the gap counts as lost.
     * @param messages  of one request, 1 to 65,534, default 1,000.
     * @return this.
     */
    public MoldReceiverContext requests(final long timeoutNs, final int attempts, final int messages)
    {
        Range.check("request timeoutNs", timeoutNs, 1, MAX_NS);
        Range.check("request attempts", attempts, 0, 1_000);
        requestMessages = Range.check("request messages", messages, 1, MoldDescriptor.MAX_COUNT);
        requestTimeoutNs = timeoutNs;
        requestAttempts = attempts;
        return this;
    }

    /**
     * Widest gap to recover. A packet further ahead is not believed; if the next one confirms it, all between counts as
     * lost.
     *
     * @param messages 1 to 1,000,000,000, default 1,000,000.
     * @return this.
     */
    public MoldReceiverContext maxGap(final long messages)
    {
        maxGap = Range.check("maxGap", messages, 1, 1_000_000_000);
        return this;
    }

    /**
     * Silence of a session after which another one is taken, because its sender has started again. If for so long all
     * packets of the session are behind the next message, the receiver goes back to them, because a wrong packet has
     * brought it too far; the handler sees that as a new session.
     *
     * @param ns 1 to an hour, default 5 s.
     * @return this.
     */
    public MoldReceiverContext silenceNs(final long ns)
    {
        silenceNs = Range.check("silenceNs", ns, 1, MAX_NS);
        return this;
    }
}
