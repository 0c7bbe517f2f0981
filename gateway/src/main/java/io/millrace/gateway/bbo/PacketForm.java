package io.millrace.gateway.bbo;

/**
 * Forms of the BBO packet that a codec reads. {@link BboPacketDescriptor} has the layout.
 */
public enum PacketForm
{
    /**
     * The last 28 bytes, whatever comes before them.
     */
    PLAIN,

    /**
     * Only packets with the magic number.
     */
    EXTENDED,

    /**
     * Extended if the magic number is there, otherwise plain. A damaged magic number is not noticed: the packet is then
     * read without session and sequence. A feed that always sends extended packets is safer with {@link #EXTENDED}.
     */
    ANY
}
