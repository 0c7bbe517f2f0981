package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;

/**
 * Encodes an event as JSON or as a binary frame, into an array of its own and without an allocation. Not thread-safe.
 * {@code docs/gateway-sinks.md} has both formats as tables.
 * <p>
 * The timestamp is the sender's time. Without one it is the time of reception: {@link System#nanoTime()} is converted
 * with the difference to the system's clock when the encoder was made. Without either it is 0.
 */
public final class BboEncoder
{
    /** Length of a binary frame in bytes. */
    public static final int FRAME_LENGTH = 56;
    /** Version of the binary frame. */
    public static final byte FRAME_VERSION = 1;
    /** Type of the binary frame: a BBO. */
    public static final byte FRAME_TYPE_BBO = 1;

    private static final byte[] HEAD = AsciiWriter.ascii("{\"type\":\"bbo\",\"symbol\":\"");
    private static final byte[] TIMESTAMP = AsciiWriter.ascii("\",\"timestamp\":");
    private static final byte[] BID = AsciiWriter.ascii(",\"bid\":{\"price\":");
    private static final byte[] SHARES = AsciiWriter.ascii(",\"shares\":");
    private static final byte[] ASK = AsciiWriter.ascii("},\"ask\":{\"price\":");
    private static final byte[] SPREAD = AsciiWriter.ascii("},\"spread\":{\"price\":");
    private static final byte[] PERCENT = AsciiWriter.ascii(",\"percent\":");
    private static final byte[] SEQUENCE = AsciiWriter.ascii(",\"sequence\":");

    /** Texts 110, symbol 48, numbers 2 x 20 + 2 x 10, prices 3 x 16, percent 9, ends 4: 279 bytes at most. */
    static final int MAX_LENGTH = 384;

    private final AsciiWriter out = new AsciiWriter(MAX_LENGTH);
    private final boolean withSequence;
    private final long epochMinusNanoTimeNs;

    /**
     * An encoder.
     *
     * @param withSequence whether a JSON object ends with the sequence.
     */
    public BboEncoder(final boolean withSequence)
    {
        this.withSequence = withSequence;
        final long nanoTime = System.nanoTime();
        epochMinusNanoTimeNs = System.currentTimeMillis() * 1_000_000 - nanoTime;
    }

    /** @return the encoded bytes, from 0; overwritten by the next call. */
    public byte[] bytes()
    {
        return out.bytes();
    }

    /**
     * Encode a JSON object, without a newline.
     *
     * @param event the event.
     * @return its length in bytes.
     */
    public int json(final BboEvent event)
    {
        out.clear().text(HEAD).jsonSymbol(event.symbol()).text(TIMESTAMP).number(timestampNs(event));
        out.text(BID).decimal(event.bidPrice(), 4).text(SHARES).number(event.bidShares());
        out.text(ASK).decimal(event.askPrice(), 4).text(SHARES).number(event.askShares());
        out.text(SPREAD).decimal(spread(event), 4).text(PERCENT).decimal(percentOfMid(event), 3).character('}');
        if (withSequence)
        {
            out.text(SEQUENCE).unsigned(event.sequence());
        }
        out.character('}');
        return out.length();
    }

    /**
     * Encode a JSON object and a newline.
     *
     * @param event the event.
     * @return its length in bytes.
     */
    public int jsonLine(final BboEvent event)
    {
        json(event);
        out.character('\n');
        return out.length();
    }

    /**
     * Encode a binary frame, big-endian.
     *
     * @param event the event.
     * @return {@link #FRAME_LENGTH}.
     */
    public int frame(final BboEvent event)
    {
        bigEndian(0, 2, FRAME_LENGTH);
        bigEndian(2, 1, FRAME_VERSION);
        bigEndian(3, 1, FRAME_TYPE_BBO);
        bigEndian(4, 4, 0);
        bigEndian(8, 8, timestampNs(event));
        bigEndian(16, 8, event.session());
        bigEndian(24, 8, event.sequence());
        bigEndian(32, 8, event.symbol());
        bigEndian(40, 4, event.bidPrice());
        bigEndian(44, 4, event.bidShares());
        bigEndian(48, 4, event.askPrice());
        bigEndian(52, 4, event.askShares());
        return FRAME_LENGTH;
    }

    private void bigEndian(final int offset, final int size, final long value)
    {
        for (int i = 0; i < size; i++)
        {
            out.bytes()[offset + i] = (byte)(value >>> 8 * (size - 1 - i));
        }
    }

    /**
     * The time of an event.
     *
     * @param event the event.
     * @return nanoseconds since 1970; 0 if the event has no time.
     */
    public long timestampNs(final BboEvent event)
    {
        if (event.sendTimeNs() != 0)
        {
            return event.sendTimeNs();
        }
        return event.receiveTimeNs() == 0 ? 0 : event.receiveTimeNs() + epochMinusNanoTimeNs;
    }

    /** Ask minus bid; 0 if a side is missing, because then there is no spread. */
    static long spread(final BboEvent event)
    {
        return event.bidPrice() == 0 || event.askPrice() == 0 ? 0 : event.spread();
    }

    /** Spread in thousandths of a percent of the mid price, rounded to the nearest, a half away from zero. */
    static long percentOfMid(final BboEvent event)
    {
        final long spread = spread(event);
        if (spread == 0)
        {
            return 0;
        }
        // mid = (bid + ask) / 2. At most 2^32 x 200,000 + 2^33, far below 2^63.
        final long twiceMid = event.bidPrice() + event.askPrice();
        final long rounded = (Math.abs(spread) * 200_000 + twiceMid / 2) / twiceMid;
        return spread < 0 ? -rounded : rounded;
    }
}
