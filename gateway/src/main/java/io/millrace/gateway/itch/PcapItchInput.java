package io.millrace.gateway.itch;

import io.millrace.gateway.mold.MoldPacket;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import io.millrace.server.Counters;

import java.io.IOException;

/**
 * ITCH messages of the MoldUDP64 packets in a pcap file. Packets are delivered as they were recorded: a recording has
 * no one to ask for missing messages, and many have no sequence numbers. Packets that are no MoldUDP64 packet are
 * counted and skipped. Allocates nothing after the constructor.
 */
public final class PcapItchInput implements ItchInput
{
    private final PcapFile file;
    private final int port;
    private final MoldPacket packet = new MoldPacket();
    private final ItchMessage message = new ItchMessage();
    private final ItchCounters counters = new ItchCounters();
    private final PaddedLong malformedPackets = new PaddedLong(0);

    /**
     * An input of all UDP packets.
     *
     * @param file the recording; closed with this input.
     */
    public PcapItchInput(final PcapFile file)
    {
        this(file, 0);
    }

    /**
     * An input of the packets to one port.
     *
     * @param file the recording; closed with this input.
     * @param port 0 to 65,535; 0 for all.
     * @throws IllegalArgumentException if the port is out of range.
     */
    public PcapItchInput(final PcapFile file, final int port)
    {
        Range.check("port", port, 0, 0xFFFF);
        this.file = file;
        this.port = port;
    }

    @Override
    public int poll(final ItchHandler handler, final int limit) throws IOException
    {
        int delivered = 0;
        while (delivered < limit && (packet.hasNext() || nextPacket()))
        {
            packet.next();
            final byte[] bytes = packet.buffer().array();
            if (counters.accept(bytes, packet.messageOffset(), packet.messageLength()))
            {
                delivered++;
                if (!handler.onMessage(message.wrap(bytes, packet.messageOffset())))
                {
                    break;
                }
            }
        }
        return delivered;
    }

    /** Go to the next packet with messages. */
    private boolean nextPacket() throws IOException
    {
        while (file.next())
        {
            if (port == 0 || file.destinationPort() == port)
            {
                if (!packet.wrap(file.buffer(), file.offset(), file.length()))
                {
                    malformedPackets.addOpaque(1);
                }
                else if (packet.hasNext())
                {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Packets whose payload is no MoldUDP64 packet. Any thread.
     *
     * @return a count.
     */
    public long malformedPackets()
    {
        return malformedPackets.getOpaque();
    }

    /**
     * {@inheritDoc}
     * Asked by the polling thread, it is exact; by another one it may be true while the last packet's messages wait.
     */
    @Override
    public boolean isExhausted()
    {
        return file.isExhausted() && !packet.hasNext();
    }

    @Override
    public ItchCounters counters()
    {
        return counters;
    }

    @Override
    public void addCounters(final Counters into, final String name)
    {
        counters.addTo(into, name);
        into.add(name + ".packets", "UDP packets of the recording", file::packets);
        into.add(name + ".otherPackets", "packets of other protocols, and fragments", file::otherPackets);
        into.add(name + ".malformedFrames", "packets with impossible lengths, or cut ones", file::malformed);
        into.add(name + ".malformed", "UDP packets that are no MoldUDP64 packet", this::malformedPackets);
    }

    @Override
    public void close() throws IOException
    {
        file.close();
    }
}
