package io.millrace.gateway.itch;

import io.millrace.pool.PaddedLong;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Reads the UDP payloads of a pcap file, plain or gzip: classic format, microseconds or nanoseconds, either byte order,
 * Ethernet with up to two VLAN tags, IPv4. Other packets, fragments, and packets that were not recorded completely are
 * counted and skipped. Checksums are not checked: a recording on the sending host often has none.
 * <p>
 * Allocates nothing after the constructor. One thread; any thread reads the counters.
 */
public final class PcapFile implements AutoCloseable
{
    /** Bytes of the file header. */
    public static final int FILE_HEADER_LENGTH = 24;
    /** Bytes in front of each packet: seconds, fraction, recorded length, original length. */
    public static final int PACKET_HEADER_LENGTH = 16;
    /** Longest recorded packet, as tcpdump has it. */
    public static final int MAX_PACKET_LENGTH = 1 << 18;

    private static final int MICROSECONDS = 0xA1B2C3D4;
    private static final int NANOSECONDS = 0xA1B23C4D;
    private static final int LINK_TYPE_OFFSET = 20;
    private static final int ETHERNET = 1;
    private static final long NS_PER_S = 1_000_000_000L;

    private final ByteWindow window;
    private final boolean swapped;
    private final int fractionNs;
    private final UdpFrame frame = new UdpFrame();
    private final PaddedLong packets = new PaddedLong(0);
    private final PaddedLong otherPackets = new PaddedLong(0);
    private final PaddedLong malformed = new PaddedLong(0);
    private long timeNs;
    private volatile boolean exhausted;

    /**
     * Opens a file.
     *
     * @param file plain or gzip.
     * @throws IOException if it cannot be read, or is no pcap file of Ethernet packets; the message names what it has.
     */
    public PcapFile(final Path file) throws IOException
    {
        this(file, new ByteWindow(file, 2 * MAX_PACKET_LENGTH));
    }

    /** Of a window that holds the longest packet with its header. */
    PcapFile(final Path file, final ByteWindow window) throws IOException
    {
        this.window = window;
        try
        {
            if (!window.has(FILE_HEADER_LENGTH))
            {
                throw new IOException(file + ": " + window.length() + " bytes, a pcap file has at least " +
                    FILE_HEADER_LENGTH);
            }
            final int magic = window.buffer().getInt(0);
            swapped = magic == Integer.reverseBytes(MICROSECONDS) || magic == Integer.reverseBytes(NANOSECONDS);
            final int straight = swapped ? Integer.reverseBytes(magic) : magic;
            if (straight != MICROSECONDS && straight != NANOSECONDS)
            {
                throw new IOException(String.format(Locale.ROOT,
                    "%s: magic number 0x%08x is not the one of a pcap file, 0x%08x or 0x%08x%s", file, magic,
                    MICROSECONDS, NANOSECONDS, magic == 0x0A0D0D0A ? "; convert pcapng files" : ""));
            }
            fractionNs = straight == NANOSECONDS ? 1 : 1_000;
            final int linkType = number(LINK_TYPE_OFFSET) & 0xFFFF;
            if (linkType != ETHERNET)
            {
                throw new IOException(file + ": link type " + linkType + " is not " + ETHERNET + " (Ethernet)");
            }
        }
        catch (final IOException ex)
        {
            window.close();
            throw ex;
        }
        window.skip(FILE_HEADER_LENGTH);
    }

    /** A number of the file's own headers, which have the byte order of the host that wrote them. */
    private int number(final int offset)
    {
        final int value = window.buffer().getInt(window.start() + offset);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    /**
     * Go to the next UDP payload.
     *
     * @return false at the end of the file; {@link #offset()} and {@link #length()} are then invalid.
     * @throws IOException if the file cannot be read further.
     */
    public boolean next() throws IOException
    {
        while (!exhausted)
        {
            final int recorded = nextPacket();
            if (recorded >= 0)
            {
                final int at = window.start();
                window.skip(recorded);
                final UdpFrame.Kind kind = frame.parse(window.buffer(), at, recorded);
                (kind == UdpFrame.Kind.UDP ? packets :
                    kind == UdpFrame.Kind.OTHER ? otherPackets : malformed).addOpaque(1);
                if (kind == UdpFrame.Kind.UDP)
                {
                    return true;
                }
            }
        }
        return false;
    }

    /** Recorded length of the next packet, which the window then begins with; -1 if there is none to look at. */
    private int nextPacket() throws IOException
    {
        try
        {
            if (!window.has(PACKET_HEADER_LENGTH))
            {
                end(window.length() > 0);
                return -1;
            }
            timeNs = (number(0) & 0xFFFF_FFFFL) * NS_PER_S + (number(4) & 0xFFFF_FFFFL) * fractionNs;
            final int recorded = number(8);
            final int original = number(12);
            if (recorded < 0 || recorded > MAX_PACKET_LENGTH || !window.has(PACKET_HEADER_LENGTH + recorded))
            {
                end(true);
                return -1;
            }
            window.skip(PACKET_HEADER_LENGTH);
            if (recorded < original)
            {
                window.skip(recorded);
                malformed.addOpaque(1);
                return -1;
            }
            return recorded;
        }
        catch (final IOException ex)
        {
            exhausted = true;
            throw ex;
        }
    }

    private void end(final boolean isMalformed)
    {
        if (isMalformed)
        {
            malformed.addOpaque(1);
        }
        exhausted = true;
    }

    /** @return the buffer that has the payload, valid until the next call of {@link #next()}; big-endian. */
    public ByteBuffer buffer()
    {
        return window.buffer();
    }

    /** @return where the payload begins in the buffer. */
    public int offset()
    {
        return frame.payloadOffset();
    }

    /** @return bytes of the payload. */
    public int length()
    {
        return frame.payloadLength();
    }

    /** @return UDP port to which the packet went, 0 to 65,535. */
    public int destinationPort()
    {
        return frame.destinationPort();
    }

    /** @return when the packet was recorded, nanoseconds since 1970. */
    public long timeNs()
    {
        return timeNs;
    }

    /** @return UDP payloads found. Any thread. */
    public long packets()
    {
        return packets.getOpaque();
    }

    /** @return skipped packets that are no IPv4 UDP packet, or are fragments. Any thread. */
    public long otherPackets()
    {
        return otherPackets.getOpaque();
    }

    /** @return skipped packets whose lengths contradict each other or that were cut. Any thread. */
    public long malformed()
    {
        return malformed.getOpaque();
    }

    /** @return true at the end of the file. Any thread. */
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public void close() throws IOException
    {
        exhausted = true;
        window.close();
    }
}
