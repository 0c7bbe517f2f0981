package io.millrace.gateway.bbo;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

/** Packets and lines as other programs write them, and events at random. */
public final class Samples
{
    public static final long SESSION = 0x0102030405060708L;

    private Samples()
    {
    }

    /** The example of the feed's documentation. */
    static byte[] plainPacket()
    {
        return HexFormat.of().parseHex("000061a80000012c001731800000012c0016cfd8" + "4141504c20202020");
    }

    static byte[] extendedPacket()
    {
        return HexFormat.of().parseHex("4d42424f00010000" + "0102030405060708" + "000000000000002a" +
            "17979cfe362a0000" + "000061a80000012c001731800000012c0016cfd8" + "4141504c20202020");
    }

    static byte[] line(final String text)
    {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** An event that each format can hold. */
    static BboEvent randomEvent(final Random random, final BboEvent into)
    {
        final StringBuilder symbol = new StringBuilder();
        for (int i = random.nextInt(8); i >= 0; i--)
        {
            symbol.append((char)(33 + random.nextInt(94)));
        }
        final long bidPrice = random.nextInt() >>> 1 + random.nextInt(31);
        final long askPrice = random.nextInt(4) == 0 ? 0 : random.nextInt() >>> 1 + random.nextInt(31);
        return into.quote(Symbols.of(symbol), bidPrice, random.nextInt() & BboEvent.MAX_VALUE,
            askPrice, random.nextInt() & BboEvent.MAX_VALUE);
    }
}
